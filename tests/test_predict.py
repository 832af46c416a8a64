"""Predict first: every question is sound, every answer is judged, every screen fits."""

import json
import math
import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from rope_cli.classroom.answers import (
    CLOSE,
    IN_DEGREES,
    NO_CHOICE,
    NOT_WHOLE,
    ONLY_SIGN,
    judge,
)
from rope_cli.classroom.compose import choice, count, half_unit, number, right, wrong
from rope_cli.classroom.handout import both_parts, handout
from rope_cli.classroom.question import Numbers, Question, QuestionTemplate, Wrong
from rope_cli.classroom.questions import QUESTIONS, bases, questions_with
from rope_cli.classroom.questions.complex_form import complex_text
from rope_cli.classroom.screens import format_answer
from rope_cli.classroom.session import COMMIT_FIRST, COMMITTED, FIRST, SEEN, Session, run
from rope_cli.classroom.written_numbers import (
    BLANK,
    BY_ZERO,
    NO_NUMBER,
    NO_ROOT,
    NOT_FINITE,
    TOO_LARGE,
    read_number,
)
from rope_cli.document import formatting
from rope_cli.document.blocks import Phrase, Short
from rope_cli.document.vocabulary import t
from rope_cli.renderers import FORMATS, render
from rope_cli.report.tracks import SLUGS, TRACKS, number_of
from rope_cli.text import LANGUAGES, Text

ANY = Text(en="any", ru="любое")
OTHER = Text(en="other", ru="другое")
CHAPTER = questions_with()
BY_ID = {question.id: question for question in CHAPTER}
SEEDS = range(50)
SIZES = ((80, 24), (60, 20))
IDS = [question.id for question in QUESTIONS]


def spelled(value: float) -> str:
    """A value with all its digits, as a learner's program would print it."""
    return repr(float(value))


def short(value: float) -> str:
    """A value with six decimals, as the report prints it."""
    return f"{value:.6f}"


def sample() -> tuple[Question, ...]:
    """A number, a choice and another number of another section."""
    return BY_ID["one-pair-2"], BY_ID["order-1"], BY_ID["frequencies-2"]


# Questions and their typical mistakes.


def test_questions_stand_in_teaching_order() -> None:
    """Ids are unique, sections exist, and both tracks are asked about in their order."""
    assert len(set(IDS)) == len(IDS) >= 28
    places = [SLUGS.index(question.slug) for question in QUESTIONS]
    assert places == sorted(places)
    for slugs in TRACKS.values():
        assert len({question.slug for question in QUESTIONS} & set(slugs)) >= 10
    assert all(
        question.id.startswith((question.slug, "exercise-", "misconception"))
        for question in QUESTIONS
    )


@pytest.mark.parametrize("question", CHAPTER, ids=IDS)
def test_right_answer_is_right(question: Question) -> None:
    """The answer passes with all its digits and with those that the question says are enough."""
    assert judge(
        question,
        spelled(question.answer) if question.kind != "choice" else f"{question.answer:.0f}",
    )[0]
    if question.digits:
        assert judge(question, f"{question.answer:.{question.digits}g}")[0]


@pytest.mark.parametrize("question", CHAPTER, ids=IDS)
def test_every_typical_mistake_is_named(question: Question) -> None:
    """Each listed wrong answer is wrong and earns its own reason, in any spelling."""
    assert len(question.wrong) >= 2
    for mistake in question.wrong:
        spellings = [f"{mistake.value:.0f}"]
        if question.kind != "choice":
            spellings = [spelled(mistake.value), short(mistake.value)]
        for text in spellings:
            judged = judge(question, text)
            assert (judged.right, judged.reason) == (False, mistake.reason), text


@pytest.mark.slow
@pytest.mark.parametrize("template", QUESTIONS, ids=IDS)
def test_fifty_seeds_keep_mistakes_wrong(template: QuestionTemplate) -> None:
    """With fresh numbers no mistake passes, not even rounded to the digits that are enough."""
    for seed in SEEDS:
        question = template.make(seed)
        assert question.sound
        for mistake in question.wrong:
            texts = [
                f"{mistake.value:.0f}" if question.kind == "choice" else spelled(mistake.value)
            ]
            if question.digits:
                texts.append(f"{mistake.value:.{question.digits}g}")
            assert [judge(question, text).right for text in texts] == [False] * len(texts)
            assert judge(question, texts[0]).reason == mistake.reason
        if question.kind != "choice":
            assert judge(question, spelled(question.answer)).right
            assert 0 <= question.tolerance <= half_unit(question.answer, 3)


