"""Words on the command line, exit codes, languages: what every command promises."""

import importlib
import os
import pkgutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import numpy as np
import pytest
from tools.command import Run

import rope_cli
from rope_cli import __version__
from rope_cli.cli.commands import rope_report
from rope_cli.cli.completion import SHELLS
from rope_cli.cli.main import main
from rope_cli.cli.options import COLORS, options_of
from rope_cli.document.blocks import Document, Verdict
from rope_cli.document.check import Check
from rope_cli.renderers import FORMATS
from rope_cli.report import build, tracks
from rope_cli.text import LANGUAGES, Text
from rope_cli.user_input import command_errors

HEAVY = "numpy", "rich"
COMMANDS = (
    "show",
    "predict",
    "mark",
    "figure",
    "list",
    "check",
    "scaling",
    "verify",
    "vectors",
    "completion",
)


def said(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What a command line prints that must succeed."""
    assert main(words) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The one line with which a command line is refused."""
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("rope-report: ")
    assert err.endswith("\n")
    assert err.count("\n") == 1
    return err.removeprefix("rope-report: ").rstrip("\n")


# Exit codes


def test_bare_command_is_the_chapter(capsys: pytest.CaptureFixture[str]) -> None:
    """The bare command shows every section of the chapter and exits 0."""
    chapter = said(capsys, "show", "chapter")
    assert said(capsys) == chapter
    assert all(f"[{slug}]" in chapter for slug in tracks.GROUPS["chapter"])


def test_module_is_the_command(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    """``python -m rope_cli`` prints the bytes and gives the exit codes of the command."""
    process = run()
    assert (process.returncode, process.stderr) == (0, b"")
    assert process.stdout.decode() == said(capsys)
    assert run("nonsense").returncode == 2


@pytest.mark.parametrize("form", FORMATS)
def test_failed_check_is_exit_code_1(
    form: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A report whose check fails is printed all the same, and exits 1."""
    failed = Verdict(Check("never-holds", 2.0, 1.0, 1), Text(en="it fails", ru="не выполнено"))
    monkeypatch.setattr(build, "build", lambda names, asked=None: Document((), (), (), (failed,)))
    assert main(["--format", form]) == 1
    out, err = capsys.readouterr()
    assert "never-holds" in out
    assert err == ""


@pytest.mark.slow
def test_interrupt_is_exit_code_130_and_quiet() -> None:
    """Ctrl-C ends with 130 and without a traceback, whatever the command was doing."""
    script = (
        "import os, signal, sys\n"
        "from rope_cli.cli import main as cli\n"
        "from rope_cli.report import build\n"
        "build.build = lambda names, asked=None: os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.exit(cli.main([]))\n"
    )
    process = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
    assert (process.returncode, process.stdout, process.stderr) == (130, b"", b"")


INTERRUPTED_FINALIZER = """
import os, signal, sys

class Interrupting:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)
        sys.stdout  # here Python would complain that it ignores an exception

class Finder:
    def find_spec(name, *_):
        if name == "numpy":
            Interrupting()

sys.meta_path.insert(0, Finder)
from rope_cli.__main__ import main
sys.exit(main())
"""


@pytest.mark.slow
def test_interrupt_is_quiet_where_nobody_can_catch_it() -> None:
    """So it is in a finalizer while modules are imported, where Python would go on."""
    process = subprocess.run(
        [sys.executable, "-c", INTERRUPTED_FINALIZER], capture_output=True, check=False
    )
    assert (process.returncode, process.stdout, process.stderr) == (130, b"", b"")


@pytest.mark.parametrize(
    ("language", "sentence"), [("en", "not enough memory"), ("ru", "не хватает памяти")]
)
def test_lack_of_memory_is_a_refusal(
    language: str,
    sentence: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It is exit code 2, not 1, which would mean a difference, and one line."""

    def build_all(names: list[str], asked: object = None) -> Document:
        raise MemoryError

    monkeypatch.setattr(build, "build", build_all)
    assert main(["--lang", language]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("rope-report: ")
    assert sentence in err
    assert err.count("\n") == 1


# Refusals

REFUSED = {
    "unknown-command": ["shwo"],
    "unknown-section": ["show", "dirction"],
    "unknown-option": ["list", "--lnag=ru"],
    "missing-value": ["check", "--golden-dir"],
    "unexpected-value": ["--ascii=yes"],
    "unknown-choice": ["--format", "xml"],
    "invalid-width": ["--width", "39"],
    "missing-argument": ["show"],
    "unexpected-argument": ["list", "everything"],
    "csv-of-sections": ["show", "glossary", "norms", "--format", "csv"],
    "no-answers": ["mark", __file__],
    "unknown-encoding": ["mark", __file__, "--encoding", "utf-9"],
    "cannot-read": ["check", "--golden-dir", "nowhere"],
    "cannot-write": ["list", "-o", "nowhere/report.txt"],
    "update-under-ci": ["check", "--update"],
    "invalid-number": ["show", "norms", "--base", "0"],
    "invalid-positions": ["show", "norms", "--positions", "3:1"],
    "invalid-rows": ["show", "norms", "--query", "1,0;1"],
    "config-needed": ["verify", "arrays.npz", "--layer-type", "full_attention"],
    "option-clash": ["verify", "arrays.npz", "--offset", "1", "--positions", "0:4"],
    "too-far": ["verify", "arrays.npz", "--offset", "9007199254740980"],
    "bad-axes": ["verify", "arrays.npz", "--axes", "heads,tokens"],
    "position-count": ["verify", "arrays.npz", "--positions", "0:4"],
    "missing-array": ["verify", "arrays.npz", "--output-name", "outptu"],
    "invalid-array": ["verify", "arrays.npz", "--output-name", "narrow"],
    "no-question": ["predict", "glossary"],
    "needs-progress": ["predict", "--again"],
    "needs-terminal": ["predict", "--progress", "answers.txt"],
    "no-figure-file": ["figure", "bound"],
    "figure-of-group": ["figure", "-o", "chapter.png", "chapter"],
    "no-picture": ["figure", "-o", "claims.png", "claims"],
    "unknown-figure-format": ["figure", "bound", "-o", "bound.gif"],
    "unknown-vectors-format": ["vectors", "-o", "vectors.csv"],
}
# What stands in place of the last word of such a line in its refusal.
SHOWN = {
    "config-needed": "--layer-type",
    "position-count": "[4]",
    "option-clash": "--positions",
    "needs-terminal": "--progress",
    "too-far": "float64",
}
# Provoked below and in test_streams.py, test_install.py, test_scaling_command.py,
# test_config_formats.py, test_compared_configs.py and test_classroom.py, where more than words is
# needed.
ELSEWHERE = {
    "output-failed",
    "output-encoding",
    "update-of-package",
    "bad-completion",
    "bad-command-line",
    "bad-config-value",
    "unsupported-scaling",
    "missing-config-key",
    "unknown-part",
    "no-rotation",
    "unsupported-rotation",
    "no-model",
    "nothing-scaled",
    "no-matplotlib",
    "out-of-memory",
    "output-is-input",
    "other-seed",
}


def kinds(root: type[command_errors.CommandRefusal]) -> set[str]:
    """Every kind below a class."""
    below = root.__subclasses__()
    return {each.kind for each in below}.union(*(kinds(each) for each in below))


def test_every_refusal_is_provoked() -> None:
    """A refusal that no test provokes is missing from the table above."""
    # Every module, for some refusals stand where they are raised.
    for module in pkgutil.walk_packages(rope_cli.__path__, "rope_cli."):
        importlib.import_module(module.name)
    known = kinds(command_errors.CommandRefusal)
    assert known == REFUSED.keys() | ELSEWHERE


@pytest.mark.parametrize("kind", REFUSED)
def test_refusal_is_one_line_in_each_language(
    kind: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The rule, the value given and what is accepted; Russian words when Russian is asked for."""
    monkeypatch.setenv("CI", "true")
    monkeypatch.chdir(tmp_path)
    words = REFUSED[kind]
    arrays: dict[str, Any] = {"input": np.eye(3, 4), "output": np.eye(3, 4), "narrow": np.eye(3, 2)}
    np.savez("arrays.npz", **arrays)
    english = refused(capsys, *words)
    russian = refused(capsys, "--lang", "ru", *words)
    assert english.isascii()
    assert "accepted: " in english
    assert "допустим" in russian
    given = SHOWN.get(kind, words[-1].partition("=")[0])
    assert given in english
    assert given in russian
    assert list(tmp_path.iterdir()) == [tmp_path / "arrays.npz"]


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["shwo"], "show"),
        (["chek"], "check"),
        (["direction"], "show direction"),
        (["show", "dirction"], "direction"),
        (["show", "chaptre"], "chapter"),
        (["--lnag", "ru"], "--lang"),
        (["check", "--golden"], "--golden-dir"),
        (["verfy"], "verify"),
        (["vector"], "vectors"),
        (["verify", "--freq"], "--frequencies"),
        (["verify", "a.npz", "--layuot", "adjacent"], "--layout"),
        (["predcit"], "predict"),
        (["predict", "nroms"], "norms"),
        (["predict", "--sed", "1"], "--seed"),
        (["show", "norms", "--stpe"], "--step"),
    ],
)
def test_near_miss_is_answered_with_the_likely_word(
    words: list[str], meant: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A slip of the finger is answered with the word that was meant."""
    assert refused(capsys, *words).endswith(f"; did you mean {meant}?")


@pytest.mark.parametrize("words", [["--lang", "de"], ["show", "norms", "--lang=de"], ["--lang"]])
def test_a_language_that_there_is_not_is_refused_in_the_one_before(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where the environment asks for Russian, ``--lang de`` is refused in Russian."""
    monkeypatch.setenv("ROPE_REPORT_LANG", "ru")
    assert "допустимо: " in refused(capsys, *words)
    assert "accepted: " in refused(capsys, "--lang", "en", *words)


@pytest.mark.parametrize("name", ["x.csv", "x.npy", "x.npz.txt", "X.TXT"])
def test_vectors_are_written_as_their_name_promises(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A suffix of another format is refused; .npz, .json and a name without one are written."""
    monkeypatch.chdir(tmp_path)
    assert refused(capsys, "vectors", "-o", name).endswith("a name that ends in .json or .npz")
    assert list(tmp_path.iterdir()) == []
    for written in ("x.JSON", "x.npz", "x"):
        assert said(capsys, "vectors", "-o", written) == ""
    assert len(list(tmp_path.iterdir())) == 3


@pytest.mark.parametrize(
    "word", ["", " ", "\x1b[31m", "a\nb", "\u2028", "\udc80", chr(0xD800), "\u202e", "x" * 9_999]
)
def test_no_input_can_break_the_line(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Control signs, lone surrogates and endless words are shown harmlessly, in quotes."""
    for words in ([word], ["show", word], ["--lang", word], ["--width", word], [f"--{word}!"]):
        line = refused(capsys, *words)
        assert line.isprintable()
        assert len(line) < 400
        assert '"' in line


def test_unforeseen_objection_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Should click ever object to something else, that is one line too."""

    def objects(*given: object) -> None:
        raise click.UsageError("of\na new kind")

    monkeypatch.setattr(click.Command, "parse_args", objects)
    assert refused(capsys, "list") == (
        "the command line cannot be read (of\\na new kind); accepted: see rope-report -h"
    )


@pytest.mark.parametrize(
    "width", ["39", "1001", "-80", "+80", "8_0", "\uff18\uff10", "80.0", "1" * 5000, ""]
)
def test_width_is_bounded(width: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A width is a plain whole number within its bounds; anything else is refused."""
    assert refused(capsys, f"--width={width}").endswith("from 40 to 1000, or auto")


@pytest.mark.parametrize("width", ["40", "1000"])
def test_width_reaches_its_bounds(width: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Both bounds are accepted themselves."""
    assert said(capsys, "list", "--width", width)


# Language and other common options


def test_language_comes_from_option_then_environment(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """--lang, else ROPE_REPORT_LANG, else English; LANG and its kin never count."""
    russian = said(capsys, "list", "--lang", "ru")
    english = said(capsys, "list", "--lang", "en")
    assert russian != english
    for name in ("LANG", "LC_ALL", "LANGUAGE"):
        monkeypatch.setenv(name, "ru_RU.UTF-8")
    assert said(capsys, "list") == english
    monkeypatch.setenv("ROPE_REPORT_LANG", "")
    assert said(capsys, "list") == english
    monkeypatch.setenv("ROPE_REPORT_LANG", "ru")
    assert said(capsys, "list") == russian
    assert said(capsys, "list", "--lang=en") == english
    assert "Использование" in said(capsys, "-h")
    assert "допустимо" in refused(capsys, "nonsense")


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("ru_RU.UTF-8", "ru"),
        ("ru-RU", "ru"),
        ("ru_RU@latin", "ru"),
        ("RU", "ru"),
        ("en_US", "en"),
        ("C.UTF-8", "en"),
        ("POSIX", "en"),
    ],
)
def test_language_may_be_named_as_a_locale(
    name: str,
    language: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """What LANG holds, ROPE_REPORT_LANG takes, for reports and for help."""
    expected = said(capsys, "list", "--lang", language), said(capsys, "-h", "--lang", language)
    monkeypatch.setenv("ROPE_REPORT_LANG", name)
    assert (said(capsys, "list"), said(capsys, "-h")) == expected


def test_unknown_language_is_refused_in_english(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A language that there is not is refused, from either place, unless it is overruled."""
    assert refused(capsys, "list", "--lang", "xx") == '--lang is "xx"; accepted: en, ru'
    monkeypatch.setenv("ROPE_REPORT_LANG", "de_DE.UTF-8")
    expected = 'ROPE_REPORT_LANG is "de_DE.UTF-8"; accepted: en, ru'
    assert refused(capsys, "list") == expected
    assert said(capsys, "list", "--lang", "ru")
    assert said(capsys, "-h").startswith("Usage: ")


@pytest.mark.parametrize(
    "options", [["--lang", "ru"], ["--format=json"], ["--width", "60"], ["--ascii"]]
)
def test_option_before_the_command_is_the_commands_default(
    options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """An option may stand before the command or after it, and means the same."""
    after = said(capsys, "show", "direction", *options)
    assert said(capsys, *options, "show", "direction") == after
    assert after != said(capsys, "show", "direction")


def test_option_after_the_command_wins(capsys: pytest.CaptureFixture[str]) -> None:
    """Nearer to the command is stronger."""
    assert said(capsys, "--lang", "ru", "list", "--lang", "en") == said(capsys, "list")


def test_sections_come_once_in_the_order_given(capsys: pytest.CaptureFixture[str]) -> None:
    """Slugs and groups mix; a section named twice is shown once."""
    text = said(capsys, "show", "norms", "direction", "norms")
    assert text.count("[norms]") == text.count("[direction]") == 1
    assert text.index("[norms]") < text.index("[direction]")


def test_list_names_every_section(capsys: pytest.CaptureFixture[str]) -> None:
    """``list`` gives every slug, in both languages."""
    for language in LANGUAGES:
        listed = said(capsys, "list", "--lang", language)
        assert all(f" {slug}\n" in listed for slug in tracks.SLUGS)


# Help, version, completion


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_names_everything(
    command: str, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every command has help in both languages, at most 80 columns wide, with all its options."""
    words = command.split()
    page = said(capsys, *words, "-h", "--lang", language)
    assert page == said(capsys, *words, "--help", f"--lang={language}")
    assert max(map(len, page.splitlines())) <= 80
    known = rope_report.commands[command] if command else rope_report
    names = [name for param in options_of(known) for name in param.opts]
    assert {"-h", "--help", "--version", "--lang", "-o"} <= set(names)
    wanted = {
        "": COMMANDS,
        "show": (*tracks.GROUPS, *tracks.SLUGS),
        "completion": SHELLS,
    }
    for name in (*names, *wanted.get(command, ())):
        assert name in page
    if language == "ru":
        assert not {"Usage", "Options", "Commands"} & set(page.replace(":", "").split())


def test_help_names_every_format(capsys: pytest.CaptureFixture[str]) -> None:
    """Formats appear in help by themselves."""
    assert "|".join(FORMATS) in said(capsys, "-h")


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_version_is_answered_everywhere(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """--version answers alike everywhere, before anything else is looked at."""
    assert said(capsys, *command.split(), "--version") == f"rope-report {__version__}\n"


def completed(capsys: pytest.CaptureFixture[str], shell: str, line: str) -> list[str]:
    """What completion offers for the last word of a line."""
    words = line.split(" ")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("_ROPE_REPORT_COMPLETE", f"{shell}_complete")
        patch.setenv("COMP_WORDS", line)
        patch.setenv("COMP_CWORD", words[-1] if shell == "fish" else str(len(words) - 1))
        return said(capsys).split()


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("rope-report ", tuple(sorted(COMMANDS))),
        ("rope-report sh", ("show",)),
        ("rope-report show ", (*tracks.GROUPS, *tracks.SLUGS)),
        ("rope-report show norms dir", ("direction",)),
        ("rope-report show --lang ru norms dir", ("direction",)),
        ("rope-report completion ", SHELLS),
        ("rope-report --format ", FORMATS),
        ("rope-report list --lang ", LANGUAGES),
        ("rope-report list --q", ("--questions",)),
        ("rope-report --color ", COLORS),
        ("rope-report check --u", ("--update",)),
        ("rope-report verify --layout ", ("adjacent", "half-split")),
        ("rope-report verify --dtype bf", ("bfloat16",)),
        ("rope-report vectors --la", ("--layer-type", "--lang")),
        ("rope-report predict dir", ("direction",)),
        ("rope-report predict --handout ", ("questions", "answers")),
        ("rope-report mark --format ", (*FORMATS, "csv")),
        ("rope-report mark a.txt norms dir", ("direction",)),
        ("rope-report figure ", tracks.ILLUSTRATED),
        ("rope-report show --st", ("--step",)),
    ],
)
def test_completion_offers_what_fits(
    line: str, offered: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    """Commands, options, choices, slugs and groups are completed."""
    assert completed(capsys, "bash", line) == [f"plain,{name}" for name in offered]


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("rope-report -o x", "file"),
        ("rope-report check --golden-dir x", "dir"),
        ("rope-report scaling x", "file"),
        ("rope-report verify x", "file"),
        ("rope-report verify a.npy x", "file"),
        ("rope-report vectors --config x", "file"),
        ("rope-report mark x", "file"),
        ("rope-report figure bound -o x", "file"),
    ],
)
def test_completion_leaves_paths_to_the_shell(
    line: str, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where a file or a directory is meant, the shell's own completion takes over."""
    assert completed(capsys, "bash", line) == [f"{kind},x"]


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_completion_speaks_to_other_shells(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    """zsh and fish are answered in their own manner."""
    answer = completed(capsys, shell, "rope-report show ")
    assert all(any(slug in part for part in answer) for slug in tracks.SLUGS)


@pytest.mark.slow
def test_completion_works_in_bash(tmp_path: Path) -> None:
    """The script that ``completion bash`` prints completes a slug in a real bash."""
    wrapper = tmp_path / "rope-report"
    wrapper.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m rope_cli "$@"\n')
    wrapper.chmod(0o755)
    script = (
        'eval "$(rope-report completion bash)"; complete -p rope-report >/dev/null || exit 9;'
        "COMP_WORDS=(rope-report show visib); COMP_CWORD=2;"
        '_rope_report_completion rope-report; echo "${COMPREPLY[@]}"'
    )
    path = f"{tmp_path}:{os.environ['PATH']}"
    process = subprocess.run(
        ["bash", "-c", script],
        env={**os.environ, "PATH": path},
        capture_output=True,
        check=False,
        text=True,
    )
    assert (process.returncode, process.stdout, process.stderr) == (0, "visibility\n", "")


@pytest.mark.parametrize("request_", ["bash_source", "tcsh_complete", "bash", "\x07"])
def test_broken_completion_request_is_refused(
    request_: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A request that no script of ours sends is one line, not a traceback."""
    monkeypatch.setenv("_ROPE_REPORT_COMPLETE", request_)
    assert refused(capsys).startswith("_ROPE_REPORT_COMPLETE is ")


def test_completion_request_without_words_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """So is a request whose other variables are missing or wrong."""
    monkeypatch.setenv("_ROPE_REPORT_COMPLETE", "bash_complete")
    refused(capsys)
    monkeypatch.setenv("COMP_WORDS", "rope-report")
    monkeypatch.setenv("COMP_CWORD", "one")
    refused(capsys)


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ["-h"],
        ["--version"],
        ["show", "-h"],
        ["scaling", "-h"],
        ["verify", "-h"],
        ["verify", "--lang", "ru", "-h"],
        ["vectors", "-h"],
        ["check", "--help", "--lang", "ru"],
        ["completion", "bash"],
        ["completion", "zsh", "-o", "-"],
        ["completion", "fish"],
        ["nonsense"],
        ["show", "nonsense"],
        ["verify"],
        ["verify", "a.npz", "--layout", "x"],
        ["vectors", "nonsense"],
        ["predict", "-h"],
        ["mark", "-h", "--lang", "ru"],
        ["mark"],
        ["figure", "-h"],
        ["figure", "bound"],
        ["complete me"],
    ],
)
def test_help_version_and_completion_wait_for_nothing(words: list[str]) -> None:
    """numpy and rich are not imported where nothing is computed or drawn."""
    if words == ["complete me"]:
        environment = {
            "_ROPE_REPORT_COMPLETE": "bash_complete",
            "COMP_WORDS": "rope-report show ",
            "COMP_CWORD": "2",
        }
    else:
        environment = {}
    script = (
        "import sys\n"
        "from rope_cli.cli.main import main\n"
        "main(sys.argv[1:])\n"
        f"heavy = {{name for name in {HEAVY} if name in sys.modules}}\n"
        "sys.exit(f'imported: {heavy}' if heavy else 0)\n"
    )
    process = subprocess.run(
        [sys.executable, "-c", script, *words],
        env={**os.environ, **environment},
        capture_output=True,
        check=False,
        text=True,
    )
    assert process.returncode == 0, process.stderr


@pytest.mark.slow
def test_a_short_run_looks_for_no_cycles() -> None:
    """From its start on, nor once more at its end."""
    script = (
        "import gc, sys\n"
        "from rope_cli.__main__ import main\n"
        "main()\n"
        "sys.exit(not (gc.get_threshold()[0] >= 100_000 and gc.get_freeze_count() > 1000))\n"
    )
    process = subprocess.run(
        [sys.executable, "-c", script, "list"], capture_output=True, check=False, text=True
    )
    assert process.returncode == 0, process.stderr
