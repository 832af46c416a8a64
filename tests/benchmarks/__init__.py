"""The benchmarks: everything side by side from one run, in turn, as ratios with their spread.

python tests/benchmarks [--runs N] [--only NAME ...]
"""