def test_seed_gives_other_numbers_and_always_the_same() -> None:
    """Without a seed the chapter's numbers; a seed's numbers are its own, whatever is left out."""
    assert questions_with() == CHAPTER
    first = questions_with(7)
    assert first == questions_with(7) != questions_with(8)
    changed = [a.id for a, b in zip(first, CHAPTER, strict=True) if a.sentence != b.sentence]
    assert len(changed) > len(QUESTIONS) / 2
    only = questions_with(7, ["bands"])
    assert only == tuple(question for question in first if question.slug == "bands")


def test_coinciding_mistake_is_drawn_again_or_refused() -> None:
    """A mistake that equals the answer is never asked; the chapter's numbers must be good."""

    def compose(numbers: Numbers) -> Question:
        value = numbers.whole(1, 1, 3)
        return number("?", "?", 1.0, wrong(float(value), OTHER), hint=ANY, explanation=ANY)

    template = QuestionTemplate("x", "one-pair", compose)
    assert {template.make(seed).wrong[0].value for seed in SEEDS} == {2.0, 3.0}
    with pytest.raises(ValueError, match="x: a typical wrong answer coincides"):
        template.make()


def test_values_fill_the_sentences_that_name_them() -> None:
    """Each sentence takes its own; one without a value or a value without a sentence is refused."""
    m = t("m is {m}", "m: {m}")
    answer = t("so {answer}", "значит, {answer}")
    question = number("at {m}?", "при {m}?", 1.5, wrong(2.5, m), hint=ANY, explanation=answer, m=4)
    lines = question.sentence, question.wrong[0].reason, question.hint, question.explanation
    texts = [formatting.format_line(line, "en") for line in lines]
    assert texts == ["at 4?", "m is 4", "any", "so 1.500000"]
    with pytest.raises(ValueError, match="no sentence mentions"):
        number("?", "?", 1.5, hint=ANY, explanation=ANY, m=4)
    with pytest.raises(ValueError, match="no value for"):
        number("at {m}?", "при {m}?", 1.5, hint=ANY, explanation=ANY)


@pytest.mark.parametrize(
    ("answer", "mistake", "digits", "tolerance"),
    [
        (0.841471, 0.5, 3, 0.0005),
        (1.535306, 1.540252, 4, 0.0005),
        (40889.9, 40000, 3, 50),
        (0.0, 1.0, 3, 0.0005),
        (1.0, 1.0002, 5, 0.00005),
        (-62.83, 10.0, 3, 0.05),
        (1.0, 1.00001, -1, 0.0),
    ],
)
def test_tolerance_is_as_fine_as_mistakes_need(
    answer: float, mistake: float, digits: int, tolerance: float
) -> None:
    """Half a unit of the third digit, or of a later one when a mistake is near."""
    question = number("?", "?", answer, wrong(mistake, OTHER), hint=ANY, explanation=ANY)
    assert (question.digits, question.tolerance, question.sound) == (digits, tolerance, digits > 0)


@pytest.mark.parametrize(
    "question", [question for question in CHAPTER if question.tolerance], ids=lambda a: a.id
)
def test_edges_are_within(question: Question) -> None:
    """The edge of the tolerance passes on both sides, a hair beyond it does not."""
    for side in (-1, 1):
        edge = question.answer + side * question.tolerance
        assert judge(question, spelled(edge)).right
        assert not judge(question, spelled(edge + side * 1e-6 * question.tolerance)).right


def test_whole_answer_is_exact() -> None:
    """A count has no tolerance."""
    question = count("?", "?", 256, wrong(128, OTHER), hint=ANY, explanation=ANY)
    assert judge(question, "256").right
    assert judge(question, " +256.0 ").right
    assert judge(question, "512/2").right
    assert judge(question, "256.0001").reason == NOT_WHOLE
    assert judge(question, "257") == (False, 257.0, None)
    assert judge(question, "-256").reason == ONLY_SIGN


