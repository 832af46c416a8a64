"""What the commands do, once their options are read; each returns its exit code.

Knows nothing of click. numpy and rich are imported inside, for help must not wait for them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from rope_cli.cli import classroom_commands
from rope_cli.cli.classroom_commands import NAMES
from rope_cli.cli.output import LEAST_WIDTH, MOST_WIDTH, Manner
from rope_cli.report.tracks import GROUPS, ILLUSTRATED, SLUGS
from rope_cli.text import LANGUAGES
from rope_cli.user_input.command_errors import UnknownSection, closest_match, quoted
from rope_cli.user_input.files import write_file
from rope_cli.user_input.numbers import read_whole_number

if TYPE_CHECKING:
    pass

# What the help pages fill in.
FACTS = {
    "groups": ", ".join(GROUPS),
    "slugs": ", ".join(SLUGS),
    "illustrated": ", ".join(ILLUSTRATED),
    "least": LEAST_WIDTH,
    "most": MOST_WIDTH,
}


def show(manner: Manner, names: Sequence[str], given: Mapping[str, Any] | None = None) -> int:
    """Compute and print sections, named by slug or group, with the values given by the reader."""
    for name in names:
        if name not in NAMES:
            accepted = ", ".join(GROUPS)
            raise UnknownSection(closest_match(name, NAMES), slug=quoted(name), accepted=accepted)
    from rope_cli.example.user_values import parameters_from
    from rope_cli.report.build import build

    options = given or {}
    printed = partial(classroom_commands.in_steps, manner) if options.get("step") else manner.print
    return printed(build(names, parameters_from(options)))


def list_sections(manner: Manner) -> int:
    """Print slugs, titles and questions."""
    from rope_cli.report.build import listing

    return manner.print(listing())


def check(manner: Manner, update: bool, golden_dir: str | None) -> int:
    """Compare with the golden files, or rewrite them first."""
    from rope_cli.report.golden_report import report

    return manner.print(report(golden_dir, update))


def verify(
    manner: Manner,
    files: Sequence[str],
    given: Mapping[str, Any],
    progress: Callable[[int, int], None] | None = None,
) -> int:
    """Compare arrays, or a list of frequencies, with what is expected, and say what is wrong."""
    from rope_cli.verify import report
    from rope_cli.verify.read.request import request_from

    request = request_from(given)
    every_row = given.get("rows") == "all"
    if given.get("frequencies"):
        document = report.document_of_list(files, request, every_row)
    else:
        names = given.get("input_name"), given.get("output_name")
        document = report.document_of_arrays(
            files, request, every_row, names, given.get("dtype"), progress
        )
    manner.deliver(
        lambda ascii_only: manner.rendered(document, ascii_only),
        # Files and arrays may be named in letters of any language.
        escape_letters=manner.language == LANGUAGES[0],
    )
    return 0 if document.holds else 1


def vectors(manner: Manner, given: Mapping[str, Any]) -> int:
    """Write reference vectors, as .npz if the file asked for is named so, else as JSON."""
    from rope_cli.verify import reference_vectors as reference
    from rope_cli.verify.vectors_request import for_vectors

    expected, positions = for_vectors(given)
    made = reference.vectors_from(expected, positions)
    if manner.output.lower().endswith(".npz"):
        write_file(manner.output, reference.as_npz(made))
    else:
        manner.deliver(lambda ascii_only: reference.as_json(made))
    return 0


def scaling(
    manner: Manner, config: str, length: str | None, rows: str | None, **common: object
) -> int:
    """Read the configuration of a model and print how it turns its pairs; ``common`` is known."""
    from rope_cli.scaling import report
    from rope_cli.scaling.config import read_config

    asked = None
    if length is not None:
        asked = read_whole_number("--length", length, least=1)
    document = report.document(read_config(config), asked, every_row=rows == "all")
    manner.deliver(
        lambda ascii_only: manner.rendered(document, ascii_only),
        # The file and its keys may be named in letters of any language.
        escape_letters=manner.language == LANGUAGES[0],
    )
    return 0 if document.holds else 1
