"""What a config of a real model must not hide: no rotation, unrotated layers, another width."""

import json
from pathlib import Path
from typing import Any

import pytest

from rope_cli.scaling.config import read_config
from rope_cli.scaling.report import config_document

PLAIN = {"head_dim": 64, "max_position_embeddings": 1024}


def kinds(tmp_path: Path, **keys: Any) -> list[str]:
    """The kinds of warnings about a file with these keys."""
    path = tmp_path / "config.json"
    path.write_text(json.dumps({**PLAIN, "rope_theta": 10000.0, **keys}))
    return [warning.kind.name for warning in read_config(str(path)).warnings]


def test_a_plain_config_has_no_warning(tmp_path: Path) -> None:
    """The warnings below come from the keys below."""
    assert kinds(tmp_path, model_type="llama", no_rope_layers=[], alibi=False) == []


def test_another_width_is_compared_whatever_the_method(tmp_path: Path) -> None:
    """hidden_size / num_attention_heads is a known mistake for linear scaling as well."""
    path = tmp_path / "config.json"
    scaling = {"rope_type": "linear", "factor": 8.0}
    widths = {"hidden_size": 2560, "num_attention_heads": 8, "head_dim": 256}
    path.write_text(json.dumps({**PLAIN, **widths, "rope_theta": 1e6, "rope_scaling": scaling}))
    section = config_document(read_config(str(path)), None, False).sections[0]
    [difference] = section.values["elsewhere"]
    assert difference["here"] == pytest.approx(1e6 ** (-2 / 256) / 8, rel=1e-12)
    assert difference["there"] == pytest.approx(1e6 ** (-2 / 320) / 8, rel=1e-12)