# What a learner may type.


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.5", 0.5),
        ("0,5", 0.5),
        (" .5\t", 0.5),
        (",5", 0.5),
        ("5.", 5.0),
        ("+0.5", 0.5),
        ("-0.5", -0.5),
        ("− 0.5", -0.5),
        ("–0,5", -0.5),
        ("1/2", 0.5),
        (" -1 / 4 ", -0.25),
        ("1/-4", -0.25),
        ("5e-1", 0.5),
        ("5E+1", 50.0),
        ("-1,5e1/3", -5.0),
        ("\u00a00.5\u00a0", 0.5),
        ("-0", 0.0),
        ("125.7 positions", 125.7),
        ("0.00237 rad/pos", 0.00237),
        ("0,1 рад на позицию", 0.1),
        ("128 пар.", 128.0),
        ("0.284;", 0.284),
        ("0.283662.", 0.283662),
        ("0,284.", 0.284),
        ("≈ 5.57", 5.57),
        ("около 5,57", 5.57),
        ("5.57 (approx)", 5.57),
        ("s = 1.5", 1.5),
        ("cos 1 + cos 0,1 = 1,5353", 1.5353),
        ("2,371·10^-3", 0.002371),
        ("2.371 x 10^-3", 0.002371),
        ("2,371×10⁻³", 0.002371),
        ("2.371*10**(-3)", 0.002371),
        ("2,4е-3", 0.0024),
        ("54 410,14", 54410.14),
        ("54,410.14", 54410.14),
        ("54.410,14", 54410.14),
        ("1,535.306", 1535.306),
        ("1,048,576", 1048576.0),
        ("0,283 662", 0.283662),
        ("½", 0.5),
    ],
)
def test_number_is_read(text: str, value: float) -> None:
    """Point or comma, signs, fractions, powers of ten, grouped digits, units, words around."""
    assert read_number(text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("sin 1", 0.841470985),
        ("-sin(1)", -0.841470985),
        ("sin(-1)", -0.841470985),
        ("cos 1 + cos 0,1", 1.535306472),
        ("sqrt(31)", 5.567764363),
        ("√31", 5.567764363),
        ("−√3/2", -0.866025404),
        ("2^0.5", 1.414213562),
        ("π/2", 1.570796327),
        ("2π", 6.283185307),
        ("1/(2 pi)", 0.159154943),
        ("sin 2π", 0.0),
        ("1 - 1/4", 0.75),
    ],
)
def test_expression_is_computed(text: str, value: float) -> None:
    """Roots, sines of radians, powers, pi, sums of them."""
    assert read_number(text) == pytest.approx(value, abs=1e-9)


def test_degrees_have_a_reason_of_their_own() -> None:
    """Where radians are asked for, marked as degrees or not; elsewhere the sign is a unit."""
    radians = number("By how many radians?", "?", 1.25, hint=ANY, explanation=ANY)
    assert judge(radians, "71.6") == (False, 71.6, IN_DEGREES)
    for text in ("71.6°", "71,6 градуса", "1.25 degrees"):
        assert judge(radians, text).reason == IN_DEGREES, text
    assert judge(radians, "1.25 rad").right
    assert judge(number("How large?", "?", 1.25, hint=ANY, explanation=ANY), "1.25").right


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", BLANK),
        ("  \t", BLANK),
        ("nan", NOT_FINITE),
        ("NaN", NOT_FINITE),
        ("-inf", NOT_FINITE),
        ("∞", NOT_FINITE),
        ("1e999", TOO_LARGE),
        ("1/1e999", TOO_LARGE),
        ("1e999/1e999", TOO_LARGE),
        ("1e308/1e-308", TOO_LARGE),
        ("1/0", BY_ZERO),
        ("0/0", BY_ZERO),
        ("1/2/3", NO_NUMBER),
        ("1.5.2", NO_NUMBER),
        ("1 5", NO_NUMBER),
        ("0x10", NO_NUMBER),
        ("1_000", NO_NUMBER),
        ("--1", NO_NUMBER),
        ("٣", NO_NUMBER),
        (".", NO_NUMBER),
        ("e5", NO_NUMBER),
        ("9" * 61, NO_NUMBER),
        ("True", NO_NUMBER),
        ("2 ½", NO_NUMBER),
        ("((((5", NO_NUMBER),
        ("5)", NO_NUMBER),
        ("sin", NO_NUMBER),
        ("2(3", NO_NUMBER),
        ("0^-1", BY_ZERO),
        ("10^10000", TOO_LARGE),
        ("sin(1e308*10)", TOO_LARGE),
        ("√(-1)", NO_ROOT),
        ("(-8)^(1/3)", NO_ROOT),
    ],
)
def test_anything_else_is_no_answer(text: str, reason: Text) -> None:
    """Blank, NaN, infinity and nonsense have a reason and are right for no question at all."""
    assert read_number(text) == reason
    for question in CHAPTER:
        judged = judge(question, text)
        assert not judged.right
        assert judged.value is None
        assert judged.reason is not None


