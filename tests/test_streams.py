"""Pipes, disks, encodings, colours and files: where the output goes and what it survives."""

import errno
import io
import os
import re
import stat
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from tools.checkout import ROOT
from tools.command import Run, run_command

from rope_cli.cli import streams
from rope_cli.cli.main import main
from rope_cli.document.blocks import Document, Verdict
from rope_cli.document.check import Check
from rope_cli.report import build as report
from rope_cli.report import golden
from rope_cli.text import LANGUAGES, Text
from rope_cli.user_input.command_errors import CannotWrite, InvalidWidth, OutputFailed
from rope_cli.user_input.files import write_file

# Terminals are those of Unix.
fcntl, pty, resource, termios = map(pytest.importorskip, ("fcntl", "pty", "resource", "termios"))

pytestmark = pytest.mark.slow

# It holds a base that nobody named.
DIFFERS = ROOT / "tests" / "data" / "rope-from-pytorch.npz"

COMMAND = f'"{sys.executable}" -W error -m rope_cli'
PRINTING = (
    "",
    "-h",
    "--version",
    "list",
    "check",
    "completion bash",
    "--format json",
)
CODE_PAGES = ("cp1251", "cp866", "koi8-r")
NUMBER = re.compile(r"-?[0-9]+\.[0-9]{6}")


