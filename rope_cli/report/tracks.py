"""What the sections are called and ask, in teaching order; nothing here computes."""

from rope_cli.report.chapter import CHAPTER
from rope_cli.report.note import NOTE
from rope_cli.text import Heading

# A new section is one file of the folder sections/ (its slug with underscores) and its entry in a
# track.
TRACKS: dict[str, dict[str, Heading]] = {"chapter": CHAPTER, "note": NOTE}
HEADINGS: dict[str, Heading] = {**CHAPTER, **NOTE}
