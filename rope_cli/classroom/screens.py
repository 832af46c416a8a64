"""What a learner sees: question, reveal and score, each within a width and a height."""

from __future__ import annotations

from collections.abc import Sequence

from rope_cli.classroom.answers import Judged
from rope_cli.classroom.question import Asked
from rope_cli.document import formatting
from rope_cli.document.blocks import TIGHT, Line, Number, Phrase, Piece
from rope_cli.document.vocabulary import t
from rope_cli.renderers.cell_layout import wrap
from rope_cli.report.build import section_module
from rope_cli.text import Text
from rope_cli.user_input.command_errors import printable

ENOUGH = t(
    "Tolerance {tolerance} up or down, inclusive; {digits} significant digits are enough.",
    "Допуск {tolerance} в обе стороны включительно; достаточно {digits} значащих цифр.",
)
EXACTLY = t("A whole number, exactly.", "Нужно целое число, точно.")
ONE_LINE = t(
    "Answer with the number of a line, 1 to {last}.", "Ответьте номером строки, от 1 до {last}."
)
ASKING = t(
    "Your answer, or h hint, s show, b back, q quit:",
    "Ваш ответ; h — подсказка, s — показать, b — назад, q — выход:",
)
GOING_ON = t("Enter next, b back, q quit:", "Enter — дальше, b — назад, q — выход:")
YOURS = t("You: {given}", "Вы: {given}")
TRUE = t("Right answer: {answer}", "Верный ответ: {answer}")
RIGHT = t("RIGHT", "ВЕРНО")
WRONG = t("WRONG", "НЕВЕРНО")
SHOWN = t("SHOWN, not counted as right", "ПОКАЗАНО, в верные не входит")
SEE = t("To see it: {command}", "Посмотреть: {command}")
HINT = t("Hint: {hint}", "Подсказка: {hint}")
RIGHT_SO_FAR = t("right so far: {right}", "верно: {right}")
SCORE = t(
    "Right: {right} of {asked} asked; not answered: {left}.",
    "Верно: {right} из {asked} заданных; осталось без ответа: {left}.",
)
SHOWN_COUNT = t("Shown without an answer: {shown}.", "Показано без ответа: {shown}.")
BY_SECTION = t("By section (right/asked):", "По разделам (верно/задано):")