def shell(line: str, env: dict[str, str] | None = None) -> "subprocess.CompletedProcess[bytes]":
    """Run a line of bash, ``rope-report`` in it being the command."""
    return subprocess.run(
        ["bash", "-c", line.replace("rope-report", COMMAND)],
        env={**os.environ, **(env or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=120,
    )


def one_line(output: bytes, encoding: str = "utf-8") -> str:
    """The single line of a complaint."""
    text = output.decode(encoding)
    assert text.startswith("rope-report: ")
    assert text.endswith("\n")
    assert text.count("\n") == 1
    return text


# Streams that do not take everything


@pytest.mark.parametrize("words", PRINTING)
def test_closed_pipe_ends_quietly(words: str) -> None:
    """``| head`` is no failure: nothing on stderr, and the exit code is the verdict's."""
    process = shell(f"rope-report {words} | :; echo ${{PIPESTATUS[0]}}")
    expected = b"1\n" if words == "check" and shell("rope-report check").returncode else b"0\n"
    assert (process.stdout, process.stderr) == (expected, b"")


def test_head_gets_its_line() -> None:
    """``rope-report | head -1`` prints one line."""
    process = shell("set -o pipefail; rope-report | head -1")
    assert (process.returncode, process.stdout.count(b"\n"), process.stderr) == (0, 1, b"")


def test_closed_pipe_keeps_the_verdict(tmp_path: Path) -> None:
    """A failed comparison stays exit code 1 when nobody reads it."""
    process = shell(f"rope-report check --golden-dir '{tmp_path}' | :; echo ${{PIPESTATUS[0]}}")
    assert (process.stdout, process.stderr) == (b"1\n", b"")


@pytest.mark.parametrize("words", PRINTING)
def test_full_disk_is_one_line(words: str) -> None:
    """A stream that takes nothing is one line and exit code 2, for every command."""
    process = shell(f"rope-report {words} >/dev/full")
    assert process.returncode == 2
    assert "no space is left" in one_line(process.stderr)


@pytest.mark.parametrize("words", PRINTING)
def test_closed_output_is_one_line(words: str) -> None:
    """So is a standard output that was closed, or is open for reading only."""
    for redirection in (">&-", "1</dev/null"):
        process = shell(f"rope-report {words} {redirection}")
        assert process.returncode == 2
        assert "standard output" in one_line(process.stderr)


@pytest.mark.parametrize("redirection", ["2>&-", "2>/dev/full", "2>/dev/full >&-", "2>&- >&-"])
def test_complaint_that_cannot_be_printed_is_dropped(redirection: str) -> None:
    """A closed or full standard error changes neither the exit code nor standard output."""
    for words, code in (("nonsense", 2), ("show nonsense", 2), (">/dev/full", 2)):
        process = shell(f"rope-report {words} {redirection}")
        assert (process.returncode, process.stdout, process.stderr) == (code, b"", b"")


def test_closed_error_stream_disturbs_no_report(run: Run) -> None:
    """The report is printed all the same."""
    assert shell("rope-report 2>&-").stdout == run().stdout


def test_file_needs_no_output(tmp_path: Path) -> None:
    """With -o FILE a closed standard output is never asked for."""
    path = tmp_path / "report.txt"
    process = shell(f"rope-report -o '{path}' >&-")
    assert (process.returncode, process.stderr) == (0, b"")
    assert path.read_bytes() == shell("rope-report").stdout


LONG_TEXT = "".join(f"line {number}\n" for number in range(100_000))


@contextmanager
def standard_output(descriptor: int, monkeypatch: pytest.MonkeyPatch, raw: bool) -> Iterator[None]:
    """Let standard output be this descriptor, unbuffered as under PYTHONUNBUFFERED or not."""
    binary: Any = open(descriptor, "wb", buffering=0 if raw else -1)  # noqa: SIM115
    stream = io.TextIOWrapper(binary, encoding="utf-8", newline="\n", write_through=raw)
    with monkeypatch.context() as patch, stream:
        patch.setattr("sys.stdout", stream)
        yield


@pytest.mark.parametrize("raw", [False, True])
@pytest.mark.parametrize("blocking", [False, True])
def test_slow_reader_gets_everything(
    raw: bool, blocking: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pipe that is full for a while, and need not block, gets the whole text."""
    reading, writing = os.pipe()
    os.set_blocking(writing, blocking)
    parts: list[bytes] = []

    def read_slowly() -> None:
        time.sleep(0.1)
        while part := os.read(reading, 50_000):
            parts.append(part)
            time.sleep(0.001)

    reader = Thread(target=read_slowly)
    reader.start()
    with standard_output(writing, monkeypatch, raw):
        streams.write(lambda ascii_only: LONG_TEXT)
    reader.join(60)
    os.close(reading)
    assert b"".join(parts).decode() == LONG_TEXT


class TakesParts(io.RawIOBase):
    """A stream as a pipe is when its reader is stopped and goes on: it takes what it likes."""

    def __init__(self) -> None:
        self.taken = bytearray()

    def writable(self) -> bool:
        """Yes."""
        return True

    def write(self, data: Any) -> int:
        """Take at most 65,536 bytes."""
        part = bytes(data[:65_536])
        self.taken += part
        return len(part)


@pytest.mark.parametrize("name", ["stdout", "stderr"])
def test_stream_that_takes_parts_gets_everything(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The number of bytes that were taken is looked at, for texts and for complaints."""
    parts: Any = TakesParts()
    stream = io.TextIOWrapper(parts, encoding="utf-8", write_through=True)
    with monkeypatch.context() as patch:
        patch.setattr(f"sys.{name}", stream)
        if name == "stdout":
            streams.write(lambda ascii_only: LONG_TEXT)
        else:
            streams.print_error(InvalidWidth(value=LONG_TEXT, least=1, most=2), "en")
    assert LONG_TEXT in parts.taken.decode()


@pytest.mark.parametrize("raw", [False, True])
def test_file_that_grows_too_large_is_refused(
    raw: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A limit that is met halfway (``ulimit -f``, a disk that fills) is no success."""
    descriptor = os.open(tmp_path / "out", os.O_WRONLY | os.O_CREAT)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    with standard_output(descriptor, monkeypatch, raw):
        resource.setrlimit(resource.RLIMIT_FSIZE, (65_536, before[1]))
        try:
            with pytest.raises(OutputFailed, match="too large"):
                streams.write(lambda ascii_only: LONG_TEXT)
            with pytest.raises(CannotWrite, match="too large"):
                write_file(str(tmp_path / "file"), LONG_TEXT.encode())
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        assert os.listdir(tmp_path) == ["out"]


# Encodings


@cache
def in_utf8(*words: str) -> str:
    """What a stream with all signs gets."""
    return run_command(*words).stdout.decode()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("encoding", [*CODE_PAGES, "latin-1", "ascii"])
@pytest.mark.parametrize("words", ["", "-h", "--format json"])
def test_code_page_prints_what_it_can(words: str, encoding: str, language: str, run: Run) -> None:
    """Signs become ASCII by themselves and no number changes; or one line says what cannot be."""
    given = (*words.split(), "--lang", language)
    process = run(*given, env={"PYTHONIOENCODING": encoding})
    # cp866 and koi8-r have rules and a few signs, so that a text without others stays as it is.
    printable = language == "en" or encoding in CODE_PAGES or "json" in words
    if printable:
        text = process.stdout.decode(encoding)
        whole = in_utf8(*given)
        assert (process.returncode, process.stderr) == (0, b"")
        assert NUMBER.findall(text) == NUMBER.findall(whole)
        assert text == whole or not re.search(r"[^\x00-\x7fа-яёА-ЯЁ]", text)
        assert text.count("\ufffd") == text.count("?") - whole.count("?") == 0
        if language == "ru" and "json" not in words:
            assert re.search("[а-яё]{5}", text)
    else:
        assert (process.returncode, process.stdout) == (2, b"")
        line = one_line(process.stderr, encoding)
        assert re.search("iso8859-1|latin-1|ascii", line)
        assert "--lang en" in line


@pytest.mark.parametrize("language", LANGUAGES)
def test_ascii_by_hand_is_ascii_by_need(language: str, run: Run) -> None:
    """--ascii prints what a stream without the signs gets."""
    asked = run("--ascii", "--lang", language).stdout.decode()
    needed = run("--lang", language, env={"PYTHONIOENCODING": "cp866"}).stdout.decode("cp866")
    assert asked == needed


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("words", ["show norms", "show norms --format json", "vectors"])
def test_byte_order_is_marked_once(words: str, encoding: str, run: Run) -> None:
    """An encoding with a mark at its beginning has it nowhere else, also where parts are joined."""
    process = run(*words.split(), env={"PYTHONIOENCODING": encoding})
    assert process.stdout.decode(encoding) == run(*words.split()).stdout.decode()


def test_error_handler_that_was_asked_for_is_used(run: Run) -> None:
    """Who sets PYTHONIOENCODING=ascii:replace gets the report with question marks."""
    process = run("list", "--lang", "ru", env={"PYTHONIOENCODING": "ascii:replace"})
    assert (process.returncode, process.stderr) == (0, b"")
    assert b"????" in process.stdout


@pytest.mark.parametrize("encoding", [*CODE_PAGES, "utf-8", "latin-1", "ascii"])
def test_complaint_suits_its_stream(encoding: str, run: Run) -> None:
    """A complaint is Russian where it can be, English elsewhere, and one line everywhere."""
    process = run("--lang", "ru", "nonsense", env={"PYTHONIOENCODING": encoding})
    line = one_line(process.stderr, encoding)
    assert ("нет команды" in line) == (encoding in (*CODE_PAGES, "utf-8"))
    assert ("no command" in line) == (encoding in ("latin-1", "ascii"))


def test_complaint_about_letters_suits_its_stream(run: Run) -> None:
    """A value that the stream cannot show is escaped."""
    process = run("show", "направление", env={"PYTHONIOENCODING": "ascii"})
    assert r"\u043d\u0430" in one_line(process.stderr, "ascii")


# Width and colour


@pytest.mark.parametrize("language", LANGUAGES)
def test_text_is_80_columns_whatever_surrounds_it(language: str, run: Run) -> None:
    """COLUMNS, TERM and the locale change no byte, and no line is wider than 80 columns."""
    plain = run("--lang", language)
    assert max(map(len, plain.stdout.decode().splitlines())) <= 80
    surroundings = {"COLUMNS": "20", "LINES": "5", "TERM": "dumb", "LC_ALL": "C", "PYTHONUTF8": "1"}
    assert run("--lang", language, env=surroundings).stdout == plain.stdout


def in_terminal(
    columns: int,
    *words: str,
    env: dict[str, str] | None = None,
    lines: int = 24,
    code: int = 0,
) -> str:
    """What a process prints into a terminal of so many columns and lines."""
    outer, inner = pty.openpty()
    fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
    with subprocess.Popen(
        [sys.executable, "-m", "rope_cli", *words],
        stdout=inner,
        stdin=subprocess.DEVNULL,
        env={**os.environ, **(env or {})},
    ) as process:
        os.close(inner)
        parts = []
        while True:
            try:
                parts.append(os.read(outer, 65536))
            except OSError:  # the other end is closed
                break
    os.close(outer)
    assert process.returncode == code
    return b"".join(parts).decode().replace("\r\n", "\n")


def test_terminal_has_its_colours_and_80_columns(run: Run) -> None:
    """A terminal gets colour and 80 columns; without the colours it is the text of a pipe."""
    text = in_terminal(132)
    assert "\x1b[" in text
    assert re.sub(r"\x1b\[[0-9;]*m", "", text).encode() == run().stdout


def test_auto_width_is_the_terminals(run: Run) -> None:
    """--width auto follows the terminal within the bounds, and is 80 elsewhere."""
    for columns, width in ((100, 100), (20, 40), (0, 80), (2000, 1000)):
        text = in_terminal(columns, "show", "norms", "--width=auto", "--color=never")
        assert text.encode() == run("show", "norms", f"--width={width}").stdout
    assert run("show", "norms", "--width=auto").stdout == run("show", "norms").stdout


@pytest.mark.parametrize("words", [["-h"], ["show", "-h", "--lang", "ru"], ["verify", "-h"]])
def test_help_fits_the_terminal_and_the_width(words: list[str], run: Run) -> None:
    """Help is as narrow as reports are, in a terminal and by --width on either side of -h."""
    for columns in (40, 60, 80):
        page = run(*words, "--width", str(columns)).stdout
        assert page == run(f"--width={columns}", *words).stdout
        lines = page.decode().splitlines()
        assert columns - 12 < max(map(len, lines)) < columns
        assert in_terminal(columns, *words).encode() == page
    assert run(*words).stdout == page


def test_narrow_terminal_gives_its_width(run: Run) -> None:
    """A terminal narrower than 80 columns is not overrun; files, pipes and --width stay as ever."""
    words = ("show", "norms", "--color=never")
    for columns, width in ((60, 60), (20, 40), (79, 79), (80, 80), (200, 80)):
        assert in_terminal(columns, *words).encode() == run(*words, f"--width={width}").stdout
    assert in_terminal(60, *words, "--width", "100").encode() == run(*words, "--width=100").stdout
    # Standard error and standard input may be a terminal where the output is a pipe.
    outer, inner = pty.openpty()
    fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 60, 0, 0))
    assert run(*words, stderr=inner).stdout == run(*words).stdout
    os.close(outer)
    os.close(inner)


# The pager

LINES_MARKED = "sed 's/^/paged: /'"


@pytest.mark.parametrize(
    ("words", "env", "paged"),
    [
        (["show", "norms"], {}, True),
        (["show", "norms", "--format=markdown"], {}, True),
        (["scaling", str(ROOT / "tests" / "data" / "llama-3.1-8b.json")], {}, True),
        (["predict", "--handout", "questions"], {}, True),
        (["-h"], {}, True),
        (["verify", "--help", "--lang", "ru"], {}, True),
        (["verify", "--help", "--no-pager"], {}, False),
        (["--version"], {}, False),
        # Written for programs, shorter than the screen, or not wanted.
        (["show", "norms", "--format=json"], {}, False),
        (["show", "norms", "--format=html"], {}, False),
        (["vectors"], {}, False),
        (["completion", "bash"], {}, False),
        (["show", "norms", "--no-pager"], {}, False),
        (["--no-pager", "show", "norms"], {}, False),
        (["show", "norms"], {"PAGER": ""}, False),
        (["show", "norms"], {"PAGER": " cat "}, False),
        (["show", "norms"], {"TERM": "dumb"}, False),
        (["show", "norms"], {"PAGER": "no-such-pager -x"}, False),
        (["show", "norms"], {"PAGER": "sed 's"}, False),
    ],
)
def test_long_output_is_paged(words: list[str], env: dict[str, str], paged: bool) -> None:
    """PAGER gets what is longer than the screen of a terminal, colours and all, or nothing."""
    text = in_terminal(80, *words, env={"PAGER": LINES_MARKED, **env})
    assert ("paged: " in text) == paged
    plain = in_terminal(80, *words, env=env | {"PAGER": "cat"})
    assert text.replace("paged: ", "") == plain


def test_short_output_is_not_paged() -> None:
    """What fits on the screen above a prompt is printed; a line more, and it is paged."""
    lines = in_terminal(80, "show", "norms").count("\n")
    for height, paged in ((lines + 1, False), (lines, True), (0, True)):
        text = in_terminal(80, "show", "norms", env={"PAGER": LINES_MARKED}, lines=height)
        assert ("paged: " in text) == paged
    # Wider than the terminal, each line takes several rows.
    wide = ("show", "norms", "--width", "200")
    text = in_terminal(20, *wide, env={"PAGER": LINES_MARKED}, lines=lines + 20)
    assert "paged: " in text


def test_nothing_but_a_terminal_is_paged(tmp_path: Path, run: Run) -> None:
    """A pipe and a file get the text itself, whatever PAGER is."""
    env = {"PAGER": LINES_MARKED}
    path = tmp_path / "report.txt"
    assert run("show", "norms", env=env).stdout == run("show", "norms").stdout
    assert in_terminal(80, "show", "norms", "-o", str(path), env=env) == ""
    assert path.read_bytes() == run("show", "norms").stdout


@pytest.mark.parametrize("pager", ["true", "head -1", "sh -c 'exit 3'", "cat >/dev/null; false"])
def test_leaving_the_pager_is_no_error(pager: str) -> None:
    """A pager that ends early or fails changes neither the exit code nor standard error."""
    command = ["show", "all"]
    text = in_terminal(80, *command, env={"PAGER": pager})
    assert text.count("\n") == (1 if "head" in pager else 0)
    # A failed comparison stays exit code 1.
    in_terminal(80, "verify", str(DIFFERS), env={"PAGER": pager}, code=1)


def test_text_is_printed_where_the_pager_cannot_start() -> None:
    """A program that only the shell of the pager misses, or may not run, loses no text."""
    plain = in_terminal(80, "show", "norms", env={"PAGER": "cat"})
    for pager in ("env no-such-pager", "env /", "cat | no-such-pager"):
        assert in_terminal(80, "show", "norms", env={"PAGER": pager}) == plain


def test_less_gets_its_options() -> None:
    """Less leaves if all fits, keeps colours and the text; LESS of the user's own stays."""
    shown = "printf '%s\\n' \"$LESS $LESSCHARSET\"; true"
    assert in_terminal(80, "show", "norms", env={"PAGER": shown}) == "FRX utf-8\n"
    env = {"PAGER": shown, "LESS": "-S", "LESSCHARSET": "koi8-r"}
    assert in_terminal(80, "show", "norms", env=env) == "-S koi8-r\n"
    env = {"PAGER": shown, "PYTHONIOENCODING": "cp1251"}
    assert in_terminal(80, "show", "norms", env=env) == "FRX \n"


def test_interrupt_is_left_to_the_pager() -> None:
    """Ctrl-C while the pager shows the text does not end the command before it."""
    pager = "kill -INT $PPID; cat >/dev/null; echo done"
    assert in_terminal(80, "show", "norms", env={"PAGER": pager}) == "done\n"


@pytest.mark.parametrize(
    ("options", "env", "colored"),
    [
        ([], {}, False),
        ([], {"FORCE_COLOR": "1"}, True),
        ([], {"FORCE_COLOR": "3", "TERM": "dumb"}, True),
        ([], {"FORCE_COLOR": ""}, False),
        ([], {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ([], {"FORCE_COLOR": "1", "NO_COLOR": ""}, True),
        (["--color=always"], {"NO_COLOR": "1", "TERM": "dumb"}, True),
        (["--color=never"], {"FORCE_COLOR": "1"}, False),
        (["--color=auto"], {"FORCE_COLOR": "1"}, True),
        (["--color=always", "--format=json"], {}, False),
    ],
)
def test_colour_in_a_pipe(options: list[str], env: dict[str, str], colored: bool, run: Run) -> None:
    """A pipe has no colours unless they are asked for; NO_COLOR beats FORCE_COLOR."""
    assert (b"\x1b[" in run("show", "norms", *options, env=env).stdout) == colored


@pytest.mark.parametrize(
    ("env", "expected"),
    [
        ({"TERM": "xterm-256color", "COLORTERM": ""}, b"\x1b[38;5;33m"),
        ({"TERM": "xterm", "COLORTERM": "truecolor"}, b"\x1b[38;5;33m"),
        ({"TERM": "dumb", "COLORTERM": ""}, b"\x1b[38;5;33m"),
        ({"TERM": "xterm", "COLORTERM": ""}, b"\x1b[94m"),
        ({"TERM": "linux", "COLORTERM": ""}, b"\x1b[94m"),
    ],
)
def test_as_many_colours_as_the_terminal_has(
    env: dict[str, str], expected: bytes, run: Run
) -> None:
    """TERM and COLORTERM choose between 256 and 16 colours; without a terminal there are 256."""
    assert expected in run("show", "frequencies", "--color=always", env=env).stdout


@pytest.mark.parametrize(
    ("options", "env", "colored"),
    [
        ([], {}, True),
        ([], {"TERM": "dumb"}, False),
        ([], {"NO_COLOR": "1"}, False),
        ([], {"NO_COLOR": ""}, True),
        (["--color=never"], {"FORCE_COLOR": "1"}, False),
    ],
)
def test_colour_in_a_terminal(options: list[str], env: dict[str, str], colored: bool) -> None:
    """A terminal has colours unless it is dumb or they are not wanted."""
    assert ("\x1b[" in in_terminal(80, "show", "norms", *options, env=env)) == colored


def test_file_has_colours_only_when_always(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No surroundings put colours into a file."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    path = tmp_path / "report.txt"
    for options, colored in (([], False), (["--color=auto"], False), (["--color=always"], True)):
        assert main(["show", "norms", "-o", str(path), *options]) == 0
        assert (b"\x1b[" in path.read_bytes()) == colored


# -o FILE


@pytest.mark.parametrize(
    "words",
    [["show", "norms"], ["list", "--lang", "ru"], ["completion", "zsh"], ["--format", "json"]],
)
def test_file_holds_what_a_pipe_gets(
    words: list[str], tmp_path: Path, run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    """-o FILE writes UTF-8 with LF, the bytes of standard output, and prints nothing."""
    path = tmp_path / "отчёт.txt"
    assert main([*words, "-o", str(path)]) == 0
    assert capsys.readouterr() == ("", "")
    assert path.read_bytes() == run(*words).stdout
    assert b"\r" not in path.read_bytes()


def test_file_is_utf8_under_any_encoding(tmp_path: Path, run: Run) -> None:
    """The encoding of the terminal does not reach a file."""
    path = tmp_path / "report.txt"
    env = {"PYTHONIOENCODING": "ascii", "LC_ALL": "C"}
    assert run("--lang", "ru", "-o", str(path), env=env).returncode == 0
    assert path.read_bytes() == run("--lang", "ru").stdout


def test_dash_is_standard_output(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """``-o -`` prints, also when the option before the command said otherwise."""
    assert main(["-o", str(tmp_path / "unused"), "list", "-o", "-"]) == 0
    assert " norms\n" in capsys.readouterr().out
    assert list(tmp_path.iterdir()) == []


def test_new_file_follows_the_umask(tmp_path: Path) -> None:
    """A new file has the permissions that the process gives to new files."""
    before = os.umask(0o027)
    try:
        assert main(["list", "-o", str(tmp_path / "new")]) == 0
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o640


def test_old_file_keeps_its_permissions(tmp_path: Path) -> None:
    """A file that is there keeps its permissions and is replaced as a whole."""
    path = tmp_path / "old"
    path.write_text("x" * 1_000_000)
    path.chmod(0o604)
    assert main(["list", "-o", str(path)]) == 0
    assert stat.S_IMODE(path.stat().st_mode) == 0o604
    assert path.stat().st_size < 100_000
    assert [each.name for each in tmp_path.iterdir()] == ["old"]


@pytest.mark.parametrize("there", [True, False])
def test_symbolic_link_is_followed(there: bool, tmp_path: Path) -> None:
    """A link stays a link; the file it points to is written, in its own directory."""
    target = tmp_path / "elsewhere" / "report.txt"
    target.parent.mkdir()
    if there:
        target.write_text("old")
    link = tmp_path / "link"
    link.symlink_to(Path("elsewhere", "report.txt"))
    assert main(["list", "-o", str(link)]) == 0
    assert link.is_symlink()
    assert " norms\n" in target.read_text("utf-8")
    assert [each.name for each in target.parent.iterdir()] == ["report.txt"]


def test_device_is_written_directly() -> None:
    """A device stays what it is, and gets the report."""
    # A terminal of our own: /dev/null is not for a test to replace, should the command be wrong.
    outer, inner = pty.openpty()
    device = os.ttyname(inner)
    kind = os.stat(device).st_rdev
    assert main(["completion", "fish", "-o", device]) == 0
    assert os.read(outer, 40).startswith(b"function")
    assert os.stat(device).st_rdev == kind
    os.close(outer)
    os.close(inner)


def test_open_file_gets_the_text_behind_what_it_holds(tmp_path: Path) -> None:
    """``-o /dev/stdout >> log`` appends, through links too, and names no deleted file."""
    os.symlink("/dev/stdout", tmp_path / "link")
    text = shell("rope-report completion fish").stdout
    for line in (
        "rope-report completion fish -o /dev/stdout >> log",
        "rope-report completion fish -o /dev/fd/3 3>> log",
        "rope-report completion fish -o /dev/stderr 2>> log",
        "rope-report completion fish -o link >> log",
        "exec 7>> log; rm log; rope-report completion fish -o /dev/fd/7; cat /dev/fd/7 > log",
        "exec 7>> log; rope-report completion fish -o /proc/$$/fd/7; true",
    ):
        (tmp_path / "log").write_bytes(b"old\n")
        process = shell(f"cd '{tmp_path}'; {line}")
        assert (process.returncode, process.stderr) == (0, b"")
        assert (tmp_path / "log").read_bytes() == b"old\n" + text
        assert sorted(os.listdir(tmp_path)) == ["link", "log"]


@pytest.mark.parametrize(
    ("words", "name"),
    [
        (["scaling", "model.json"], "model.json"),
        (["scaling", "link.json"], "model.json"),
        (["scaling", "model.json"], "link.json"),
        (["vectors", "--config", "model.json"], "hard.json"),
        (["show", "norms", "--query", "model.json"], "model.json"),
        (["verify", "a.npz", "model.json"], "model.json"),
        (["mark", "students"], "students/a.txt"),
        (["mark", "students/a.txt"], "students/a.txt"),
        (["check", "--golden-dir", "students"], "students/a.txt"),
    ],
)
def test_input_is_no_output(
    words: list[str],
    name: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Whatever name it goes by, a file that is read is not written over."""
    monkeypatch.chdir(tmp_path)
    Path("students").mkdir()
    Path("students", "a.txt").write_text("norms-1: 3")
    Path("model.json").write_text("{}")
    Path("hard.json").hardlink_to("model.json")
    Path("link.json").symlink_to("model.json")
    for language, expected in (("en", "which this command reads"), ("ru", "эта же команда")):
        assert main([*words, "-o", name, "--lang", language]) == 2
        line = one_line(capsys.readouterr().err.encode())
        assert f'"{name}"' in line
        assert expected in line
    assert (Path("model.json").read_text(), Path("students", "a.txt").read_text()) == (
        "{}",
        "norms-1: 3",
    )


def test_golden_files_are_no_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Neither is a golden file of the directory that check finds by itself."""
    (tmp_path / "pyproject.toml").write_text('name = "rope-report"')
    (tmp_path / "golden").mkdir()
    (tmp_path / "golden" / "norms.en.txt").write_text("old")
    monkeypatch.setattr(golden, "PACKAGE", tmp_path / "rope_cli")
    assert main(["check", "-o", str(tmp_path / "golden" / "norms.en.txt")]) == 2
    assert "which this command reads" in one_line(capsys.readouterr().err.encode())
    assert (tmp_path / "golden" / "norms.en.txt").read_text() == "old"


def test_file_that_is_being_written_is_no_orphan(tmp_path: Path) -> None:
    """The temporary file of another process is none of the golden files."""
    (tmp_path / ".rope-report-0123456789abcdef").touch()
    (tmp_path / ".rope-report-notes").touch()
    directory = golden.Directory(tmp_path, golden.Source.GIVEN)
    assert [case.name for case in golden.compare(directory, {})] == [".rope-report-notes"]


SIGNALLED = """
import os, signal, sys
from rope_cli.__main__ import main
real = os.replace
for name in ("SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT", "SIGUSR1", "SIGALRM"):
    number = getattr(signal, name)
    def replace(*paths):
        os.kill(os.getpid(), number)
        real(*paths)
    os.replace = replace
    child = os.fork()
    if not child:
        # However the tests were started: nohup ignores SIGHUP, and a shell's "&" SIGINT.
        default = signal.default_int_handler if name == "SIGINT" else signal.SIG_DFL
        signal.signal(number, default)
        sys.argv[1:] = ["completion", "fish", "-o", name]
        os._exit(main())
    print(name, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), *sorted(os.listdir()))
    os.unlink(name)
"""


def test_signal_leaves_no_temporary_file(tmp_path: Path) -> None:
    """Whatever ends the process while it writes does so when the file is there."""
    process = subprocess.run(
        [sys.executable, "-c", SIGNALLED], cwd=tmp_path, capture_output=True, check=False
    )
    ends = {"SIGTERM": -15, "SIGHUP": -1, "SIGINT": 130, "SIGQUIT": -3, "SIGUSR1": -10}
    expected = [f"{name} {code} {name}" for name, code in {**ends, "SIGALRM": -14}.items()]
    assert process.stdout.decode().splitlines() == expected
    assert process.stderr == b""


def test_full_device_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A device that takes nothing is refused by its name."""
    outer, inner = pty.openpty()

    def full(*given: object) -> int:
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(os, "write", full)
    code = main(["list", "-o", os.ttyname(inner)])
    monkeypatch.undo()
    assert code == 2
    line = one_line(capsys.readouterr().err.encode())
    assert f'"{os.ttyname(inner)}" cannot be written: no space is left' in line
    os.close(outer)
    os.close(inner)


def test_named_pipe_is_written_directly(tmp_path: Path, run: Run) -> None:
    """A reader of a named pipe gets the report, and the pipe is still there."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    process = shell(
        f"timeout 60 cat '{pipe}' & rope-report list -o '{pipe}'; code=$?; wait; exit $code"
    )
    assert (process.returncode, process.stdout) == (0, run("list").stdout)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_named_pipe_may_be_closed_by_its_reader(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A reader who leaves is no more an error than ``| head`` is."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    real = os.write

    def write(descriptor: int, data: bytes) -> int:
        os.close(reader)
        return real(descriptor, data)

    monkeypatch.setattr(os, "write", write)
    code = main(["list", "-o", str(pipe)])
    monkeypatch.undo()
    assert code == 0
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("", "no such file or directory"),
        ("directory", "it is a directory"),
        ("directory/", "it is a directory"),
        ("missing/", "it is a directory"),
        ("missing/report.txt", "no such file or directory"),
        ("file/report.txt", "it is not a directory"),
        ("loop", "its symbolic links form a loop"),
        ("x" * 300, "the name is too long"),
        ("a\0b", "no file can have this name"),
        ("\ud800", "no file can have this name"),
        (".", "it is a directory"),
    ],
)
def test_impossible_file_is_refused(
    name: str,
    reason: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """One line says why; nothing is written, left behind or changed."""
    monkeypatch.chdir(tmp_path)
    Path("directory").mkdir()
    Path("file").write_text("old")
    Path("loop").symlink_to("loop")
    assert main(["list", "-o", name]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert f"cannot be written: {reason}; accepted: " in one_line(err.encode())
    assert sorted(os.listdir()) == ["directory", "file", "loop"]
    assert os.listdir("directory") == []
    assert Path("file").read_text() == "old"


@pytest.mark.parametrize("moment", ["write", "replace"])
@pytest.mark.parametrize("failure", [OSError(errno.ENOSPC, "full"), KeyboardInterrupt()])
def test_failure_leaves_the_old_file(
    moment: str,
    failure: BaseException,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Whatever happens halfway, the old file is there as it was, and nothing else."""
    path = tmp_path / "report.txt"
    path.write_text("old")
    real = os.write

    def fails(*given: object) -> int:
        if moment == "write" and fails.__dict__.setdefault("once", True):
            fails.__dict__["once"] = False
            return real(given[0], given[1][:10])  # type: ignore[index,arg-type]
        raise failure

    monkeypatch.setattr(os, moment, fails)
    code = main(["list", "-o", str(path)])
    monkeypatch.undo()
    assert code == (130 if isinstance(failure, KeyboardInterrupt) else 2)
    assert path.read_text() == "old"
    assert [each.name for each in tmp_path.iterdir()] == ["report.txt"]
    assert capsys.readouterr().err.count("\n") == (code == 2)


def test_failed_check_is_written_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A report that fails goes to the file and still exits 1."""
    real = report.build
    failed = Verdict(Check("never-holds", 2.0, 1.0, 1), Text(en="it fails", ru="не выполнено"))

    def build(names: list[str], asked: Any = None) -> Document:
        document = real(names, asked)
        return Document(document.opening, document.sections, document.closing, (failed,))

    monkeypatch.setattr(report, "build", build)
    path = tmp_path / "report.txt"
    assert main(["show", "norms", "-o", str(path)]) == 1
    assert "[norms]" in path.read_text("utf-8")


@pytest.mark.parametrize("encoding", ["idna", "idna:replace"])
@pytest.mark.parametrize("words", ["show one-pair", "-h", "nonsense"])
def test_codec_that_is_for_something_else_is_refused(encoding: str, words: str, run: Run) -> None:
    """A codec for names of hosts knows no error handlers, and fails in a way of its own."""
    process = run(*words.split(), env={"PYTHONIOENCODING": encoding})
    assert (process.returncode, process.stdout) == (2, b"")
    line = one_line(process.stderr, "ascii")
    assert ("idna lacks letters" in line) == (words != "nonsense")
