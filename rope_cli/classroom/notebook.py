"""The report for Python and for notebooks, which show it as the page does."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from rope_cli.classroom.workbook import with_workbook
from rope_cli.document.blocks import Document
from rope_cli.example.parameters import PARAMETERS
from rope_cli.example.user_values import parameters_from
from rope_cli.renderers import render
from rope_cli.report import build
from rope_cli.report.tracks import section_or_group
from rope_cli.text import LANGUAGES

# The page lies in a frame of this height in pixels, so that its styles stay inside.
FRAME_HEIGHT = 640


class Report:
    """Sections that were computed: ``print`` gives the text, a notebook shows the page.

    ``holds`` says whether every check held, ``values`` has the numbers by section as in JSON.
    """

    def __init__(self, document: Document, language: str) -> None:
        self.document = document
        self.language = language

    @property
    def holds(self) -> bool:
        """Whether every check held."""
        return self.document.holds

    @property
    def values(self) -> dict[str, object]:
        """The numbers of each section by its slug."""
        return {section.slug: section.values for section in self.document.sections}

    def __str__(self) -> str:
        return render(self.document, "text", self.language)

    def __repr__(self) -> str:
        slugs = ", ".join(section.slug for section in self.document.sections)
        return f"<rope-report: {slugs}; {'all checks held' if self.holds else 'a check FAILED'}>"

    def _repr_html_(self) -> str:
        page = escape(render(with_workbook(self.document), "html", self.language), quote=True)
        return (
            f'<iframe title="rope-report" srcdoc="{page}" width="100%" '
            f'height="{FRAME_HEIGHT}" frameborder="0"></iframe>'
        )


def report(*names: str, language: str = "en", **values: Any) -> Report:
    """Compute sections or groups, the chapter if none is named.

    ``values`` are those of ``rope-report show``: ``feature_width=8``, ``base=10000``,
    ``positions=[0, 1, 7]``, ``query=[[1, 0, 1, 0]]``, ... Raises ``TypeError`` for another name,
    ``ValueError`` for another language, and the refusals of the command, all of them
    :class:`rope_cli.RopeError`.
    """
    if unknown := values.keys() - PARAMETERS.keys():
        accepted = ", ".join(PARAMETERS)
        raise TypeError(f"report() does not take {min(unknown)!r}; accepted: {accepted}")
    if language not in LANGUAGES:
        raise ValueError(f"there is no language {language!r}; accepted: {', '.join(LANGUAGES)}")
    options = {PARAMETERS[name].key: as_typed(value) for name, value in values.items()}
    slugs = tuple(map(section_or_group, names or ("chapter",)))
    return Report(build.build(slugs, parameters_from(options)), language)


def as_typed(value: Any) -> str:
    """A value as the command line takes it: ``0,1,7``, and ``1,0;0,1`` for rows."""
    items = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(items, str) or not isinstance(items, Sequence):
        return str(items)
    between = ";" if items and isinstance(items[0], list | tuple) else ","
    return between.join(map(as_typed, items))
