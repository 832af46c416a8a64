"""The order of the note track; a section is the file of its slug in ``sections/note/``."""

SLUGS = (
    "complex",
    "dense-vs-pairs",
    "layouts",
    "clocks",
    "shift-one",
    "common-shift",
    "same-content",
    "bound",
    "expectation",
    "peak",
    "bands",
    "base",
    "extension",
    "whole-model",
    "cache",
    "precision",
    "bugs",
    "claims",
    "glossary",
)
