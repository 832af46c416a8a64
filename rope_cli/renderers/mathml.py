"""The formulas of the report as MathML, read from the plain form that text prints.

A formula is letters with ``_`` and ``^``, parentheses, ``[[a, b], [c, d]]`` for a matrix, a spaced
``/`` for a fraction over everything since the last relation. Between relations, sums and formulas
a line may break, so each of these parts is a ``math`` element of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from typing import Literal, NamedTuple

from rope_cli.document.formatting import TRUE_MINUS

Kind = Literal["operand", "name", "infix", "relation", "comma"]
TOKEN = re.compile(r"\s+|\d+|sin|cos|mod|max|Re|\.\.\.|.")
NAMES = frozenset(["sin", "cos", "max", "Re"])
RELATIONS = "=≤→"
POSTFIXES = {"ᵀ": "<mi>T</mi>", "²": "<mn>2</mn>", "'": "<mo>′</mo>", "*": "<mo>*</mo>"}  # noqa: RUF001
CLOSING = {"(": ")", "[": "]", "|": "|"}
SIGNS = {"-": TRUE_MINUS, "Σ": "∑", "...": "…"}
THIN = '<mspace width=".2em"/>'
WORD = re.compile(r"\w+")


class Node(NamedTuple):
    """A piece of MathML, what it is among its neighbours, and whether a blank stands before it."""

    kind: Kind
    markup: str
    blank: bool = False


def as_mathml(formula: str) -> str:
    """The ``math`` elements of a formula, with blanks between them at which a line may break."""
    nodes = _Reader(formula).nodes("")
    parts: list[list[Node]] = [[]]
    for number, node in enumerate(nodes):
        breaks = node.kind == "relation" or (node.kind == "infix" and node.markup in BREAKING)
        after = number > 0 and nodes[number - 1].kind == "comma"
        if (breaks or after) and parts[-1]:
            parts.append([])
            # What begins an element would else be taken for a sign before a number.
            node = node._replace(markup=node.markup.replace("<mo>", '<mo form="infix">', 1))
        parts[-1].append(node)
    return " ".join(f"<math>{joined(part)}</math>" for part in parts)


def joined(nodes: list[Node]) -> str:
    """Nodes side by side, with a thin space where a blank divides factors or follows a name."""
    markup, before = "", None
    for node in nodes:
        factors = before is not None and {before.kind, node.kind} <= {"operand", "name"}
        markup += (THIN if factors and node.blank else "") + node.markup
        before = node
    return markup


def sign(text: str, attributes: str = "") -> str:
    """An operator; its form or that it does not grow is given where nothing else tells it."""
    return f"<mo{attributes}>{escape(SIGNS.get(text, text))}</mo>"


BREAKING = {sign("+"), sign("-")}
STEADY = ' stretchy="false"'


class _Reader:
    """Reads a formula from left to right."""

    def __init__(self, formula: str) -> None:
        self.tokens: list[str] = TOKEN.findall(formula)

    def next_is(self, *texts: str) -> bool:
        return bool(self.tokens) and self.tokens[0] in texts

    def take(self) -> str:
        return self.tokens.pop(0)

    def skip_blank(self) -> bool:
        """Whether there is a blank, which is left behind."""
        if self.tokens and self.tokens[0].isspace():
            self.take()
            return True
        return False

    def nodes(self, *ends: str) -> list[Node]:
        """Everything up to one of the ends, which stays."""
        nodes: list[Node] = []
        while self.tokens:
            blank = self.skip_blank()
            if not self.tokens or self.next_is(*ends):
                break
            if blank and self.next_is("/"):
                self.take()
                start = 1 + max(
                    (at for at, node in enumerate(nodes) if node.kind == "relation"), default=-1
                )
                below = self.nodes(*ends, *RELATIONS)
                nodes[start:] = [Node("operand", fraction(nodes[start:], below))]
            else:
                node = self.node(nodes[-1].kind if nodes else "relation")
                nodes.append(node._replace(blank=blank))
        return nodes

    def node(self, before: Kind) -> Node:
        """The next piece, with its indices and powers."""
        token = self.take()
        if token in RELATIONS:
            return Node("relation", sign(token))
        if token == ",":
            return Node("comma", sign(token))
        if token == "mod":
            return Node("infix", f"{THIN}<mi>mod</mi>{THIN}")
        if token == "-" and before in ("relation", "infix", "comma"):
            if self.tokens[0].isdigit():
                return Node("operand", self.with_scripts(f"<mn>{SIGNS['-']}{self.take()}</mn>"))
            return Node("infix", sign("-", ' form="prefix"'))
        if token in "+-·/":
            return Node("infix", sign(token))
        kind: Kind = "name" if token in NAMES else "operand"
        return Node(kind, self.with_scripts(self.atom(token)))

    def atom(self, token: str) -> str:
        """A number, a letter, a root, a matrix or what parentheses hold, without its indices."""
        if token == "[" and self.next_is("["):
            return self.matrix()
        if token in CLOSING:
            inner = joined(self.nodes(CLOSING[token]))
            opening, closing = (
                STEADY + f' form="{form}"' if token == "|" else STEADY
                for form in ("prefix", "postfix")
            )
            return f"<mrow>{sign(token, opening)}{inner}{sign(self.take(), closing)}</mrow>"
        if token == "√":
            return f"<msqrt>{self.node('infix').markup}</msqrt>"
        if token in SIGNS:
            return sign(token)
        if not token.isdigit():
            index = f"<mn>{self.take()}</mn>" if self.tokens and self.tokens[0].isdigit() else ""
            return f"<msub><mi>{token}</mi>{index}</msub>" if index else f"<mi>{token}</mi>"
        if self.next_is("/") and self.tokens[1:2] and self.tokens[1].isdigit():
            self.take()
            return f"<mfrac><mn>{token}</mn><mn>{self.take()}</mn></mfrac>"
        return f"<mn>{token}</mn>"

    def matrix(self) -> str:
        """Rows in brackets."""
        rows = []
        while self.next_is("["):
            self.take()
            cells = []
            while not self.next_is("]"):
                cells.append(f"<mtd>{joined(self.nodes(',', ']'))}</mtd>")
                if self.next_is(","):
                    self.take()
            self.take()
            rows.append(f"<mtr>{''.join(cells)}</mtr>")
            if self.next_is(","):
                self.take()
                self.skip_blank()
        self.take()
        table = f"<mtable>{''.join(rows)}</mtable>"
        return f"<mrow>{sign('[')}{table}{sign(']')}</mrow>"

    def with_scripts(self, base: str) -> str:
        """The base with what follows it as ``_j``, ``^2``, ``ᵀ`` or a prime."""
        below = above = ""
        while self.tokens and (self.tokens[0] in POSTFIXES or self.next_is("_", "^")):
            token = self.take()
            if token == "_":
                below = self.script(many=True)
            elif token == "^":
                above = self.script(many=False)
            else:
                above = POSTFIXES[token]
        if below and above:
            return f"<msubsup>{base}{below}{above}</msubsup>"
        if below:
            return f"<msub>{base}{below}</msub>"
        return f"<msup>{base}{above}</msup>" if above else base

    def script(self, many: bool) -> str:
        """What a pair of parentheses holds, or the next letter, or all letters of an index."""
        if self.next_is("("):
            self.take()
            inner = joined(self.nodes(")"))
            self.take()
            return f"<mrow>{inner}</mrow>"
        first = self.take()
        word = [first, *self.word()] if many else [first]
        if "".join(word) in ("in", "out"):
            return f"<mi>{''.join(word)}</mi>"
        parts = [f"<mn>{token}</mn>" if token.isdigit() else f"<mi>{token}</mi>" for token in word]
        return parts[0] if len(parts) == 1 else f"<mrow>{''.join(parts)}</mrow>"

    def word(self) -> Iterator[str]:
        """The letters and digits that come at once."""
        while self.tokens and WORD.fullmatch(self.tokens[0]) and self.tokens[0] not in "_ᵀ²":
            yield self.take()


def fraction(above: list[Node], below: list[Node]) -> str:
    """One over the other; parentheses around the whole of it are not needed."""
    parts = [
        re.sub(r"^<mrow><mo[^>]*>\(</mo>(.*)<mo[^>]*>\)</mo></mrow>$", r"\1", joined(nodes))
        if len(nodes) == 1
        else joined(nodes)
        for nodes in (above, below)
    ]
    return "<mfrac>" + "".join(f"<mrow>{part}</mrow>" for part in parts) + "</mfrac>"