class Page:
    """Language, width, height and signs of the screens."""

    def __init__(
        self, language: str, width: int = 80, height: int = 24, ascii_only: bool = False
    ) -> None:
        self.language, self.width, self.height = language, width, height
        self.ascii_only = ascii_only

    def said(self, line: Line, **values: Piece) -> str:
        """A line in the page's language, or a text with its placeholders filled."""
        if values:
            assert isinstance(line, Text)
            line = Phrase(line, values)
        return formatting.format_line(line, self.language, self.ascii_only)

    def wrapped(self, text: str, indent: str = "") -> list[str]:
        """The text in lines of the page's width, all but the first one indented."""
        first, *rest = wrap(text, self.width - len(indent))
        return [first, *(indent + line for line in rest)]

    def head(self, asked: Asked, at: int, count: int, right: int) -> list[str]:
        """A rule, which sets the screen off from what is above it; then where one stands."""
        title = self.said(section_module(asked.slug).TITLE)
        so_far = self.said(RIGHT_SO_FAR, right=right)
        line = f"[{at + 1}/{count}] {title} [{asked.slug}]"
        room = self.width - len(so_far) - 2
        heads = wrap(line, self.width)
        if len(line) <= room:
            heads = [f"{line.ljust(room)}  {so_far}"]
        return [("-" if self.ascii_only else "─") * self.width, *heads]

    def choices(self, asked: Asked) -> list[str]:
        """The lines to choose from, each with its number."""
        lines = []
        for at, text in enumerate(asked.choices, 1):
            lines += self.wrapped(f"  {at}) {self.said(text)}", "     ")
        return lines

    def matrix(self, asked: Asked) -> list[str]:
        """The matrix of dot products, its asked cell marked."""
        if asked.cell is None:
            return []
        row, column, size = asked.cell
        lines = ["       " + " ".join(f"n={n}" for n in range(size))]
        for m in range(size):
            cells = ("?" if (m, n) == (row, column) else "." for n in range(size))
            lines.append(f"   m={m} " + " ".join(f"{cell:>3}" for cell in cells))
        return lines

    def question(self, asked: Asked, head: list[str], hint: Line | None, note: Line | None) -> str:
        """What is asked, how finely, and which keys there are."""
        sentence = self.wrapped(self.said(asked.sentence))
        foot = [*self.wrapped(self.said(rule_of(asked)))]
        for line in (hint, note):
            if line is not None:
                foot += self.wrapped(self.said(line))
        foot += self.wrapped(self.said(ASKING))
        body = [*sentence, *self.matrix(asked), *self.choices(asked)]
        return self.fitted([head, body, foot], [head, [*sentence, *self.choices(asked)], foot])

    def reveal(
        self, asked: Asked, head: list[str], given: str | None, judged: Judged, note: Line | None
    ) -> str:
        """The learner's answer beside the right one, the verdict, and why."""
        told = self.verdict(asked, given, judged)
        why = self.wrapped(self.said(asked.explains))
        command = f"rope-report show {asked.slug}"
        if self.language == "ru":
            command += " --lang ru"
        foot = self.wrapped(self.said(SEE, command=command))
        if note is not None:
            foot += self.wrapped(self.said(note))
        foot += self.wrapped(self.said(GOING_ON))
        sentence = self.wrapped(self.said(asked.sentence))
        return self.fitted(
            [head, [*sentence, *self.choices(asked)], told, why, foot],
            [head, sentence, told, why, foot],
            [head, told, why, foot],
        )

    def verdict(self, asked: Asked, given: str | None, judged: Judged) -> list[str]:
        """Given and right answer, a word, and the reason if there is one."""
        answer = self.said(TRUE, answer=self.said(spelled(asked.answer, asked)))
        if given is None:
            return self.wrapped(f"{self.said(SHOWN)}. {answer}")
        word = self.said(RIGHT if judged.right else WRONG)
        yours = self.said(YOURS, given=printable(given.strip(), 24))
        lines = self.wrapped(f"{word}. {yours}   {answer}")
        if not judged.right and judged.reason is not None:
            lines += self.wrapped(self.said(judged.reason))
        return lines

    def score(self, tally: Sequence[tuple[str, int, int]], shown: int, left: int) -> str:
        """How many were right of those asked, in all and by section."""
        right, asked = sum(good for _, good, _ in tally), sum(of for _, _, of in tally)
        lines = ["-" * self.width if self.ascii_only else "─" * self.width]
        lines += self.wrapped(self.said(SCORE, right=right, asked=asked, left=left))
        if shown:
            lines += self.wrapped(self.said(SHOWN_COUNT, shown=shown))
        if tally:
            parts = (f"{slug} {good}/{of}" for slug, good, of in tally)
            counts = ", ".join(part.replace(" ", TIGHT) for part in parts)
            lines += self.wrapped(f"{self.said(BY_SECTION)} {counts}")
        return "\n".join(lines)

    def fitted(self, *layouts: Sequence[list[str]]) -> str:
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


def rule_of(asked: Asked) -> Line:
    """How the answer is compared."""
    if asked.kind == "choice":
        return Phrase(ONE_LINE, {"last": len(asked.choices)})
    if asked.tolerance == 0:
        return EXACTLY
    return Phrase(ENOUGH, {"tolerance": plainly(asked.tolerance), "digits": asked.digits})


def plainly(tolerance: float) -> str:
    """A tolerance without an exponent: 0.0005, 50."""
    return f"{tolerance:.9f}".rstrip("0").rstrip(".")


def spelled(value: float, asked: Asked) -> Line:
    """An answer as it is shown: a line with its number, a whole number, or six decimals."""
    if asked.kind == "choice":
        return (f"{value:.0f}) ", asked.choices[round(value) - 1])
    return int(value) if asked.tolerance == 0 and value == int(value) else Number(value)