def test_choice_is_the_number_of_a_line() -> None:
    """In any spelling of that number; not 0, not one too many, no fraction and no letter."""
    other = wrong(ANY, OTHER.en, OTHER.ru)
    question = choice("?", "?", other, right("b", "б"), hint=ANY, explanation=ANY)
    assert [judge(question, text).right for text in ("2", " 2) ", "2.0", "2,0", "4/2")] == [
        True
    ] * 5
    assert judge(question, "1") == (False, 1.0, OTHER)
    for text in ("2) б", "(2) Б.", "№ 2", "line 2", "б"):
        assert judge(question, text).right, text
    assert judge(question, "1) б").reason == NO_CHOICE
    for text in ("0", "3", "-2", "2.5", "a", "1) x", "two", "99999", "1e999"):
        assert judge(question, text) == (False, None, NO_CHOICE)
    assert judge(question, " ) ") == (False, None, BLANK)


def test_unlisted_mistakes_are_told_apart() -> None:
    """Too few digits and a lost sign are named; anything else is only wrong."""
    mistakes = wrong(1.540252, OTHER), wrong(9.0, ANY)
    question = number("?", "?", 1.535306, *mistakes, hint=ANY, explanation=ANY)
    assert judge(question, "1.537").reason == OTHER
    assert judge(question, "1.532").reason == CLOSE
    assert judge(question, "-1.5353").reason == ONLY_SIGN
    assert judge(question, "7") == (False, 7.0, None)


def test_mistake_in_two_digits_is_named() -> None:
    """0.84 for -0.841471 has its reason, unless it is the answer or two mistakes in two digits."""
    alone = number("?", "?", -0.841471, wrong(0.841471, OTHER), hint=ANY, explanation=ANY)
    assert judge(alone, "0.84").reason == OTHER
    assert judge(alone, "0.85").reason is None
    both = wrong(1.540252, OTHER), wrong(1.490717, ANY)
    question = number("?", "?", 5.0, *both, hint=ANY, explanation=ANY)
    assert judge(question, "1.5").reason is None
    beside = number("?", "?", 1.535306, wrong(1.540252, OTHER), hint=ANY, explanation=ANY)
    assert judge(beside, "1.5").reason is None


@pytest.mark.parametrize(
    ("value", "text"), [(1 + 2j, "1+2i"), (3 - 1j, "3-i"), (1j, "i"), (-2j, "-2i"), (5, "5")]
)
def test_complex_number_is_written_as_by_hand(value: complex, text: str) -> None:
    """No coefficient 1 before i, and no part that is 0."""
    assert complex_text(complex(value)) == text


def sentences_of(question: Question, language: str) -> list[str]:
    """Everything that a question says, its explanation last."""
    lines = [
        question.sentence,
        *question.choices,
        question.hint,
        *(mistake.reason for mistake in question.wrong),
        question.explanation,
    ]
    return [formatting.format_line(line, language) for line in lines]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("seed", [None, 1, 2])
def test_questions_are_worded_like_a_textbook(language: str, seed: int | None) -> None:
    """Rotations do not turn, rows do not stand, and no template or error kind shows."""
    shunned = re.compile(
        r"\bturn(ed|s)?\b|\bstands?\b|\balike\b|\bgreate(r|st)\b|\bзнает\b"
        r"|\([\d.]+\)·|invalid-|odd-feature|\d\.\d+\s?радиан\b"
    )
    for question in questions_with(seed):
        for sentence in sentences_of(question, language):
            assert not shunned.search(sentence), sentence


@pytest.mark.parametrize("language", LANGUAGES)
def test_explanation_does_not_begin_with_the_answer(language: str) -> None:
    """The answer is shown in front of the explanation, so the number would be there twice."""
    for question in CHAPTER:
        *_, explanation = sentences_of(question, language)
        answer = formatting.format_line(format_answer(question.answer, question), language)
        assert not re.match(re.escape(answer) + r"(\D|$)", explanation) or "·" in explanation


def test_nearest_mistake_is_named() -> None:
    """Of two mistakes within reach, that which was meant."""
    near = wrong(1.0, ANY), wrong(1.004, OTHER)
    question = number("?", "?", 5.0, *near, hint=ANY, explanation=ANY)
    assert judge(question, "1.001").reason == ANY
    assert judge(question, "1.003").reason == OTHER


