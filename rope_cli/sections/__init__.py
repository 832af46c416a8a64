"""One file, one section: ``TITLE``, ``QUESTION``, ``CLAIMS``, ``gather(example)``, ``present(evidence)``.

``gather`` computes numbers and checks from the example; ``present`` shows them and computes
nothing. The name of the file, with hyphens, is the slug of the section.
"""
