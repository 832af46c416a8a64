"""One file, one section.

Each has ``TITLE``, ``QUESTION``, ``CLAIMS``, ``gather(example)`` and ``present(evidence)``.
``gather`` computes numbers and checks from the example; ``present`` shows them and computes
nothing. The name of the file, with hyphens, is the slug of the section.
"""