# The chapter's nine exercises, their answers typed from the chapter.

NINE = {
    "exercise-1": "2",  # the second coordinate of [1, 2, -0.5, 0.75] at position 0
    "exercise-2": "0.841471",
    "exercise-3": "1.535306",
    "exercise-4": "1.535306",
    "exercise-5": "1",
    "exercise-6": "Q and K alone",
    "exercise-7": "1",
    "exercise-8": "3",
    "exercise-9": "no: the context has changed",
}


@pytest.mark.parametrize("name", NINE)
def test_exercises_of_the_chapter_are_there(name: str) -> None:
    """All nine, in order, with the chapter's answers."""
    question = BY_ID[name]
    assert question.slug == "exercises"
    if question.kind == "choice":
        assert question.choices[round(question.answer) - 1].en == NINE[name]
    else:
        assert judge(question, NINE[name]).right
    order = [name for name in IDS if name.startswith("exercise-")]
    assert order == list(NINE)


KNOWN = {
    "one-pair-1": 0.540302,
    "one-pair-2": 0.841471,
    "one-pair-3": -0.841471,
    "frequencies-1": 0.1,
    "frequencies-2": 62.831853,
    "rotations-1": -0.416147,
    "rotations-2": -0.841471,
    "dot-products-1": 1.535306,
    "dot-products-2": 0.563920,
    "direction-1": 0.941304,
    "adjoints-1": 0.511086,
    "additive-1": 1.01,
    "visibility-1": 0.25,
    "complex-1": 1.0,
    "complex-2": -6.547312,
    "dense-vs-pairs-1": 256,
    "layouts-1": -1.984111,
    "content-1": 6.430599,
    "shift-one-1": 8,
    "same-content-1": 1.785506,
    "expectation-1": 0.0,
    "peak-1": 2,
    "bands-2": 651.898647,
    "bands-3": 18,
    "shapes-1": 0,
    "refusals-1": 5,
    "extension-1": 40889.942432,
    "extension-2": 0.505532,
    "precision-1": 256,
}
MISTAKES = {
    "exercise-2": (-0.841471, 0.540302, 0.017452, 0.0),
    "one-pair-2": (-0.958924,),
    "dot-products-1": (1.540252, 1.490717, 1.080605, -0.298769, 1.999846, 1.994954, 0.540302),
    "dot-products-2": (1.070613,),
    "layouts-1": (-1.142640,),
    "complex-1": (5.0,),
    "complex-2": (5.537619, 5.844825),
    "extension-1": (40000.0,),
    "dense-vs-pairs-1": (16384, 512),
    "frequencies-2": (31.415927,),
}


@pytest.mark.parametrize("name", KNOWN)
def test_answers_are_those_worked_out_by_hand(name: str) -> None:
    """Six decimals, typed."""
    assert BY_ID[name].answer == pytest.approx(KNOWN[name], abs=6e-7)


@pytest.mark.parametrize("name", MISTAKES)
def test_known_mistakes_are_listed(name: str) -> None:
    """The wrong answers that learners are known to give, typed."""
    listed = [mistake.value for mistake in BY_ID[name].wrong]
    for value in MISTAKES[name]:
        assert min(abs(value - other) for other in listed) < 2e-6, value


# Screens.


def every_screen(question: Question, language: str, size: tuple[int, int]) -> Iterator[str]:
    """Question, reminders, hint, and every reveal that an answer can lead to."""
    many = 100
    for typed in ("", "h", "b", "nonsense" * 9):
        session = Session([question] * many, language, *size)
        session.take(typed)
        yield session.screen()
    for typed in ("", "b", "nonsense" * 9):
        session = Session([question] * many, language, *size)
        session.take("h")
        session.take(typed)
        yield session.screen()
    answers = ["s", "-12345.678901", *(f"{value:.0f}" for value in range(1, 5))]
    values = [question.answer, *(mistake.value for mistake in question.wrong)]
    answers += [spelled(value) for value in values if question.kind != "choice"]
    for typed in answers:
        session = Session([question] * many, language, *size)
        session.take(typed)
        # The longest note that a reveal can bear.
        session.take("7")
        yield session.screen()


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("seed", [None, 1, 2])
def test_every_screen_fits(language: str, size: tuple[int, int], seed: int | None) -> None:
    """No line is too long, and the last line of the terminal is left for typing."""
    width, height = size
    for question in questions_with(seed):
        for screen in every_screen(question, language, size):
            lines = screen.split("\n")
            assert len(lines) <= height - 1, screen
            assert max(map(len, lines)) <= width, screen
            assert "\u00a0" not in screen


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("language", LANGUAGES)
def test_score_of_everything_fits(language: str, size: tuple[int, int]) -> None:
    """All sections in one screen."""
    session = Session(CHAPTER, language, *size)
    for _ in CHAPTER:
        session.take("s")
        session.take("")
    lines = session.screen().split("\n")
    assert session.finished
    assert len(lines) <= size[1] - 1
    assert max(map(len, lines)) <= size[0]
    assert all(f"{slug} 0/" in " ".join(lines) for slug in {question.slug for question in CHAPTER})


