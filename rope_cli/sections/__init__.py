"""One file, one section; the name of the file, with hyphens, is its slug.

Each has ``TITLE``, ``QUESTION``, ``CLAIMS``, ``gather(example)`` and ``present(evidence)``.
``gather`` computes numbers and checks from the example; ``present`` shows them in the order in
which they print, and computes nothing.
"""
