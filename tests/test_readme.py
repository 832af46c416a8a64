"""README and reference are true: samples are real output, and nothing goes unnamed."""

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from tools.checkout import ROOT

from rope_cli import errors
from rope_cli.cli.commands import rope_report
from rope_cli.cli.completion import SHELLS
from rope_cli.cli.main import main
from rope_cli.cli.options import options_of
from rope_cli.renderers import FORMATS
from rope_cli.report import tracks
from rope_cli.verify.reference_vectors import KEYS
from rope_cli.verify.show.mistake_words import MISTAKES

READMES = [path for path in (ROOT / "README.md", ROOT / "README.ru.md") if path.exists()]
README = ROOT / "README.md"
REFERENCE = ROOT / "docs" / "reference.md"
PAGES = [*READMES, REFERENCE]


def blocks(path: Path, language: str) -> list[str]:
    """The fenced blocks of one kind in a file."""
    return re.findall(rf"^```{language}\n(.*?)^```$", path.read_text("utf-8"), re.M | re.S)


def samples() -> Iterator[object]:
    """Every command of a ``console`` block with the output that is shown below it."""
    for path in PAGES:
        for block in blocks(path, "console"):
            assert block.startswith("$ ")
            for sample in re.split(r"^\$ ", block, flags=re.M)[1:]:
                command, _, output = sample.partition("\n")
                yield pytest.param(command, output, id=f"{path.name}: {command}")


def pattern(output: str) -> str:
    """What the real output must match: a line of three dots stands for any lines."""
    lines = output.rstrip("\n").split("\n")
    return "".join(r"(?:.*\n)*?" if line == "..." else re.escape(line) + r"\n" for line in lines)


@pytest.mark.parametrize(("command", "output"), list(samples()))
def test_sample_is_real_output(
    command: str,
    output: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Every line shown below a command is what the command prints at the root of the checkout."""
    monkeypatch.chdir(ROOT)
    program, *words = shlex.split(command)
    assert program == "rope-report"
    assert output.strip() not in ("", "...")
    code = main(words)
    printed = capsys.readouterr().out
    # A sample of arrays that differ is one that shows a failed check.
    failed = any(word in output for word in ("FAILED", "НЕ ПРОЙДЕНО"))
    assert code == int(failed)
    assert re.fullmatch(pattern(output), printed)


def test_wrong_sample_would_be_seen() -> None:
    """The comparison above is one that can fail."""
    assert re.fullmatch(pattern("a\n...\nd\n"), "a\nb\nc\nd\n")
    assert re.fullmatch(pattern("a\n...\nb\n"), "a\nb\n")
    for wrong in ("a\n...\n", "b\n...\nd\n", "a\nd\n", "a.\n...\nd\n", "a\n...\nc\n"):
        assert bool(re.fullmatch(pattern(wrong), "a\nb\nc\nd\n")) == (wrong == "a\n...\n")


def test_there_are_samples() -> None:
    """Each README shows the command at work."""
    assert README in READMES
    assert all(blocks(path, "console") for path in READMES)


@pytest.mark.parametrize("block", [block for path in PAGES for block in blocks(path, "python")])
def test_python_sample_runs(block: str) -> None:
    """The Python of the README runs, and an expression has the value in the comment below it."""
    names: dict[str, object] = {}
    before = ""
    for line in block.splitlines():
        if line.startswith("# "):
            assert repr(eval(before, names)) == line.removeprefix("# ")
        else:
            exec(before, names)
            before = line


@pytest.mark.parametrize("path", READMES, ids=lambda path: path.name)
def test_first_block_installs_then_tests(path: Path) -> None:
    """The first two commands are those that a newcomer types."""
    first, second = blocks(path, "sh")[0].strip().splitlines()
    assert first.startswith("pip install . && rope-report")
    assert second == "pip install -e '.[test]' && python -m pytest"


def documented() -> str:
    """The tour and the reference."""
    return README.read_text("utf-8") + REFERENCE.read_text("utf-8")


def kinds() -> set[str]:
    """Every kind of refusal that a program can meet."""
    return {
        each.kind
        for each in vars(errors).values()
        if isinstance(each, type) and issubclass(each, errors.RopeError)
    } - {errors.RopeError.kind}


def options() -> set[str]:
    """Every option of every command."""
    everyone = (rope_report, *rope_report.commands.values())
    return {name for command in everyone for each in options_of(command) for name in each.opts}


@pytest.mark.parametrize(
    "names",
    [
        {f"rope-report {command}" for command in rope_report.commands},
        options() - {"--help"},
        {*tracks.SLUGS, *tracks.GROUPS},
        {*FORMATS, *SHELLS, "csv"},
        kinds(),
        {"ROPE_REPORT_LANG", "NO_COLOR", "FORCE_COLOR"},
        {*MISTAKES, *KEYS},
    ],
    ids=["commands", "options", "sections", "choices", "kinds", "variables", "verify"],
)
def test_readme_names_everything(names: set[str]) -> None:
    """Commands, options, sections, formats, shells, kinds of refusal and variables are named."""
    text = " ".join(re.findall(r"`([^`\n]+)`", documented()))
    known = set(re.findall(r"[\w.$-]+", text)) | {f"rope-report {word}" for word in text.split()}
    assert names - known == set()


def test_readme_names_every_field_of_the_json(capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever a program may read from the JSON report is documented, arrays included."""
    assert main(["show", "all", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    section, check = found["sections"][0], found["sections"][0]["checks"][0]
    text = documented()
    for names in (found, section, check, found["parameters"], found["checks"]):
        assert [name for name in names if f"`{name}`" not in text] == []


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("README.md", "more than 700 model types"),
        ("README.ru.md", "более чем 700 типов моделей"),
        ("docs/reference.md", "more than 700 model types"),
    ],
)
def test_the_number_of_model_types_is_true(path: str, words: str) -> None:
    """The table holds as many types as the pages say, and not a hundred more."""
    table = json.loads((ROOT / "rope_cli/scaling/model_types.json").read_text("utf-8"))
    types = {*table["types"], *table["without rotation"], *table["elsewhere"]}
    assert 700 < len(types) < 800
    assert words in " ".join((ROOT / path).read_text("utf-8").split())