def test_ascii_screens_have_ascii_signs() -> None:
    """With ascii_only every sign but a letter is ASCII."""
    for question in CHAPTER:
        for typed in ("h", "s", "1"):
            session = Session([question], "ru", ascii_only=True)
            session.take(typed)
            odd = {sign for sign in session.screen() if ord(sign) > 127 and not sign.isalpha()}
            assert odd == set()


def test_question_screen_says_how_to_answer() -> None:
    """Place, section, sentence, tolerance and keys, and no answer yet."""
    session = Session(sample(), "ru")
    screen = session.screen()
    assert "[1/3] Одна пара вручную [one-pair]" in screen
    assert "(m,n) = (3,2)" in screen
    assert "не больше чем на 0.0005; достаточно 3 значащих цифр." in flat(screen)
    assert "h — подсказка" in screen
    assert "верно: 0" in screen
    assert "0.841" not in screen
    assert not session.revealed


def test_cell_is_marked_in_its_matrix() -> None:
    """Row m=0, column n=1."""
    screen = Session([BY_ID["dot-products-1"]], "en").screen()
    assert "       n=0 n=1 n=2\n   m=0   .   ?   .\n   m=1   .   .   .\n" in screen


def test_reveal_shows_both_answers_and_the_reason() -> None:
    """What was typed stands beside the right answer, with a word and what probably went wrong."""
    session = Session(sample(), "en")
    session.take("0.54")
    screen = session.screen()
    assert "WRONG. You: 0.54   Right answer: 0.841471\nThe cosine was used" in screen
    assert "-sin(n-m)" in screen
    assert "Read more: rope-report show one-pair\n" in screen
    session = Session(sample(), "ru")
    session.take(" 0,8415 ")
    assert "\nВЕРНО. Ваш ответ: 0,8415   Верный ответ: 0.841471\n" in session.screen()
    assert "rope-report show one-pair --lang ru" in session.screen()


def test_unprintable_answer_is_harmless() -> None:
    """No escape sequence of the learner's reaches the terminal."""
    session = Session(sample(), "en")
    session.take("\x1b[2J")
    assert "\x1b" not in session.screen()
    # A separator counts as a blank, so this is a number.
    session.take("-\x1f5")
    assert session.revealed
    assert "\x1f" not in session.screen()


# The dialogue.


def driven(*lines: str | type[BaseException]) -> tuple[Session, str]:
    """A session of three questions that reads these lines, then the end of the input."""
    session = Session(sample(), "en")
    script = iter(lines)
    out: list[str] = []

    def read_line() -> str:
        line = next(script, EOFError)
        if isinstance(line, str):
            return line
        raise line

    run(read_line, out.append, session)
    return session, "".join(out)


def test_session_goes_through_to_its_score() -> None:
    """Answer, Enter, and so on; the last reveal waits for its Enter."""
    session, out = driven("0.841", "", "2", "", "62.8", "")
    assert session.finished
    assert out.count("RIGHT.") == 3
    assert "Right: 3 of 3 answered; questions left: 0." in out
    assert "one-pair 1/1, order 1/1, frequencies 1/1" in out
    assert out.endswith("\n")
    session = Session(sample()[:1], "en")
    session.take("1")
    assert not session.finished
    assert "WRONG" in session.screen()


def test_enter_asks_for_an_answer_first() -> None:
    """Nothing is revealed before an answer is committed."""
    session = Session(sample(), "en")
    session.take("")
    assert session.note == COMMIT_FIRST
    assert not session.revealed
    session.take("h")
    assert "Hint: " in session.screen()
    session.take("maybe")
    assert NO_NUMBER.en in " ".join(session.screen().split("\n"))
    assert not session.answers


