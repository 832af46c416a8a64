"""How long whole processes take beside the imports that they cannot do without.

    python tests/benchmarks/processes.py [RUNS]

Each pair runs alternately, so that a busy machine slows both. Printed are the medians, and the
ratio of the medians with the quartiles of the ratios of neighbouring runs. An absolute time means
nothing on another machine; the ratio does.
"""

import os
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

LEAST_RUNS = 11
REPORT = [str(Path(sys.executable).with_name("rope-report"))]
PAIRS = (
    ([], "import numpy, click, rich.console, rich.table", 1.3),
    (["-h"], "import click", 1.35),
)


def seconds(words: list[str]) -> float:
    """How long a process takes whose output goes nowhere and whose modules are compiled."""
    environment = dict(os.environ)
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    start = time.perf_counter()
    subprocess.run(
        words, check=True, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
    )
    return time.perf_counter() - start


def compare(command: list[str], imports: list[str], runs: int) -> tuple[float, float, list[float]]:
    """The medians of both, run in turn, and the ratio of each pair of runs."""
    for words in (command, imports):
        seconds(words)
    pairs = [(seconds(command), seconds(imports)) for _ in range(runs)]
    ours, theirs = (statistics.median(times) for times in zip(*pairs, strict=True))
    return ours, theirs, [one / other for one, other in pairs]


def main() -> None:
    """Print one line for each pair."""
    runs = max(LEAST_RUNS, int(sys.argv[1]) if len(sys.argv) > 1 else 21)
    command = REPORT if shutil.which(REPORT[0]) else [sys.executable, "-m", "rope_cli"]
    print(f"{runs} alternating runs each, Python {sys.version.split()[0]}, {os.cpu_count()} CPUs")
    for words, statement, bound in PAIRS:
        imports = [sys.executable, "-c", statement]
        ours, theirs, ratios = compare([*command, *words], imports, runs)
        low, _, high = statistics.quantiles(ratios, n=4)
        print(
            f"{' '.join(['rope-report', *words])}: {ours * 1000:.0f} ms; "
            f'python -c "{statement}": {theirs * 1000:.0f} ms; '
            f"ratio {ours / theirs:.2f} (quartiles {low:.2f} to {high:.2f}; at most {bound})"
        )


if __name__ == "__main__":
    main()
