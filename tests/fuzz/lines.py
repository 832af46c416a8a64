"""Random command lines: a command and options that it knows, into which something else slips."""

from __future__ import annotations

from random import Random

from fuzz.case import ENCODINGS, ENVIRONMENT_LANGUAGES, Case
from rope_cli.cli.commands import rope_report
from rope_cli.cli.completion import SHELLS
from rope_cli.cli.options import COLORS, options_of
from rope_cli.renderers import FORMATS
from rope_cli.report import tracks
from rope_cli.text import LANGUAGES

OPTIONS = sorted(
    {
        name
        for command in (rope_report, *rope_report.commands.values())
        for option in options_of(command)
        for name in option.opts
    }
)
PATHS = ("-", ".", "", "out.txt", "nowhere/out.txt", "empty", "/dev/stdout", "/dev/full")
SENSIBLE: dict[str, tuple[str, ...]] = {
    "--lang": LANGUAGES,
    "--format": FORMATS,
    "--color": COLORS,
    "--width": ("40", "80", "auto"),
    "-o": PATHS,
    "--output": PATHS,
    "--golden-dir": PATHS,
    "-d": ("2", "8", "3", "1024", "0", "٤"),
    "--feature-width": ("4", "6", "-4", "1e3"),
    "-b": ("10000", "0.5", "1", "nan", "1e15", "-1"),
    "--base": ("5e5", "0", "inf", "1e-9"),
    "--positions": ("0:3", "0,1,7", "5", "9007199254740990", "0:99999", "3:1", ",", "-1"),
    "--shift": ("0", "100000", "9007199254740991", "1.5"),
    "--query": ("1,0,1,0", "1,2;3,4", "0,0", "1e15,-1e15", "nan,1", "rows.npy", "rows.json", ";"),
    "--key": ("1,-1", "1,0,1,0;0,1,0,1;1,1,1,1", "1e16,0", "rows.csv", "zip.npy", "x"),
    "--layout": ("adjacent", "half-split", "mixed"),
    "--dtype": ("float64", "float32", "float16"),
    "--rows": ("summary", "all", "some"),
    "--length": ("1", "131072", "0", "9007199254740993", "x"),
    "--config": ("config.json", "broken.json", "turned.npz", *PATHS[:-2]),
    "--part": ("text_config", "0", "text_config.0", ""),
    "--first-feature": ("0", "2", "-2", "1023", "9007199254740993"),
    "--encoding": ("utf-8", "cp1251", "rot13", "", "\x00", "idna"),
    "--progress": ("out.txt", "rows.csv", "empty", "zip.npy", ""),
    "--layer-type": ("full_attention", "", "\n"),
    "--offset": ("0", "1", "9007199254740992", "-1"),
    "--axes": ("tokens,features", "features,tokens", "tokens", "tokens,tokens", "", ",,"),
    "--tolerance": ("1e-3", "1e-300", "1", "0", "nan", "2"),
    "--input-name": ("input", "output", "positions", "\x1b", ""),
    "--output-name": ("output", "input", "\n", ""),
    "--seed": ("0", "7", "-1", "9007199254740993", "x"),
    "--handout": ("questions", "answers", "both"),
}
VALUES = (*LANGUAGES, *FORMATS, *COLORS, *SHELLS, *PATHS, "39", "1e2", "--")
SECTIONS = (*tracks.GROUPS, *tracks.SLUGS)
COMMANDS = (
    *((name,) for name in rope_report.commands),
    (),
    ("show", "norms"),
    ("completion", "zsh"),
    ("check", "--golden-dir", "empty"),
    ("show", "frequencies", "rotations", "dot-products"),
    ("scaling", "config.json"),
    ("scaling", "broken.json"),
    ("verify", "turned.npz"),
    ("verify", "turned.npz", "turned.npz"),
    ("verify", "rows.npy", "rows.json"),
    ("verify", "zip.npy"),
    ("verify", "--frequencies", "one.csv"),
    ("verify", "--frequencies", "broken.json"),
    ("predict", "norms"),
    ("mark", "rows.csv", "norms"),
    ("mark", "broken.json"),
    ("mark", "zip.npy"),
    ("figure", "bound"),
)
# The others end at once, or rewrite what all cases share.
QUIET = [name for name in OPTIONS if name not in ("-h", "--help", "--version")]
COMMON = [name for name in QUIET if name not in ("--update", "--golden-dir")]
# Blocks of signs: ASCII, Latin, Cyrillic, blanks and directions, surrogates, wide, everything.
SIGNS = (
    (0x01, 0x7F),
    (0x80, 0x24F),
    (0x400, 0x45F),
    (0x2000, 0x206F),
    (0xD800, 0xDFFF),
    (0xFF00, 0xFF20),
    (0x01, 0x10FFFF),
)


def random_line(random: Random) -> Case:
    """A command line that might be meant, or not."""
    before = several(random, 2, known) if random.random() < 0.5 else several(random, 2, anything)
    command = random.choice(COMMANDS)
    if random.random() < 0.5:
        after = several(random, 3, lambda random: known_or_section(random))
    else:
        after = several(random, 5, lambda random: loud_or_anything(random))
    return Case(
        (*before, *command, *after),
        language=random.choice(ENVIRONMENT_LANGUAGES),
        encoding=random.choice(ENCODINGS),
    )


def several(random: Random, most: int, make: object) -> list[str]:
    """Up to so many pieces of a line."""
    assert callable(make)
    return [word for _ in range(random.randint(0, most)) for word in make(random)]


def option(random: Random, names: list[str]) -> list[str]:
    """An option with a value that could be meant."""
    name = random.choice(names)
    return [name, random.choice(SENSIBLE[name])] if name in SENSIBLE else [name]


def known(random: Random) -> list[str]:
    """An option of printing or of one of the commands."""
    return option(random, COMMON)


def known_or_section(random: Random) -> list[str]:
    """An option, or the name of a section."""
    return known(random) if random.random() < 0.5 else [random.choice(SECTIONS)]


def loud_or_anything(random: Random) -> list[str]:
    """Any option, or any word."""
    return option(random, QUIET) if random.random() < 0.5 else anything(random)


def anything(random: Random) -> list[str]:
    """A word of the command line's own, put together anyhow, or made of any signs."""
    kind = random.randrange(5)
    if kind == 0:
        return [random.choice((*rope_report.commands, *SECTIONS, *OPTIONS, *VALUES))]
    if kind == 1:
        value = random.choice(VALUES) if random.random() < 0.5 else signs(random)
        return [f"{random.choice(OPTIONS)}={value}"]
    if kind == 2:
        return ["-" + signs(random)]
    return [signs(random)]


def signs(random: Random) -> str:
    """Up to six signs; no slash, so that every file written stays in the folder of the trial."""
    block = random.choice(SIGNS)
    text = "".join(chr(random.randint(*block)) for _ in range(random.randint(0, 6)))
    return text.replace("/", "")
