"""The way in and the way on: the first screen, the header, the end, and the names of sections."""

import math
import re
import shlex
from collections.abc import Iterator

import numpy as np
import pytest
from tools.checkout import ROOT
from tools.computed_once import everything_computed_once

from rope_cli.cli import dialogue, streams
from rope_cli.cli.commands import rope_report
from rope_cli.cli.main import main
from rope_cli.cli.output import OutputOptions
from rope_cli.document.blocks import Document
from rope_cli.document.evidence import Evidence
from rope_cli.renderers import FORMATS, render
from rope_cli.report import tracks
from rope_cli.report.build import build, section_module
from rope_cli.report.figure import INSTALL, NoMatplotlib
from rope_cli.report.header_footer import first_screen
from rope_cli.text import LANGUAGES

VALUES = {"en": "The chapter's values: ", "ru": "Параметры примера из главы: "}
FIRST_SECTION = {"en": "1. One pair by hand ", "ru": "1. Одна пара вручную "}
TITLES = {
    "en": "Rotary position embedding (RoPE) in one minute",
    "ru": "Ротационное позиционное кодирование (RoPE) за минуту",
}


@pytest.fixture(scope="module", autouse=True)
def _computed_once() -> Iterator[None]:
    """Many tests look at the same report."""
    with everything_computed_once():
        yield


