"""One file, one section.

Each has ``CLAIMS``, ``gather(example)`` and ``present(evidence)``; its title and its question stand
in :mod:`rope_cli.report.tracks`. ``gather`` computes numbers and checks from the example;
``present`` shows them and computes nothing. The name of the file,
with hyphens, is the slug of the section.
"""
