"""The classroom by its commands: predict at a terminal and elsewhere, mark, figure, steps, page."""

import codecs
import csv
import io
import itertools
import json
import os
import re
import select
import shlex
import shutil
import struct
import subprocess
import sys
import time
from html.parser import HTMLParser
from pathlib import Path

import pytest
from tools.checkout import ROOT
from tools.command import Run
from tools.computed_once import everything_computed_once

from rope_cli.classroom.questions import questions_with
from rope_cli.cli import streams
from rope_cli.cli.main import main
from rope_cli.document import formatting
from rope_cli.renderers import FORMATS
from rope_cli.report import figure, golden
from rope_cli.report.tracks import GROUPS, ILLUSTRATED, SLUGS
from rope_cli.text import LANGUAGES
from rope_cli.user_input import command_errors

# Terminals are those of Unix.
fcntl, pty, termios = map(pytest.importorskip, ("fcntl", "pty", "termios"))

ANSWERS = ROOT / "tests" / "data" / "answers"
TYPING = {"en": "q quit:", "ru": "q — выход:"}
SCORE = {"en": "Right: ", "ru": "Верно: "}


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
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
    assert err.count("\n") == 1
    return err.removeprefix("rope-report: ").rstrip("\n")


def right_answers(*slugs: str) -> list[str]:
    """What to type to be right everywhere."""
    return [f"{question.answer:.9g}" for question in questions_with(None, slugs)]


# At a terminal


