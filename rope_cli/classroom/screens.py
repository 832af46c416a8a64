"""What a learner sees: question, reveal and score, each within a width and a height."""

from __future__ import annotations

from collections.abc import Sequence

from rope_cli.classroom.answers import Judgement
from rope_cli.classroom.question import Question
from rope_cli.document import formatting
from rope_cli.document.blocks import TIGHT, Line, Phrase, Piece
from rope_cli.document.vocabulary import brief, t
from rope_cli.renderers.cell_layout import wrap
from rope_cli.report.build import section_module
from rope_cli.text import Text
from rope_cli.user_input.command_errors import printable

ENOUGH = t(
    "An answer within {tolerance} of the right one is accepted; {digits} significant "
    "digits are enough.",
    "Засчитывается ответ, который отличается от верного не больше чем на {tolerance}; "
    "достаточно {digits} значащих цифр.",
)
EXACTLY = t("The answer is a whole number.", "Ответ — целое число.")
ONE_LINE = t(
    "Answer with the number of a line, 1 to {last}.", "Ответьте номером строки, от 1 до {last}."
)
ASKING = t(
    "Your answer, or h hint, s show, b back, q quit:",
    "Ваш ответ; h — подсказка, s — показать, b — назад, q — выход:",
)
GOING_ON = t("Enter next, b back, q quit:", "Enter — дальше, b — назад, q — выход:")
YOURS = t("You: {answer}", "Ваш ответ: {answer}")
TRUE = t("Right answer: {answer}", "Верный ответ: {answer}")
RIGHT = t("RIGHT", "ВЕРНО")
WRONG = t("WRONG", "НЕВЕРНО")
SHOWN = t("SHOWN, not counted as right", "ПОКАЗАНО, верным не считается")
SEE = t("Read more: {command}", "Подробнее: {command}")
HINT = t("Hint: {hint}", "Подсказка: {hint}")
RIGHT_SO_FAR = t("right so far: {right}", "верно: {right}")
SCORE = t(
    "Right: {right} of {answered} answered; questions left: {left}.",
    "Верно: {right} из {answered} отвеченных; осталось вопросов: {left}.",
)
SHOWN_COUNT = t("Answers shown: {shown}.", "Показано ответов: {shown}.")
BY_SECTION = t("By section (right/done):", "По разделам (верно/пройдено):")


