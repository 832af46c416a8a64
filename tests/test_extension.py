"""One entry makes a new section, a new format or a new option, and it is seen everywhere."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tools.checkout import ROOT, copy_tree

pytestmark = pytest.mark.slow

SECTION = '''"""A section from outside."""

from rope_cli.document.evidence import Evidence, agree
from rope_cli.document.vocabulary import say, t

TITLE = t("Added from outside", "Добавлено снаружи")
QUESTION = t("Is it here?", "Есть ли он здесь?")
CLAIMS = {"one-is-one": t("one is one", "единица равна единице")}
USES = frozenset({"tempo"})


def gather(example):
    answer = 6.0 * example.parameters.tempo
    return Evidence({"answer": answer}, (agree("one-is-one", [1.0], [1.0], 0.0),))


def present(evidence):
    return (say("It is here.", "Он здесь."),)
'''
COMPLETE = {"_ROPE_REPORT_COMPLETE": "bash_complete"}
FORMAT = '''"""A format from outside."""


def render(document, language, *, width, ascii_only, colors):
    return "".join(f"<{section.slug}|{language}>\\n" for section in document.sections)
'''
OPTION = """    tempo: int = field(
        default=7,
        metadata=option(
            "--tempo",
            metavar="N",
            read=read_whole_number,
            help=Text(en="your tempo", ru="ваш темп"),
            header=Text(en="tempo {tempo}", ru="темп {tempo}"),
            name=Text(en="tempo", ru="темп"),
        ),
    )
"""


def add_line(path: Path, before: str, line: str) -> None:
    """Put one line in front of another that stands there once."""
    text = path.read_text("utf-8")
    assert text.count(before) == 1
    path.write_text(text.replace(before, line + before), "utf-8")


@pytest.fixture(scope="module")
def extended(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the checkout with one section, one format and one option more."""
    root = tmp_path_factory.mktemp("extended")
    copy_tree(ROOT / "rope_cli", root / "rope_cli")
    copy_tree(ROOT / "golden", root / "golden")
    shutil.copy(ROOT / "pyproject.toml", root)
    package = root / "rope_cli"
    (package / "sections" / "chapter" / "from_outside.py").write_text(SECTION, "utf-8")
    add_line(package / "report" / "chapter.py", '    "one-pair",\n', '    "from-outside",\n')
    (package / "renderers" / "slugs.py").write_text(FORMAT, "utf-8")
    formats = package / "renderers" / "__init__.py"
    text = formats.read_text("utf-8")
    assert text.count('FORMATS = ("text", "json"') == 1
    formats.write_text(text.replace('FORMATS = ("text"', 'FORMATS = ("slugs", "text"'), "utf-8")
    add_line(
        package / "example" / "parameters.py", "    given: frozenset[str] = frozenset()\n", OPTION
    )
    return root


def run(
    root: Path, *words: str, env: dict[str, str] | None = None
) -> "subprocess.CompletedProcess[str]":
    """A finished process of the extended command."""
    return subprocess.run(
        [sys.executable, "-m", "rope_cli", *words],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root), **(env or {})},
        capture_output=True,
        check=False,
        text=True,
    )


def ask(root: Path, *words: str, code: int = 0, env: dict[str, str] | None = None) -> str:
    """What the extended command prints."""
    process = run(root, *words, env=env)
    assert (process.returncode, process.stderr) == (code, "")
    return process.stdout


def refuse(root: Path, *words: str) -> str:
    """The line with which the extended command refuses."""
    process = run(root, *words)
    assert (process.returncode, process.stdout) == (2, "")
    return process.stderr.strip()


def test_new_section_is_shown(extended: Path) -> None:
    """It is part of the chapter, can be shown alone in both languages, and its check counts."""
    assert "[from-outside]" in ask(extended)
    alone = ask(extended, "show", "from-outside", "--lang", "ru")
    assert "Добавлено снаружи" in alone
    assert "Он здесь." in alone
    report = json.loads(ask(extended, "show", "from-outside", "--format", "json"))
    (section,) = report["sections"]
    assert section["values"] == {"answer": 42.0}
    assert section["checks"][0]["name"] == "one-is-one"


def test_new_section_is_listed_helped_and_completed(extended: Path) -> None:
    """List, help and completion know it without another line."""
    assert " from-outside\n" in ask(extended, "list")
    assert "from-outside" in ask(extended, "show", "-h")
    completion = {"COMP_WORDS": "rope-report show from", "COMP_CWORD": "2", **COMPLETE}
    offered = ask(extended, env=completion)
    assert offered == "plain,from-outside\n"