def said(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What a command line prints that must succeed."""
    assert main(words) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The line with which a command line is refused."""
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    return err.removeprefix("rope-report: ").rstrip("\n")


# The first screen


@pytest.mark.parametrize("signs", [(), ("--ascii",)], ids=["all-signs", "ascii"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_first_screen_is_one_screen(
    language: str, signs: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    """It fits 80x24 with a prompt below it, and the sections begin on the next screen."""
    text = said(capsys, "--lang", language, *signs)
    screen, section, _ = text.partition(FIRST_SECTION[language])
    assert screen.startswith(TITLES[language])
    assert section
    lines = screen.rstrip("\n").split("\n")
    assert len(lines) <= 23
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize("language", LANGUAGES)
def test_first_screen_says_what_is_needed(
    language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The idea with its numbers, the order of a section, the cues, both texts and the ways on."""
    screen = said(capsys, "--lang", language).partition(FIRST_SECTION[language])[0]
    flat = " ".join(screen.split())
    wanted = {
        "en": (
            "dot product",
            "n-m",
            "asks first",
            "key earlier",
            "The chapter follows",
        ),
        "ru": ("скалярным произведением", "n-m", "с вопроса", "ключ раньше", "Глава — "),
    }
    for words in ("──", "fast pair", "быстрая пара", "b = 100", "float64"):
        assert words not in flat.replace("─" * 3, "")
    for words in (*wanted[language], "q = [1, 0]", "k = [0, 1]", "(5,3) -2 ◀╌", "(0,2) +2 ─▶"):
        assert words in flat
    sine = f"{math.sin(2):.6f}"
    assert re.findall(r"-?\d\.\d{6}", screen) == ["0.000000", sine, sine, f"-{sine}"]
    commands = [line.partition(": ")[2].strip() for line in screen.splitlines() if ": " in line]
    commands = [line for line in commands if line.startswith("rope-report ")]
    assert [command.split()[1] for command in commands] == [
        "show",
        "predict",
        "show",
        "scaling",
        "verify",
    ]
    assert all(("--lang ru" in command) == (language == "ru") for command in commands)


@pytest.mark.parametrize("language", LANGUAGES)
def test_first_screen_leaves_the_first_question_open(
    language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Neither a pair of positions that it asks about, nor one of its scores but 0."""
    screen = said(capsys, "--lang", language).partition(FIRST_SECTION[language])[0]
    for position in ("(1,0)", "(3,2)", "(0,1)", f"{math.sin(1):.3f}"):
        assert position not in screen


def test_first_screen_shows_what_was_computed() -> None:
    """Other scores, other numbers: nothing of the table is typed."""
    values = {"positions_two_apart": [[0, 0], [5, 9]], "scores_two_apart": np.array([0.5, 0.25])}
    text = render(Document(first_screen(Evidence(values, ())), ()), "text", "en")
    assert re.findall(r"-?\d\.\d{6}", text) == ["0.500000", "0.250000"]
    assert "(5,9) +4 ─▶" in text


@pytest.mark.slow
@pytest.mark.parametrize("words", [["chapter"], ["all"], ["chapter", "-d", "8"], ["norms", "all"]])
def test_whole_chapter_opens_with_the_screen(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """By whatever name it is shown."""
    assert said(capsys, "show", *words).startswith(TITLES["en"])


POSITION_CUES = "══ equal positions   ─▶ key later   ◀╌ key earlier"
PAIR_CUES = "── fast pair   ╌╌ slow pair"


@pytest.mark.parametrize(
    ("words", "legends"),
    [
        (["norms"], []),
        (["one-pair", "bound"], [POSITION_CUES]),
        (["rotations"], [PAIR_CUES]),
        (["rotations", "-d", "2"], []),
        (["rotations", "-d", "8", "-b", "1"], []),
        (["rotations", "dot-products", "direction"], [PAIR_CUES, POSITION_CUES]),
        # The table of frequencies has the words beside the cues, the first screen those of n-m.
        (["frequencies", "rotations", "dot-products"], [POSITION_CUES]),
        (["chapter"], []),
    ],
)
def test_cues_are_explained_where_they_first_stand(
    words: list[str], legends: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Right above the block that shows them, and not a second time."""
    lines = said(capsys, "show", *words).splitlines()
    places = [index for index, line in enumerate(lines) if re.match("[─╌═◀]{2} [a-z]", line)]
    # A line of the first screen begins with cues too, but a sentence goes on behind them.
    places = [index for index in places if "." not in lines[index]]
    assert [lines[index] for index in places] == legends
    for index in places:
        below = "\n".join(lines[index + 2 : index + 9])
        assert any(cue in below for cue in re.findall("[─╌═▶◀]{2}(?= )", lines[index]))


@pytest.mark.parametrize("words", [["norms"], ["rotations", "direction"]])
def test_parts_of_the_report_have_a_short_opening(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever asks for a section is not taught the idea again."""
    opening = said(capsys, "show", *words).partition("\n\n")[0]
    assert opening == "Rotary position embedding (RoPE), computed and checked on this machine"


def test_only_the_slowest_pair_is_called_slow(capsys: pytest.CaptureFixture[str]) -> None:
    """Of four pairs the two in the middle have no word; below base 1 the last is the fast one."""
    names = {
        base: re.findall(
            r"^│ (\d) ([^│]*?) *│ +\d",
            said(capsys, "show", "frequencies", "-d", "8", "-b", base),
            re.M,
        )[:4]
        for base in ("100", "0.01")
    }
    fast, slow = "── fast pair", "╌╌ slow pair"
    assert names["100"] == [("0", fast), ("1", ""), ("2", ""), ("3", slow)]
    assert names["0.01"] == [("0", slow), ("1", ""), ("2", ""), ("3", fast)]


def test_small_frequencies_keep_their_digits(capsys: pytest.CaptureFixture[str]) -> None:
    """Angles and frequencies below 0.001 have nine significant digits, zero has six decimals."""
    text = said(capsys, "show", "frequencies", "rotations", "-d", "128", "-b", "500000")
    # 500000^(-126/128) radians per position, the same in degrees, and three times the angle.
    for number in ("2.45514079e-06", "0.000140669205", "7.36542237e-06"):
        assert re.search(rf"│ +{re.escape(number)} │", text), number
    assert not re.search(r"│ +0\.00000[1-9] │ +(\d|\[)", text.partition("angle m")[0])
    assert text.count("│ 7.36542237e-06 │") == 2


@pytest.mark.parametrize("form", FORMATS)
def test_first_screen_is_in_every_format(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Markdown and pages hold the title and each command; JSON holds sections alone."""
    text = said(capsys, "--format", form)
    assert (TITLES["en"] in text) == (form != "json")
    for command in (
        "rope-report predict 1 3 5 7",
        "rope-report show note",
        "rope-report verify FILE",
    ):
        marked = {"markdown": f"`{command}`", "html": f"<code>{command}</code>"}.get(form, command)
        assert (marked in text) == (form != "json")


# The header


def test_values_stand_where_their_names_are_known(capsys: pytest.CaptureFixture[str]) -> None:
    """The chapter's values stand below sections that take some, and below no others."""
    for language in LANGUAGES:
        text = said(capsys, "show", "dot-products", "--lang", language)
        assert text.index("[dot-products]") < text.index(VALUES[language])
        assert VALUES[language] not in said(capsys, "show", "one-pair", "--lang", language)
    assert "sections of the note" not in said(capsys, "show", "dot-products")
    assert VALUES["en"] not in said(capsys, "show", "bound")
    assert VALUES["ru"] not in said(capsys, "show", "bound", "--lang", "ru")
    note = " ".join(said(capsys, "show", "note").split())
    assert "The note supplements a Russian textbook's chapter on RoPE." in note
    assert "The sections of the note give their own." in note.partition(VALUES["en"])[2]
    # A value that no section takes is named in the section alone.
    taken, ignored = (said(capsys, "show", slug, "-b", "50") for slug in ("frequencies", "bound"))
    assert "Your values: base b = 50.\n" in taken
    assert "Your values: " not in ignored
    assert "Your values that this section does not use: base." in ignored


@pytest.mark.slow
@pytest.mark.parametrize("slug", tracks.SLUGS)
def test_rows_without_zeros_are_shown_where_they_are_used(
    slug: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Sections that compute with the rows without zeros print them below; others do not."""
    used = {"GENERIC_QUERY", "GENERIC_KEY"} & vars(section_module(slug)).keys()
    text = " ".join(said(capsys, "show", slug).split())
    row = "The example rows without zeros: q = [1, 2, -0.5, 0.75], k = [0.3, -1, 2, 0.25]."
    assert (row in text) == bool(used)


@pytest.mark.parametrize("language", LANGUAGES)
def test_checks_are_explained_above_the_first_table_of_them(
    language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Once in a report: what values and tolerance are, and what each of its signs means."""
    sentence, column = {
        "en": ("How to read the checks: values is ", "│ tolerance │ values │"),
        "ru": ("Как читать проверки: «значений» — ", "│  допуск │ значений │"),
    }[language]
    text = said(capsys, "show", "norms", "direction", "--lang", language)
    assert text.count(sentence) == 1
    assert text.index("[norms]") < text.index(sentence) < text.index(column)


@pytest.mark.parametrize("language", LANGUAGES)
def test_checks_of_the_report_have_a_caption(
    language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """They stand below the sections and are about the page, not about the last section."""
    caption = {"en": "The report checks itself as well: ", "ru": "Отчёт проверяет и сам себя: "}
    text = said(capsys, "show", "norms", "direction", "--lang", language)
    before, _, after = text.partition(caption[language])
    assert "bitwise-replay" not in before
    assert "bitwise-replay" in after


def test_terminal_says_how_to_answer_first(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where somebody can answer, a line names --step; a pipe and a file have none."""
    assert "--step" not in said(capsys, "show", "norms")
    monkeypatch.setattr(dialogue, "can_ask", lambda output: True)
    for language in LANGUAGES:
        text = said(capsys, "show", "norms", "--lang", language)
        assert "--step." in text.partition("[norms]")[0]


# The end


@pytest.mark.parametrize(
    ("words", "commands"),
    [
        (["show", "one-pair"], ["show " + tracks.TRACKS["chapter"][1]]),
        (["show", "bound", "norms"], ["show shapes"]),
        (["show", "complex", "-d", "8"], ["show dense-vs-pairs -d 8"]),
        (
            ["show", "norms", "--key", "1,0,1,0;0,1,0,1;1,1,1,1", "--base", "50"],
            ["show shapes -b 50 --key '1,0,1,0;0,1,0,1;1,1,1,1'"],
        ),
        (["show", "chapter"], ["predict chapter", "show note"]),
        (["show", "exercises"], ["predict chapter", "show note"]),
        (["show", "note"], ["predict note", "scaling CONFIG.json", "verify FILE"]),
        (["show", "all"], ["predict note", "scaling CONFIG.json", "verify FILE"]),
    ],
)
def test_end_says_where_to_go(
    words: list[str], commands: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """After a section the next with the reader's values, after a track what follows it."""
    text = said(capsys, *words, "--width", "200")
    tail = text.rpartition("checks held.")[2]
    assert re.findall(r"(?<=rope-report )[a-z].*?(?= \(the|$)", tail, re.M) == commands
    assert "rope-report check" not in tail


def test_next_section_with_own_values_runs(capsys: pytest.CaptureFixture[str]) -> None:
    """The line can be typed as it is printed, in both languages."""
    own = ["--positions", "0,1,7", "--query", "1,0,1,0.5", "--shift", "9"]
    for language in LANGUAGES:
        text = said(capsys, "show", "norms", *own, "--lang", language, "--width", "200")
        line = re.search(r"rope-report (show .*?)(?: \(|$)", text.rstrip().splitlines()[-1])
        assert line
        words = shlex.split(line[1])
        assert words[1] == "shapes"
        assert ("ru" in words) == (language == "ru")
        assert said(capsys, *words, "--width", "200")


def test_all_has_a_heading_for_each_track(capsys: pytest.CaptureFixture[str]) -> None:
    """Where both tracks are shown their names stand above; a single track needs none."""
    text = said(capsys, "show", "exercises", "complex", "glossary")
    lines = text.splitlines()
    assert lines.index("The chapter") < lines.index("The note")
    assert lines[lines.index("The note") + 1] == "═" * len("The note")
    assert "The note" not in said(capsys, "show", "complex", "glossary").splitlines()
    words = ("show", "exercises", "complex", "--lang", "ru", "--format")
    assert "\n# Заметка\n" in said(capsys, *words, "markdown")
    assert '<h2 class="part">Заметка</h2>' in said(capsys, *words, "html")


# The names of sections


@pytest.mark.parametrize("language", LANGUAGES)
def test_list_names_its_tracks(language: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Both tracks have a heading, and each counts from 1."""
    lines = said(capsys, "list", "--questions", "--lang", language).splitlines()
    titles = {"en": ("The chapter", "The note"), "ru": ("Глава", "Заметка")}[language]
    places = [lines.index(title) for title in titles]
    numbers = [int(line.split(".")[0]) for line in lines if re.match(r"\d+\. .*\[", line)]
    assert numbers == [n + 1 for slugs in tracks.TRACKS.values() for n in range(len(slugs))]
    assert places[0] < next(i for i, line in enumerate(lines) if "[one-pair]" in line) < places[1]
    assert places[1] < next(i for i, line in enumerate(lines) if "[complex]" in line)


@pytest.mark.parametrize("language", LANGUAGES)
def test_list_is_short(language: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A line for each section under its track, on two screens of 80x24 with a prompt each."""
    lines = said(capsys, "list", "--lang", language).splitlines()
    assert len(lines) <= 46
    titles = {"en": ("The chapter", "The note"), "ru": ("Глава", "Заметка")}[language]
    for title, slugs in zip(titles, tracks.TRACKS.values(), strict=True):
        begin = lines.index(title) + 2
        for number, (slug, line) in enumerate(zip(slugs, lines[begin:], strict=False), 1):
            name = section_module(slug).TITLE.in_language(language)
            assert re.fullmatch(rf"{number}\. {re.escape(name)}:? +{slug}", line)
    assert lines[-1].partition(":  ")[2].startswith("rope-report list --questions")


@pytest.mark.parametrize("language", LANGUAGES)
def test_list_has_the_questions_where_they_are_wanted(
    language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """With --questions in every format, and in JSON always; the short form has none."""
    question = section_module("norms").QUESTION.in_language(language)
    for words in (["--questions"], ["--questions", "--format", "html"], ["--format", "json"]):
        assert question in said(capsys, "list", "--lang", language, *words, "--width", "1000")
    for form in ("text", "markdown", "html"):
        assert question not in said(capsys, "list", "--lang", language, "--format", form)
    json_forms = [
        said(capsys, "list", *words, "--format", "json") for words in ([], ["--questions"])
    ]
    assert json_forms[0] == json_forms[1]


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("1", "one-pair"),
        ("chapter:1", "one-pair"),
        ("note:1", "complex"),
        ("Note:01", "complex"),
        ("ONE-PAIR", "one-pair"),
        (str(len(tracks.TRACKS["chapter"])), "exercises"),
        (f"note:{len(tracks.TRACKS['note'])}", "glossary"),
    ],
)
def test_section_has_a_number(name: str, slug: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A section is shown by its number or its name in any case."""
    assert said(capsys, "show", name) == said(capsys, "show", slug)


def test_questions_are_chosen_by_number_too(capsys: pytest.CaptureFixture[str]) -> None:
    """What show understands, predict understands."""
    assert said(capsys, "predict", "1", "NOTE:1") == said(capsys, "predict", "one-pair", "complex")


@pytest.mark.parametrize("name", ["0", "99", "note:0", "note:36", "all:1", "nite:1", "-1", "1.0"])
def test_other_numbers_are_refused(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A number that no section has is refused like an unknown name."""
    line = refused(capsys, "show", "--", name)
    assert line.startswith(f'there is no section "{name}"; accepted: chapter, note, all, 1 to 16, ')
    assert "note:1 to note:19, or a name from rope-report list" in line


@pytest.mark.parametrize("name", ["17", "note:20", "0"])
def test_no_section_is_suggested_for_a_number(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The range says it all; that note:20 is spelled like note helps nobody."""
    assert "did you mean" not in refused(capsys, "show", name)


def test_unknown_name_keeps_its_suggestion(capsys: pytest.CaptureFixture[str]) -> None:
    """In any case, and for a word that is no command."""
    assert refused(capsys, "show", "DIRCTION").endswith("did you mean direction?")
    assert refused(capsys, "help").endswith("did you mean -h?")


@pytest.mark.parametrize(
    ("beginning", "name"),
    [("one", "one-pair"), ("dot", "dot-products"), ("VIS", "visibility"), ("whole", "whole-model")],
)
def test_beginning_of_a_name_is_understood(
    beginning: str, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is suggested before a name that is only spelled alike, as content is like one."""
    assert refused(capsys, "show", beginning).endswith(f"did you mean {name}?")


def test_figure_of_a_group_is_refused_as_one(capsys: pytest.CaptureFixture[str]) -> None:
    """The refusal offers the sections with pictures, not the group itself."""
    accepted = ", ".join(tracks.ILLUSTRATED)
    for words in (["figure", "chapter"], ["figure", "CHAPTER", "-o", "x.png"]):
        line = refused(capsys, *words)
        assert line.endswith(f"is a group; accepted: {accepted}")


# The bare command


@pytest.mark.parametrize(
    "options",
    [
        ["-d", "8"],
        ["--lang", "ru", "-b", "50", "--ascii"],
        ["--positions", "0,1", "--shift=7"],
        ["--step"],
        ["--big"],
        ["--rows", "all", "--format", "json"],
    ],
)
def test_bare_command_takes_the_options_of_show(
    options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a command they mean what they mean to ``show chapter``."""
    assert said(capsys, *options) == said(capsys, "show", "chapter", *options)


def test_options_of_show_before_a_command_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """A command is not guessed at: the refusal says where the option belongs."""
    line = refused(capsys, "-d", "8", "show", "norms")
    assert line.startswith('there is no option "-d"; accepted: --lang, ')
    assert line.endswith("; did you mean show -d?")
    assert refused(capsys, "--step", "list").endswith("; did you mean show --step?")
    assert refused(capsys, "-d").startswith("option -d is given without a value")
    assert "show" not in refused(capsys, "--offset", "1").partition("accepted")[0]


# Help


def test_help_speaks_the_language_of_its_reader(capsys: pytest.CaptureFixture[str]) -> None:
    """Russian help has Russian words for values; a wrong language is refused in the reader's."""
    for command in ("", *rope_report.commands):
        page = said(capsys, *command.split(), "-h", "--lang", "ru")
        words = set(re.findall(r"[A-Z]{3,}", page))
        assert not words & {"NUMBER", "LIST", "ROWS", "NAME", "NAMES", "FILE", "DIR", "SECTION"}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ROPE_REPORT_LANG", "ru")
        line = refused(capsys, "list", "--lang", "de")
        assert line.startswith("--lang: ")
        assert line.endswith('"de"; допустимо: en, ru')


# One page after the other


@pytest.mark.parametrize("language", LANGUAGES)
def test_first_step_is_the_first_screen(
    language: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """``--step`` at 80x24 stops after the whole first screen, not inside it."""
    shown: list[str] = []

    def quit_at_once(*given: object) -> bool:
        shown.append(capsys.readouterr().out)
        return False

    monkeypatch.setattr(dialogue, "can_ask", lambda output: True)
    monkeypatch.setattr(dialogue, "go_on", quit_at_once)
    monkeypatch.setattr(streams, "terminal_size", lambda: (80, 24))
    assert main(["--step", "--lang", language]) == 0
    whole = said(capsys, "--lang", language)
    assert shown == [whole.partition(FIRST_SECTION[language])[0].rstrip("\n") + "\n"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_step_tears_no_table_that_fits_a_page(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On the ten-minute way at 80x24 only the checks of the report itself take two pages."""
    monkeypatch.setattr(streams, "terminal_size", lambda: (80, 24))
    output = OutputOptions(language, "text", "-", 80, 0, False)
    document = build(["one-pair", "frequencies", "dot-products", "direction"])
    pages = list(dialogue.pages_of_document(output, document))
    torn = [page for page in pages if page.startswith("│")]
    assert all("printed-" in page for page in torn)
    assert len(torn) <= 1


def test_next_section_is_the_one_after_the_last_shown() -> None:
    """What comes next follows the track of the last section shown; a track ends with none."""
    assert tracks.next_section(("norms", "one-pair")) == "why-rotation"
    assert tracks.next_section(("exercises",)) is None
    assert tracks.next_section(("claims",)) == "glossary"


# Words that fit what is shown


@pytest.mark.parametrize("language", LANGUAGES)
def test_frequency_is_introduced_before_its_formula(
    language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """On the ten-minute path θ_j is said to be 1 and 0.1 before it stands in a formula."""
    path = ("show", "one-pair", "dot-products", "direction", "--lang", language)
    text = " ".join(said(capsys, *path).split())
    assert text.index("θ_0 = 1, θ_1 = 0.1 ") < text.index("(R(m·θ_j) q)")
    sum_of_cosines = f"{math.cos(1) + math.cos(0.1):.6f}"
    assert f"cos 1 + cos 0.1 = {sum_of_cosines}." in text
    assert sum_of_cosines == "1.535306"


@pytest.mark.parametrize(
    ("language", "way", "definition", "term"),
    [
        ("en", "1 3 5 7", "that is why q and k are called rows here", "rows"),
        ("en", "1 3 5 7", "The sign ᵀ says", "ᵀ"),
        ("en", "1 3 5 7", "and qᵀk is their dot product", "qᵀ"),
        ("en", "1 3 5 7", "A diagonal is a line of cells", "diagonal"),
        ("en", "1 3 5 7", "symmetric: row m, column n holds the same", "symmetric"),
        ("en", "1 3 5 7", "How to read the checks: values is", "tolerance"),
        ("ru", "1 3 5 7", "Запросы всех токенов хранят в одной матрице", "строк"),
        ("ru", "1 3 5 7", "Знак ᵀ означает", "ᵀ"),
        ("ru", "1 3 5 7", "и qᵀk — их скалярное произведение", "qᵀ"),
        ("ru", "1 3 5 7", "Диагональ — это ряд ячеек", "диагонал"),
        ("ru", "1 3 5 7", "симметрична: в строке m и столбце n", "симметричн"),
        ("ru", "1 3 5 7", "Как читать проверки: «значений» — ", "допуск"),
        ("en", "chapter", "ᵀ, which exchanges rows and columns", "ᵀ"),
        ("en", "chapter", "= I, where I is the identity matrix", "= I"),
        ("ru", "chapter", "знак ᵀ меняет местами строки и столбцы", "ᵀ"),
        ("ru", "chapter", "= I, где I — единичная матрица", "= I"),
    ],
)
def test_terms_are_explained_before_they_are_used(
    language: str, way: str, definition: str, term: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """On the README's way and in the whole chapter nothing before a definition uses its term."""
    text = " ".join(said(capsys, "show", *way.split(), "--lang", language).split())
    before = text[: text.index(definition)]
    assert term not in before, before[before.index(term) :]
    assert term in text


@pytest.mark.parametrize(
    ("slug", "answers"),
    [
        # Four scores at one n-m; and the sign of n-m.
        ("dot-products", ("different rows", "has a sign", "cannot show", "other rows")),
        ("dot-products", ("при разных строках", "знак разности", "со знаком")),
    ],
)
def test_section_leaves_the_next_questions_open(
    slug: str, answers: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    """The sections "content" and "direction" ask what this one must not tell."""
    for language in LANGUAGES:
        text = " ".join(said(capsys, "show", slug, "--lang", language).split())
        prose = text.partition("How to read")[0].partition("Как читать")[0]
        assert not [words for words in answers if words in prose]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--positions", "7"], "but no dot product, not even by a rounding error."),
        (["--positions", "7", "--shift", "0"], "changes neither a rotated coordinate nor a dot"),
        (["--positions", "0,7", "--dtype", "float32"], "a dot product by about "),
    ],
)
def test_no_change_is_not_said_to_be_about_zero(
    options: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """What does not change at all is said not to change."""
    text = " ".join(said(capsys, "show", "dot-products", *options).split())
    assert sentence in text
    assert "by about 0 " not in text


@pytest.mark.parametrize(
    ("slug", "of_the_chapter"),
    [("shapes", "of shape [2, 3, 4]"), ("heads", "of width 8 has two heads of width 4")],
)
def test_question_fits_the_readers_width(
    slug: str, of_the_chapter: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The numbers of a question are the chapter's only where the values are."""
    chapter, own = (
        " ".join(said(capsys, "show", slug, *options).split()) for options in ((), ("-d", "8"))
    )
    assert of_the_chapter in chapter
    assert of_the_chapter not in own


def test_matplotlib_is_asked_for_in_one_wording(capsys: pytest.CaptureFixture[str]) -> None:
    """Help, the refusal, both READMEs and the reference name the same command."""
    command = "pip install 'rope-report[figures]'"
    assert command in " ".join(said(capsys, "figure", "-h").split())
    assert NoMatplotlib(install=INSTALL).sentence("en").endswith(command)
    for page in ("README.md", "README.ru.md", "docs/reference.md"):
        text = (ROOT / page).read_text("utf-8")
        assert re.findall(r"pip install '[^']*\[figures\]'", text) == [command]