def test_committed_answer_stays() -> None:
    """A second answer, a hint and a look do not change what was committed."""
    session = Session(sample(), "en")
    session.take("0.54")
    for typed in ("0.841471", "h", "s"):
        session.take(typed)
        assert session.note == COMMITTED
        assert COMMITTED.en in session.screen()
    assert session.right == 0
    assert session.answers[0][0] == "0.54"


@pytest.mark.parametrize("typed", ["0.841471", "h", "s"])
def test_shown_answer_is_not_called_the_learners(typed: str) -> None:
    """After s nothing was answered, so no answer stands."""
    session = Session(sample(), "en")
    session.take("s")
    session.take(typed)
    assert session.note == SEEN
    assert SEEN.en in session.screen()
    assert session.answers[0][0] is None


def test_hint_stays_until_the_reveal() -> None:
    """An answer that cannot be read is told beside the hint; the next question has none yet."""
    session = Session(sample(), "en")
    session.take("h")
    hint = formatting.format_line(session.questions[0].hint, "en")
    for typed in ("maybe", ""):
        session.take(typed)
        assert flat(f"Hint: {hint}") in flat(session.screen())
        assert session.note in (NO_NUMBER, COMMIT_FIRST)
    session.take("0.54")
    assert "Hint: " not in session.screen()
    session.take("")
    assert "Hint: " not in session.screen()


def test_shown_answer_is_not_right() -> None:
    """The key s reveals; the question counts as asked."""
    session, out = driven("S", "", "2", "q")
    assert "SHOWN, not counted as right. Right answer: 0.841471" in out
    assert "Right: 1 of 1 answered; questions left: 1.\nAnswers shown: 1." in out
    assert session.tally() == (("one-pair", 0, 1), ("order", 1, 1))


def test_back_returns_to_the_reveal() -> None:
    """The key b goes to the question before, whose answer stands; not before the first."""
    session = Session(sample(), "en")
    session.take("b")
    assert session.note == FIRST
    session.take("0.54")
    session.take("")
    assert session.index == 1
    session.take("b")
    assert session.index == 0
    assert "WRONG. You: 0.54" in session.screen()
    session.take("")
    assert session.index == 1
    assert not session.revealed


@pytest.mark.parametrize("end", ["q", "Q", EOFError, KeyboardInterrupt])
def test_leaving_shows_the_score(end: str | type[BaseException]) -> None:
    """Quit, the end of the input and Ctrl-C all end with the score and no error."""
    session, out = driven("0.841", "", end)
    assert session.finished
    assert "Right: 1 of 1 answered; questions left: 2.\n" in out
    session.take("2")
    assert len(session.answers) == 1


def test_keys_work_in_the_russian_layout() -> None:
    """Whoever reads Russian need not switch the keyboard for a key."""
    session = Session(sample(), "ru")
    session.take("р")
    assert "Подсказка: " in session.screen()
    session.take("Ы")
    assert session.revealed
    session.take("")
    session.take("и")
    assert session.index == 0
    session.take("й")
    assert session.finished


def test_session_without_questions_ends_at_once() -> None:
    """Nothing is read."""
    session = Session([], "en")
    out: list[str] = []
    run(pytest.fail, out.append, session)
    assert "Right: 0 of 0 answered" in "".join(out)


def test_letters_are_keys_and_no_choices() -> None:
    """In a choice b goes back, and a is no line."""
    session = Session(sample()[1:], "en")
    session.take("a")
    assert session.note == NO_CHOICE
    session.take("b")
    assert session.note == FIRST
    session.take("2")
    assert session.right == 1


# On paper.


@pytest.mark.parametrize("language", LANGUAGES)
def test_handout_of_questions_holds_all_and_no_answer(language: str) -> None:
    """Every sentence and every choice, and nothing of what is revealed."""
    text = flat(render(handout(CHAPTER, "questions"), "text", language))
    for question in CHAPTER:
        assert flat(f"{question.id}. {formatting.format_line(question.sentence, language)}") in text
        assert flat(formatting.format_line(question.explanation, language)) not in text
        assert all(flat(line.in_language(language)) in text for line in question.choices)
        hint = formatting.format_line(question.hint, language)
        assert hint not in text or len(hint) < 20


