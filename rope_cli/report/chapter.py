"""The order of the chapter track; a section is the file of its slug in ``sections/chapter/``."""

SLUGS = (
    "one-pair",
    "frequencies",
    "rotations",
    "dot-products",
    "direction",
    "norms",
    "shapes",
    "refusals",
    "adjoints",
    "additive",
    "order",
    "visibility",
    "heads",
    "exercises",
)
