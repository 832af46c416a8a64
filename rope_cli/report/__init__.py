"""The report: the order of the sections, what stands around them, and the golden files."""
