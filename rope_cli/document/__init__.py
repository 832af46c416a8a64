"""A report as data: blocks, checks and evidence, without a format, a language or a width."""