@pytest.mark.parametrize("language", LANGUAGES)
def test_handout_of_answers_holds_all(language: str) -> None:
    """Every answer, explanation and reason."""
    text = render(handout(CHAPTER, "answers"), "markdown", language).replace("\\", "")
    for question in CHAPTER:
        answer = (
            f"{question.answer:.0f})"
            if question.kind == "choice"
            else f"{question.answer:g}"
            if question.answer == round(question.answer, 3)
            else f"{question.answer:.6f}"
        )
        assert f"{question.id}: {answer}" in text
        assert formatting.format_line(question.explanation, language).replace("\u00a0", " ") in text
        for mistake in question.wrong:
            reason = formatting.format_line(mistake.reason, language).replace("\u00a0", " ")
            assert reason in text


def flat(text: str) -> str:
    """The text on one line, with single blanks."""
    return " ".join(text.replace("\u00a0", " ").split())


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_prints_questions_then_answers(form: str) -> None:
    """One document for paper; in JSON the numbers are as they are."""
    text = render(both_parts(CHAPTER), form, "en")
    assert text.index("one-pair-1") < text.rindex("one-pair-1")
    if form == "json":
        sections = json.loads(text)["sections"]
        values = {name: value for part in sections for name, value in part["values"].items()}
        assert values["dot-products-1"]["answer"] == BY_ID["dot-products-1"].answer
        first = sections[0]["values"]["one-pair-1"]
        assert "answer" not in first
        assert first["question"]["ru"].startswith("q = [1, 0]")
    if form == "text":
        assert text.index("bugs-1. ") < text.index("one-pair-1: 0.540302")


@pytest.mark.parametrize("language", LANGUAGES)
def test_answers_have_sections_of_their_own(language: str) -> None:
    """In one document with the questions, every id of the page is unique, and titles tell."""
    page = render(both_parts(CHAPTER), "html", language)
    ids = re.findall(r'\bid="([^"]*)"', page)
    assert len(ids) == len(set(ids)) > 50
    assert {"one-pair", "one-pair-answers"} <= set(ids)
    title = {"en": "Answers: One pair by hand", "ru": "Ответы: Одна пара вручную"}[language]
    assert title in page


def test_numbers_in_words_are_those_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hints, reasons and explanations are filled from the values, not typed beside them."""

    def words(question: Question) -> str:
        lines = [
            question.sentence,
            question.hint,
            question.explanation,
            *(mistake.reason for mistake in question.wrong),
        ]
        return " ".join(formatting.format_line(line, "en") for line in lines).replace("\u00a0", " ")

    monkeypatch.setattr(bases, "WIDTH", 64)
    monkeypatch.setattr(bases, "OTHER_BASE", 5000.0)
    slower, scaled, middle = (
        words(template.compose(Numbers()))
        for template in (bases.greater_base, bases.ntk_base, bases.ntk_ratio)
    )
    for sentences, part in (
        (slower, "d = 64. The base grows from 5000 to 500000."),
        (slower, "-62/64, not -1"),
        (slower, "(b'/b)^(62/64)"),
        (slower, "j = 31 in"),
        (scaled, "5000·4^(64/62)"),
        (middle, "d = 64, b = 5000"),
    ):
        assert part in sentences
        assert "128" not in sentences
    turned = BY_ID["complex-2"].hint
    assert isinstance(turned, Phrase)
    assert turned.values["product"] == "1+7i"
    split = BY_ID["layouts-1"].explanation
    assert isinstance(split, Phrase)
    assert (split.values["left"], split.values["right"]) == (Short(1.0), Short(3.0))
    assert "at D = 6 it is 1.785506, at D = 1 only 1.535306" in words(BY_ID["same-content-1"])


def test_handout_has_the_sections_in_order() -> None:
    """A section once, with its number in its track."""
    document = handout(CHAPTER, "questions")
    slugs = [section.slug for section in document.sections]
    assert len(set(slugs)) == len(slugs)
    assert [section.number for section in document.sections] == [number_of(slug) for slug in slugs]
    assert both_parts([]).sections == ()


def test_no_question_is_worded_with_a_wrong_number() -> None:
    """Every value is finite, and a cell lies in its matrix."""
    for question in CHAPTER:
        assert all(math.isfinite(mistake.value) for mistake in question.wrong)
        if question.cell is not None:
            row, column, size = question.cell
            assert 0 <= row < size
            assert 0 <= column < size
    assert not replace(CHAPTER[0], answer=math.nan).sound
    assert not replace(CHAPTER[0], wrong=(Wrong(math.inf, OTHER),)).sound