class Page:
    """A screen of a language, a width and a height; every method returns its lines or its text."""

    def __init__(
        self, language: str, width: int = 80, height: int = 24, ascii_only: bool = False
    ) -> None:
        self.language, self.width, self.height = language, width, height
        self.ascii_only = ascii_only

    def format(self, line: Line, **values: Piece) -> str:
        """A line in the page's language, or a text with its placeholders filled."""
        if values:
            assert isinstance(line, Text)
            line = Phrase(line, values)
        return formatting.format_line(line, self.language, self.ascii_only)

    def paragraph(self, line: Line, **values: Piece) -> list[str]:
        """A line or a filled text, wrapped to the page's width."""
        return wrap(self.format(line, **values), self.width)

    @property
    def rule(self) -> str:
        """A line across the screen, which sets it off from what is above it."""
        return ("-" if self.ascii_only else "─") * self.width

    def header(self, question: Question, index: int, count: int, right: int) -> list[str]:
        """The rule, the number of the question and its section, and the right answers so far."""
        title = self.format(section_module(question.slug).TITLE)
        so_far = self.format(RIGHT_SO_FAR, right=right)
        line = f"[{index + 1}/{count}] {title} [{question.slug}]"
        room = self.width - len(so_far) - 2
        if len(line) <= room:
            return [self.rule, f"{line.ljust(room)}  {so_far}"]
        return [self.rule, *wrap(line, self.width)]

    def choices(self, question: Question) -> list[str]:
        """The lines to choose from, each with its number."""
        indent, lines = "     ", []
        for place, text in enumerate(question.choices, 1):
            first, *rest = wrap(f"  {place}) {self.format(text)}", self.width - len(indent))
            lines += [first, *(indent + line for line in rest)]
        return lines

    def matrix(self, question: Question) -> list[str]:
        """The matrix of dot products with a question mark in the cell of the question."""
        if question.cell is None:
            return []
        row, column, size = question.cell
        lines = ["       " + " ".join(f"n={n}" for n in range(size))]
        for m in range(size):
            cells = ("?" if (m, n) == (row, column) else "." for n in range(size))
            lines.append(f"   m={m} " + " ".join(f"{cell:>3}" for cell in cells))
        return lines

    def question(
        self, question: Question, header: list[str], hint: Line | None, note: Line | None
    ) -> str:
        """The question, how its answer is compared, the keys; hint and note if there are any."""
        sentence, choices = self.paragraph(question.sentence), self.choices(question)
        footer = self.paragraph(answer_rule(question))
        for line in (hint, note):
            if line is not None:
                footer += self.paragraph(line)
        footer += self.paragraph(ASKING)
        return self.fit(
            [header, [*sentence, *self.matrix(question), *choices], footer],
            [header, [*sentence, *choices], footer],
        )

    def reveal(
        self,
        question: Question,
        header: list[str],
        answer: str | None,
        judgement: Judgement,
        note: Line | None,
    ) -> str:
        """The learner's answer beside the right one, the verdict, and why."""
        verdict = self.verdict(question, answer, judgement)
        explanation = self.paragraph(question.explanation)
        command = f"rope-report show {question.slug}"
        if self.language == "ru":
            command += " --lang ru"
        footer = self.paragraph(SEE, command=command)
        if note is not None:
            footer += self.paragraph(note)
        footer += self.paragraph(GOING_ON)
        sentence = self.paragraph(question.sentence)
        return self.fit(
            [header, [*sentence, *self.choices(question)], verdict, explanation, footer],
            [header, sentence, verdict, explanation, footer],
            [header, verdict, explanation, footer],
        )

    def verdict(self, question: Question, answer: str | None, judgement: Judgement) -> list[str]:
        """Both answers, the verdict as a word, and the reason if there is one."""
        right = self.format(TRUE, answer=self.format(format_answer(question.answer, question)))
        if answer is None:
            return wrap(f"{self.format(SHOWN)}. {right}", self.width)
        word = self.format(RIGHT if judgement.right else WRONG)
        yours = self.format(YOURS, answer=printable(answer.strip(), 24))
        lines = wrap(f"{word}. {yours}   {right}", self.width)
        if not judgement.right and judgement.reason is not None:
            lines += self.paragraph(judgement.reason)
        return lines

    def score(self, tally: Sequence[tuple[str, int, int]], shown: int, left: int) -> str:
        """How many answers were right of those given, and by section of all questions reached."""
        right = sum(section_right for _, section_right, _ in tally)
        total = sum(section_total for _, _, section_total in tally)
        lines = [self.rule, *self.paragraph(SCORE, right=right, answered=total - shown, left=left)]
        if shown:
            lines += self.paragraph(SHOWN_COUNT, shown=shown)
        if tally:
            counts = ", ".join(f"{slug}{TIGHT}{right}/{total}" for slug, right, total in tally)
            lines += wrap(f"{self.format(BY_SECTION)} {counts}", self.width)
        return "\n".join(lines)

    def fit(self, *layouts: Sequence[list[str]]) -> str:
        """The first layout that leaves the last line of the screen to the answer.

        Empty lines between the parts are given up first.
        """
        for parts in layouts:
            for gap in ([""], []):
                lines = list(parts[0])
                for part in parts[1:]:
                    lines += [*gap, *part] if part else []
                if len(lines) < self.height:
                    return "\n".join(lines)
        return "\n".join(lines)


def answer_rule(question: Question) -> Line:
    """How the answer is compared."""
    if question.kind == "choice":
        return Phrase(ONE_LINE, {"last": len(question.choices)})
    if question.tolerance == 0:
        return EXACTLY
    return Phrase(ENOUGH, {"tolerance": format_tolerance(question), "digits": question.digits})


def format_tolerance(question: Question) -> str:
    """How far an accepted answer may be, without an exponent: 0.0005, 50."""
    return f"{question.tolerance:.9f}".rstrip("0").rstrip(".")


def format_answer(value: float, question: Question) -> Line:
    """An answer as it is shown: a line with its number, a round number, or six decimals."""
    if question.kind == "choice":
        return (f"{value:.0f}) ", question.choices[round(value) - 1])
    return int(value) if question.tolerance == 0 and value == int(value) else brief(value)
