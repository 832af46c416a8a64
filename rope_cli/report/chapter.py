"""The order of the chapter track; a section is the file of its slug in ``sections/chapter/``."""

SLUGS = (
    "one-pair",
    "why-rotation",
    "frequencies",
    "rotations",
    "dot-products",
    "content",
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