def test_new_section_needs_golden_files(extended: Path, tmp_path: Path) -> None:
    """``check`` misses its files in both languages, until ``--update`` has written them."""
    text = ask(extended, "check", "--format", "json", code=1)
    files = json.loads(text)["sections"][0]["values"]["files"]
    missing = [each["file"] for each in files if each["state"] == "missing"]
    assert missing == [
        f"from-outside.{language}.{ending}" for language in ("en", "ru") for ending in ("txt", "md")
    ]
    copy = tmp_path / "golden"
    copy_tree(extended / "golden", copy)
    ask(extended, "check", "--update", "--golden-dir", str(copy))
    assert "It is here." in (copy / "from-outside.en.txt").read_text("utf-8")


def test_new_format_works_everywhere(extended: Path) -> None:
    """Help, completion and every command that prints take the new format."""
    assert "slugs|text|json" in ask(extended, "-h")
    assert "slugs|text|json" in ask(extended, "check", "-h")
    completion = {"COMP_WORDS": "rope-report show --format s", "COMP_CWORD": "3", **COMPLETE}
    offered = ask(extended, env=completion)
    assert offered == "plain,slugs\n"
    assert ask(extended, "show", "norms", "--format", "slugs") == "<norms|en>\n"
    assert "<from-outside|ru>\n" in ask(extended, "list", "--format=slugs", "--lang=ru")
    assert ask(extended, "--format=slugs", "check", code=1) == "<check|en>\n"


def test_text_is_still_the_default(extended: Path) -> None:
    """A format that is added does not become the default."""
    assert "holds" in ask(extended, "show", "norms")


def test_new_option_is_helped_and_completed(extended: Path) -> None:
    """Help in both languages, completion and suggestions know it without another line."""
    assert re.search("^  --tempo N +your tempo$", ask(extended, "show", "-h"), re.M)
    assert re.search("^  --tempo N +ваш темп$", ask(extended, "show", "-h", "--lang", "ru"), re.M)
    completion = {"COMP_WORDS": "rope-report show --te", "COMP_CWORD": "2"}
    offered = ask(extended, env={**COMPLETE, **completion})
    assert offered == "plain,--tempo\n"
    assert refuse(extended, "show", "norms", "--tmepo", "8").endswith("did you mean --tempo?")


def test_new_option_is_read_and_refused(extended: Path) -> None:
    """Its value reaches the section that uses it, and the JSON says that it was given."""
    text = ask(extended, "show", "from-outside", "--tempo", "8", "--format", "json")
    report = json.loads(text)
    assert report["sections"][0]["values"] == {"answer": 48.0}
    assert report["parameters"]["tempo"] == 8
    assert report["parameters"]["given"] == ["tempo"]
    words = ["show", "from-outside", "--tempo", "x"]
    assert refuse(extended, *words) == (
        'rope-report: --tempo is "x"; accepted: a whole number from 0 to 2^53'
    )
    assert 'задано "x"' in refuse(extended, *words, "--lang", "ru")
    assert refuse(extended, "show", "norms", "--tempo") == (
        "rope-report: option --tempo is given without a value; accepted: --tempo N"
    )


def test_new_option_stands_in_the_header(extended: Path) -> None:
    """Above the sections if it is the reader's, below them if it is the chapter's."""
    assert "tempo 7" in ask(extended, "show", "from-outside")
    own = ask(extended, "show", "from-outside", "--tempo", "8")
    assert own.index("Your values: tempo 8.") < own.index("[from-outside]")
    assert "tempo" not in own.partition("The chapter's values: ")[2]
    russian = ask(extended, "show", "from-outside", "--tempo", "8", "--lang", "ru")
    assert "Ваши параметры: темп 8." in russian


def test_section_that_cannot_use_the_new_option_says_so(extended: Path) -> None:
    """The chapter's value of the option is kept by name where a section does not use it."""
    keeps = "Your values that this section does not use: tempo."
    assert keeps in ask(extended, "show", "order", "--tempo", "8")
    assert keeps not in ask(extended, "show", "from-outside", "--tempo", "8")
    russian = ask(extended, "show", "order", "--tempo", "8", "--lang", "ru")
    assert "не используются: темп." in russian
