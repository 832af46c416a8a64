"""The answer of verify in words and tables."""