class Terminal:
    """The command at a pseudo-terminal of a size."""

    def __init__(self, *words: str, size: tuple[int, int] = (80, 24), **env: str) -> None:
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
        self.seen = ""
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self.process = subprocess.Popen(
            [sys.executable, "-W", "error", "-m", "rope_cli", *words],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env={**os.environ, **env},
            start_new_session=True,
            # Ctrl-C reaches the process only from the terminal that controls it.
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.close(slave)

    def until(self, words: str, seconds: float = 30) -> str:
        """Everything printed up to these words, which must come."""
        start, end = len(self.seen), time.monotonic() + seconds
        while words not in self.seen[start:]:
            assert time.monotonic() < end, f"{words!r} did not come: {self.seen[start:]!r}"
            if not self.read(0.2) and self.process.poll() is not None:
                break
        assert words in self.seen[start:], self.seen[start:]
        return self.seen[start:]

    def read(self, seconds: float) -> bool:
        """Take what there is; whether there was anything."""
        if not select.select([self.master], [], [], seconds)[0]:
            return False
        try:
            data = os.read(self.master, 65536)
        except OSError:  # the other end is closed
            return False
        # A read may end inside a character or between the two signs that end a line.
        self.seen = (self.seen + self.decoder.decode(data)).replace("\r\n", "\n")
        return bool(data)

    def type(self, text: str) -> None:
        """Press keys."""
        os.write(self.master, text.encode())

    def interrupted(self) -> int:
        """The exit code after Ctrl-C, pressed again if it falls between two system calls."""
        for _ in range(5):
            self.type("\x03")
            end = time.monotonic() + 5
            while self.process.poll() is None and time.monotonic() < end:
                self.read(0.2)
            if self.process.poll() is not None:
                break
        return self.ended()

    def ended(self, seconds: float = 60) -> int:
        """The exit code, once all is read."""
        end = time.monotonic() + seconds
        while self.read(0.5) or self.process.poll() is None:
            assert time.monotonic() < end, f"it does not end: {self.seen[-400:]!r}"
        os.close(self.master)
        return self.process.wait(timeout=10)


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_predict_goes_from_start_to_end(language: str) -> None:
    """Every answer right, Enter after each reveal, the score last, exit code 0."""
    answers = right_answers("one-pair")
    terminal = Terminal("predict", "one-pair", "--lang", language)
    for answer in answers:
        terminal.until(TYPING[language])
        terminal.type(answer + "\n")
        terminal.until(TYPING[language])
        terminal.type("\n")
    assert "Traceback" not in terminal.seen
    assert terminal.ended() == 0
    assert f"{SCORE[language]}{len(answers)} " in terminal.seen
    assert "one-pair 3/3" in terminal.seen


@pytest.mark.slow
@pytest.mark.parametrize(("key", "code"), [("\x03", 130), ("\x04", 0)], ids=["Ctrl-C", "Ctrl-D"])
def test_leaving_early_ends_with_the_score(key: str, code: int) -> None:
    """Ctrl-C is the house's 130, the end of the input 0; both print the score and nothing else."""
    terminal = Terminal("predict", "norms", "direction")
    terminal.until(TYPING["en"])
    terminal.type("2,41\n")
    terminal.until(TYPING["en"])
    terminal.type(key)
    assert terminal.ended() == code
    assert "Right: 1 of 1 answered; questions left: " in terminal.seen
    assert "Traceback" not in terminal.seen


@pytest.mark.slow
def test_predict_of_a_seed_asks_other_numbers() -> None:
    """--seed reaches the dialogue, and q leaves it."""
    terminal = Terminal("predict", "norms", "--seed", "7")
    shown = terminal.until(TYPING["en"])
    terminal.type("q\n")
    assert terminal.ended() == 0
    assert "[1, 2, -0.5, 0.75]" not in shown


@pytest.mark.slow
def test_terminal_without_signs_gets_ascii() -> None:
    """Where the terminal cannot encode a rule, screens are laid out in ASCII from the start."""
    terminal = Terminal("predict", "frequencies", PYTHONIOENCODING="ascii")
    shown = terminal.until(TYPING["en"])
    terminal.type("\xff\n")
    terminal.until(TYPING["en"])
    terminal.type("q\n")
    assert terminal.ended() == 0
    assert "-" * 80 in shown
    assert all(sign.isascii() for line in shown.splitlines() for sign in line)


@pytest.mark.slow
def test_dialogue_wants_a_terminal_and_text() -> None:
    """At a terminal too, a handout, another format and a file ask nothing."""
    for words in (["--handout", "questions"], ["--format", "json"], ["-o", os.devnull]):
        terminal = Terminal("predict", "norms", *words)
        assert terminal.ended() == 0
        assert TYPING["en"] not in terminal.seen


class Tmux:
    """A tmux server of its own, with one window."""

    def __init__(self, folder: Path, command: str, size: tuple[int, int]) -> None:
        self.socket = str(folder / "tmux")
        width, height = map(str, size)
        shape = ["-x", width, "-y", height]
        # The window stays when the command has ended, for its last screen is looked at.
        self.ask("new-session", "-d", *shape, f"{command}; echo code $?; sleep 60")

    def ask(self, *words: str) -> str:
        """What a command of tmux prints."""
        process = subprocess.run(
            ["tmux", "-u", "-S", self.socket, "-f", os.devnull, *words],
            capture_output=True,
            text=True,
            check=True,
            timeout=20,
        )
        return process.stdout

    def screen(self, *words: str) -> str:
        """What is to be seen now, once all of these words are."""
        end = time.monotonic() + 30
        while time.monotonic() < end:
            shown = self.ask("capture-pane", "-p", "-J")
            flat = " ".join(shown.split())
            if all(word in flat for word in words):
                return shown
            time.sleep(0.05)
        raise AssertionError(f"{words} did not come:\n{shown}")

    def type(self, text: str) -> None:
        """Press keys, then Enter."""
        if text:
            self.ask("send-keys", "-l", "--", text)
        self.ask("send-keys", "Enter")


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")
@pytest.mark.parametrize("size", [(80, 24), (60, 20)], ids=["80x24", "60x20"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_predict_in_tmux_keeps_every_screen(
    language: str, size: tuple[int, int], tmp_path: Path
) -> None:
    """Through every question, each screen is whole: its head, its sentence and its keys at once."""
    questions = questions_with()
    command = [sys.executable, "-m", "rope_cli", "predict", "--lang", language]
    tmux = Tmux(tmp_path, f"PYTHONPATH={shlex.quote(str(ROOT))} {shlex.join(command)}", size)
    right = {"en": "Right answer", "ru": "Верный ответ"}[language]
    try:
        for place, question in enumerate(questions, 1):
            head = f"[{place}/{len(questions)}]"
            shown = tmux.screen(head, TYPING[language])
            assert right not in shown.partition(head)[2]
            tmux.type(f"{question.answer:.9g}")
            tmux.screen(head, right, f"rope-report show {question.slug}", TYPING[language])
            tmux.type("")
        tmux.screen(f"{SCORE[language]}{len(questions)} ", "code 0")
    finally:
        tmux.ask("kill-server")


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_steps_wait_for_enter(language: str) -> None:
    """After each question ``show --step`` waits; q quits; the checks decide the exit code."""
    pause = {"en": "q: quit", "ru": "q — выход"}[language]
    terminal = Terminal("show", "norms", "direction", "heads", "--step", "--lang", language)
    first = terminal.until(pause)
    assert "[norms]" in first
    assert "[direction]" not in first
    assert "┌" not in first
    terminal.type("\n")
    assert "[direction]" not in terminal.until(pause)
    terminal.type("q\n")
    assert terminal.ended() == 0
    assert "[heads]" not in terminal.seen


@pytest.mark.slow
def test_steps_to_the_end_print_everything(capsys: pytest.CaptureFixture[str]) -> None:
    """With Enter alone everything comes, the verdict of the whole too; Ctrl-C is 130."""
    terminal = Terminal("show", "norms", "heads", "--step", "--color", "never")
    terminal.until("q: quit")
    assert "Predict first" in terminal.seen
    assert "┌" not in terminal.seen  # no answer before the question was read
    while True:
        terminal.type("\n")
        start = len(terminal.seen)
        while "q: quit" not in terminal.seen[start:] and terminal.process.poll() is None:
            terminal.read(0.2)
        if "q: quit" not in terminal.seen[start:]:
            break
        page = terminal.seen[start:].splitlines()
        assert len(page) <= 24
    assert terminal.ended() == 0
    whole = [line for line in printed(capsys, "show", "norms", "heads").splitlines() if line]
    shown = [line for line in terminal.seen.splitlines() if line and "q: quit" not in line]
    assert shown == whole
    terminal = Terminal("show", "norms", "heads", "--step")
    terminal.until("q: quit")
    assert terminal.interrupted() == 130
    # The shell's own prompt begins a line.
    assert terminal.seen.endswith("\n")


@pytest.mark.parametrize("form", FORMATS)
def test_steps_without_a_terminal_only_print(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Elsewhere ``--step`` changes nothing."""
    words = ["show", "norms", "heads", "--format", form]
    assert printed(capsys, *words, "--step") == printed(capsys, *words)


def content(text: str) -> list[str]:
    """The lines of a text without rules and empty lines."""
    return [line for line in text.splitlines() if re.search(r"\w", line)]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("signs", [(), ("--ascii",)], ids=["signs", "ascii"])
def test_big_spaces_the_text_out(
    language: str, signs: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    """``--big`` adds rules between rows and empty lines between blocks, and no other line."""
    words = ["show", "one-pair", "frequencies", "--lang", language, *signs]
    plain, big = printed(capsys, *words), printed(capsys, *words, "--big")
    assert content(big) == content(plain)
    assert "\n\n\n" in big
    assert "\n\n\n" not in plain
    rows = [line for line in big.splitlines() if line[:1] in "├+"]
    assert len(rows) > len([line for line in plain.splitlines() if line[:1] in "├+"])


@pytest.mark.parametrize("form", [form for form in FORMATS if form != "text"])
def test_big_changes_no_other_format(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A page has a style of its own for the projector, and a program needs none."""
    words = ["show", "norms", "--format", form]
    assert printed(capsys, *words, "--big") == printed(capsys, *words)


# Without a terminal


@pytest.mark.parametrize("language", LANGUAGES)
def test_predict_without_a_terminal_asks_nothing(language: str, run: Run) -> None:
    """Questions, then answers, of every section that has any."""
    process = run("predict", "--lang", language)
    assert (process.returncode, process.stderr) == (0, b"")
    text = process.stdout.decode()
    for question in questions_with():
        assert f"{question.id}. " in text
        assert f"{question.id}: " in text
    assert TYPING[language] not in text


def test_predict_of_a_group_is_that_of_its_sections(capsys: pytest.CaptureFixture[str]) -> None:
    """A group stands for its sections; those without a question are left out silently."""
    everything = printed(capsys, "predict", "all")
    assert everything == printed(capsys, "predict") == printed(capsys, "predict", "chapter", "note")
    silent = set(SLUGS) - {question.slug for question in questions_with()}
    assert silent == {"claims", "glossary"}
    assert not any(f"[{slug}]" in everything for slug in silent)
    assert GROUPS["note"][-1] == "glossary"


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_handouts_come_in_every_format(
    form: str, language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The sheet of questions names every question and gives no answer away; the other has all."""
    common = ["predict", "direction", "--format", form, "--lang", language]
    questions, answers = (
        printed(capsys, *common, "--handout", part) for part in ("questions", "answers")
    )
    (first, second) = questions_with(None, ["direction"])
    for question in (first, second):
        assert question.id in questions
        assert question.id in answers
        assert question.wrong
        assert all(
            formatting.format_line(answer.reason, language)[:15] not in questions
            for answer in question.wrong
        )
    assert "0.94130" in answers
    path = tmp_path / "sheet"
    assert printed(capsys, *common, "--handout", "answers", "-o", str(path)) == ""
    assert path.read_text("utf-8") == answers


def test_seed_is_in_the_json(capsys: pytest.CaptureFixture[str]) -> None:
    """Programs see which numbers were drawn, and a seed gives the same ones each time."""
    words = ["predict", "rotations", "--format", "json", "--seed"]
    report = json.loads(printed(capsys, *words, "3"))
    assert report["parameters"] == {"seed": 3}
    assert report == json.loads(printed(capsys, *words, "3"))
    assert report["sections"] != json.loads(printed(capsys, *words, "4"))["sections"]


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["predict", "nroms"], "did you mean norms?"),
        (["predict", "glossary"], "accepted: every section except claims, glossary"),
        (["predict", "--seed", "-1"], "a whole number from 0 to 2^53"),
        (["predict", "--seed", "one"], '"one"'),
        (["predict", "--handout", "both"], "accepted: questions, answers"),
        (["predict", "--format", "csv"], "accepted: text, json, markdown, html"),
        (["mark"], "accepted: rope-report mark [OPTIONS] ANSWERS [SECTION...]"),
        (["mark", "nowhere"], "no such file or directory"),
        (["mark", "a" * 300], "the name is too long"),
        (["mark", ""], "the name is empty"),
        (["mark", str(ANSWERS), "nroms"], "did you mean norms?"),
        (["mark", str(ANSWERS), "--format", "xml"], "html, csv"),
        (["figure"], "accepted: rope-report figure [OPTIONS] SECTION"),
        (["figure", "bound"], "-o FILE.png"),
        (["figure", "bound", "-o", "-"], "-o FILE.png"),
        (["figure", "bound", "-o", "bound"], "accepted: .png, .svg, .pdf"),
        (["figure", "bound", "-o", "bound.gif"], "accepted: .png, .svg, .pdf"),
        (["figure", "nroms", "-o", "a.png"], "did you mean norms?"),
        (["figure", "claims", "-o", "a.png"], ", ".join(ILLUSTRATED)),
        (["figure", "bound", "norms", "-o", "a.png"], "one argument too many"),
    ],
)
def test_refusal_is_one_line(
    words: list[str],
    part: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """What cannot be done is said in one line, and nothing is written."""
    monkeypatch.chdir(tmp_path)
    assert part in refused(capsys, *words)
    assert list(tmp_path.iterdir()) == []


def test_figure_without_matplotlib_says_how_to_install_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The optional extra is named, and no file is left behind."""

    def missing(name: str) -> object:
        raise ImportError(name)

    monkeypatch.setattr(figure, "import_module", missing)
    path = tmp_path / "bound.png"
    assert "pip install 'rope-report[figures]'" in refused(
        capsys, "figure", "bound", "-o", str(path)
    )
    assert not path.exists()
    assert issubclass(figure.NoMatplotlib, command_errors.CommandRefusal)


def test_closed_input_is_no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without standard input nobody can be asked."""
    monkeypatch.setattr(sys, "stdin", None)
    assert not streams.interactive()


# Marks


@pytest.mark.parametrize("form", [*FORMATS, "csv"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_folder_is_marked_in_every_format(
    form: str, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every student with the score, the reason of what is wrong, and exit code 0."""
    words = ["mark", str(ANSWERS), "norms", "direction", "--format", form, "--lang", language]
    text = printed(capsys, *words)
    assert "anna" in text
    assert "boris" in text
    if form == "json":
        students = json.loads(text)["sections"][0]["values"]["students"]
        assert [(student["right"], student["asked"]) for student in students] == [(3, 3), (0, 3)]
    if form == "csv":
        rows = list(csv.DictReader(io.StringIO(text)))
        assert [row["right"] for row in rows] == ["1", "1", "1", "0", "0", "0"]
        assert all(row["reason"] for row in rows if row["right"] == "0" and row["given"])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("command", [["mark", str(ANSWERS)], ["predict"]], ids=lambda it: it[0])
def test_page_of_the_classroom_has_unique_ids(
    command: list[str], language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Questions and answers of a section, and the tables of students, do not share an id."""
    page = Page(printed(capsys, *command, "--format", "html", "--lang", language))
    known = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert known
    assert len(known) == len(set(known))


def test_one_file_is_marked_with_its_seed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The answers of a sheet with a seed are right with that seed only."""
    path = tmp_path / "clara.json"
    questions = questions_with(11, ["rotations", "dot-products"])
    path.write_text(json.dumps({question.id: question.answer for question in questions}))
    words = ["mark", str(path), "rotations", "dot-products", "--format", "json"]

    def right(*more: str) -> int:
        report = json.loads(printed(capsys, *words, *more))
        return int(report["sections"][0]["values"]["students"][0]["right"])

    assert right("--seed", "11") == len(questions)
    assert right() < len(questions)


# The page


class Page(HTMLParser):
    """What a page holds: its words, its tags, its attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.words: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.hidden = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Remember a tag."""
        self.tags.append((tag, dict(attrs)))
        self.hidden += tag in ("style", "script")

    def handle_endtag(self, tag: str) -> None:
        """A style is no text."""
        self.hidden -= tag in ("style", "script")

    def handle_data(self, data: str) -> None:
        """Remember text that is shown."""
        if not self.hidden:
            self.words.append(data)


NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?![\w])")


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[str, str]]:
    """For each language the text of everything and the page of everything."""
    folder = tmp_path_factory.mktemp("pages")
    texts = {}
    with everything_computed_once():
        for language, form in itertools.product(LANGUAGES, ("text", "html")):
            path = folder / f"page.{language}.{form}"
            words = ["show", "all", "--lang", language, "--format", form, "-o", str(path)]
            assert main([*words, "--width", "1000"]) == 0
            texts[language, form] = path.read_text("utf-8")
    return {language: (texts[language, "text"], texts[language, "html"]) for language in LANGUAGES}


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_page_holds_every_number_of_the_text(
    language: str, pages: dict[str, tuple[str, str]]
) -> None:
    """No number of the text report is missing from the page."""
    text, page = pages[language]
    shown = " ".join(Page(page).words).replace("−", "-")
    wanted = set(NUMBER.findall(text))
    assert len(wanted) > 700
    assert wanted - set(NUMBER.findall(shown)) == set()


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_page_is_self_contained_and_well_built(
    language: str, pages: dict[str, tuple[str, str]]
) -> None:
    """No request leaves the page; one heading, a language, tables with captions and scopes."""
    page = Page(pages[language][1])
    source = re.sub(r'(?<=href=")https://arxiv\.org/abs/[0-9.]+', "", pages[language][1])
    # The name of a kind of elements, which nobody fetches.
    source = source.replace('createElementNS("http://www.w3.org/2000/svg"', "")
    assert not re.search(r"https?:|\bsrc\s*=|@import|url\((?!#)", source)
    names = [tag for tag, _ in page.tags]
    assert names.count("h1") == 1
    (root,) = [attributes for tag, attributes in page.tags if tag == "html"]
    assert root["lang"] == language
    assert names.count("caption") == names.count("table") > 50
    assert all(
        attributes.get("scope") in ("row", "col") for tag, attributes in page.tags if tag == "th"
    )
    links = [attributes.get("href") or "" for _, attributes in page.tags if "href" in attributes]
    papers = {link for link in links if link.startswith("https:")}
    assert len(papers) > 5
    links = [link for link in links if link not in papers]
    assert all(link.startswith("#") for link in links)
    known = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(known) == len(set(known))
    assert {link[1:] for link in links} <= set(known)


def test_markdown_of_every_section_is_golden() -> None:
    """Beside its text, each section has a golden file of its Markdown in each language."""
    names = {file.name for file in (ROOT / "golden").iterdir()}
    assert {f"{slug}.{language}.md" for slug in SLUGS for language in LANGUAGES} <= names
    assert golden.FORMATS == {"txt": "text", "md": "markdown"}
