"""Where in a config the language model stands: at the top, or in an object of its own.

Models that also see, hear or speak keep the keys of their language model in an inner object, whose
name differs from model to model.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rope_cli.document.vocabulary import t
from rope_cli.scaling import warnings
from rope_cli.scaling.json_files import ConfigObject, Lookup, format_key
from rope_cli.scaling.key_names import (
    BASE_NAMES,
    HEAD_COUNT_NAMES,
    HEAD_WIDTH_NAMES,
    HIDDEN_NAMES,
    ROPE_OBJECTS,
)
from rope_cli.scaling.warnings import Warnings
from rope_cli.text import Text
from rope_cli.user_input.command_errors import (
    CommandRefusal,
    closest_match,
    quoted,
    quoted_path,
)

# Objects that hold a language model, the likeliest first; in Omni models the thinker reads and
# writes the text, and the talker only speaks.
LANGUAGE_PARTS = (
    *("text_config", "llm_config", "language_config", "lm_config", "language_model_config"),
    *("text_model_config", "llm_cfg", "text_cfg", "thinker_config", "talker_config"),
)
# Objects that may hold one, read only if the top describes no model itself.
POSSIBLE_PARTS = "language_model", "text_model", "llm", "model_config", "decoder", "model"
# Objects with keys of the attention, and those of the layers around them.
ATTENTION_PARTS = "attn_config", "attn"
NO_PARTS_OF_A_MODEL = {*ROPE_OBJECTS, *ATTENTION_PARTS}
DEEPEST = 4
MOST_SHOWN = 12


class UnknownPart(CommandRefusal):
    """A part of a config that is not there, or a file whose model stands in one of its parts."""

    kind = "unknown-part"
    SENTENCE = t(
        "{path}: there is no object {part} that describes a model; accepted: {accepted}",
        "{path}: нет объекта {part}, в котором описана модель; допустимо: {accepted}",
    )


class NoModel(CommandRefusal):
    """No language model at the top of a config or in an object that is known to hold one."""

    kind = "no-model"
    SENTENCE = t(
        "{path}: no language model is found; accepted: --part with {accepted}",
        "{path}: языковая модель не найдена; допустимо: --part и одно из имён {accepted}",
    )


NO_PARTS = t(
    "no --part, since no object inside holds one", "не задавать --part, таких объектов нет"
)


def choose_part(config: Lookup, part: str | None, collected: Warnings) -> tuple[Lookup, str]:
    """A lookup in the language model of a config, or in ``part`` of it, and the keys to it.

    What the language model leaves out is looked for around it. Raises :class:`UnknownPart`,
    :class:`NoModel` and ``BadConfigValue``.
    """
    top = config.objects[0].content
    config.inside(LANGUAGE_PARTS[0])  # refused if it is no object
    if part is None:
        candidates = list(language_parts(top))
        if not candidates:
            if not describes_model(top):
                refuse_other_parts(config)
            return with_attention(config, ""), ""
        part, *others = candidates
        if others:
            collected.add(warnings.SEVERAL_MODELS, key=part, used=", ".join(others[:MOST_SHOWN]))
    elif part not in set(parts(top)):
        names = list(parts(top))
        accepted: Text | str = ", ".join(map(format_key, names[:MOST_SHOWN])) or NO_PARTS
        raise UnknownPart(
            closest_match(part, names),
            path=quoted_path(config.path),
            part=quoted(part),
            accepted=accepted,
        )
    return with_attention(config, part), part


def with_attention(config: Lookup, part: str) -> Lookup:
    """The objects in which the keys of a part are looked up, the innermost first."""
    names = part.split(".") if part else []
    objects = list(config.objects)
    content: Any = config.objects[0].content
    for depth, name in enumerate(names, 1):
        content = content[name]
        inner = ConfigObject(".".join(names[:depth]) + ".", content)
        # Only a language model takes from around it what it leaves out.
        objects = [inner, *objects] if name in LANGUAGE_PARTS else [inner]
    prefix = objects[0].prefix
    attention = [
        ConfigObject(f"{prefix}{name}.", content[name])
        for name in ATTENTION_PARTS
        if isinstance(content.get(name), dict) and describes_model(content[name])
    ]
    return Lookup(config.path, (*attention, *objects), config.sources)


def language_parts(content: Mapping[str, Any]) -> Iterator[str]:
    """The keys that lead to each language model inside an object."""
    possible = () if describes_model(content) else POSSIBLE_PARTS
    yield from parts(content, LANGUAGE_PARTS + possible)


def parts(
    content: Mapping[str, Any], names: Sequence[str] | None = None, depth: int = DEEPEST
) -> Iterator[str]:
    """The keys that lead to each inner object that describes a model, of some names or of any.

    Of a model that is nested in another one only the inner one counts.
    """
    for name in content if names is None else names:
        inner = content.get(name)
        if not isinstance(inner, dict) or name in NO_PARTS_OF_A_MODEL:
            continue
        nested = [f"{name}.{rest}" for rest in parts(inner, names, depth - 1)] if depth else []
        yield from nested
        if not nested and (describes_model(inner) or "model_type" in inner):
            yield name


def describes_model(content: Mapping[str, Any]) -> bool:
    """Whether an object has keys of an attention layer."""
    return any(content.get(name) is not None for name in MODEL_KEYS)


MODEL_KEYS = {
    *HIDDEN_NAMES,
    *HEAD_COUNT_NAMES,
    *HEAD_WIDTH_NAMES,
    *BASE_NAMES,
    *ROPE_OBJECTS,
}


def refuse_other_parts(config: Lookup) -> None:
    """Refuse a config whose top describes no model while some object inside does."""
    others = list(parts(config.objects[0].content))
    if others:
        accepted = ", ".join(map(format_key, others[:MOST_SHOWN]))
        raise NoModel(path=quoted_path(config.path), accepted=accepted)
