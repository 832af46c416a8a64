"""How users of other libraries call their rotations; nothing of them is imported before a call.

Each function makes ready what its library lets one make ready, for positions 0, 1, 2... and base
10000, and returns the call that is timed. Such a call returns one array for each rotation that it
has done. Libraries that compute their own tables are left to do so in their own way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Call = Callable[[], Sequence[Any]]

BASE = 10000.0


@dataclass(frozen=True)
class Peer:
    """A rotation of another library: its layout, what must be installed, and how it is called."""

    name: str
    layout: str
    needs: tuple[str, ...]
    dtypes: tuple[str, ...]
    prepare: Callable[[Array], Call]


def angles(x: Array) -> Array:  # -> [tokens, pairs]
    """The angle of each pair at each position, computed apart from what is measured."""
    theta = BASE ** (-np.arange(0, x.shape[-1], 2) / x.shape[-1])
    position = np.arange(x.shape[-2], dtype=np.float64)[:, np.newaxis]
    table: Array = position * theta
    return table


def one_threaded_torch() -> Any:
    """PyTorch, which has a thread for each CPU if it is not told otherwise."""
    torch: Any = import_module("torch")
    torch.set_num_threads(1)
    return torch


def transformers_pair(x: Array) -> Call:
    """The function of the LLaMA model in transformers; it rotates a query and a key in one call.

    Cosines and sines are made once for all layers there, and are ready here.
    """
    torch = one_threaded_torch()
    llama: Any = import_module("transformers.models.llama.modeling_llama")
    both = torch.from_numpy(np.concatenate([angles(x)] * 2, axis=-1))[None]
    query = torch.from_numpy(x)
    key = query.clone()
    cos, sin = both.cos().to(query.dtype), both.sin().to(query.dtype)
    return lambda: llama.apply_rotary_pos_emb(query, key, cos, sin)


def rotary_embedding_torch(x: Array) -> Call:
    """The module of rotary-embedding-torch, which keeps its angles from one call to the next."""
    torch = one_threaded_torch()
    library: Any = import_module("rotary_embedding_torch")
    rotary = library.RotaryEmbedding(dim=x.shape[-1])
    rows = torch.from_numpy(x)
    return lambda: (rotary.rotate_queries_or_keys(rows),)


def complex_torch(x: Array) -> Call:
    """The complex form in which LLaMA was first published, in PyTorch.

    Its users hold ``[batch, tokens, heads, features]``, and that is what is rotated here.
    """
    torch = one_threaded_torch()
    rows = torch.from_numpy(x).transpose(1, 2).contiguous()
    theta = torch.from_numpy(angles(x))[:, None]
    factors = torch.polar(torch.ones_like(theta), theta)
    factors = factors.to(torch.complex128 if x.dtype == np.float64 else torch.complex64)

    def rotate() -> Any:
        numbers = torch.view_as_complex(rows.reshape(*rows.shape[:-1], -1, 2))
        return torch.view_as_real(numbers * factors).flatten(-2).type_as(rows)

    return lambda: (rotate().transpose(1, 2),)


def onnx_model(x: Array, interleaved: bool) -> bytes:
    """A model of one node, the operator RotaryEmbedding, that carries its tables within it."""
    onnx: Any = import_module("onnx")
    helper, table = onnx.helper, angles(x)
    kind = helper.np_dtype_to_tensor_dtype(x.dtype)
    tables = [
        onnx.numpy_helper.from_array(values.astype(x.dtype), name)
        for name, values in (("cosines", np.cos(table)), ("sines", np.sin(table)))
    ]
    node = helper.make_node(
        "RotaryEmbedding",
        ["rows", "position", "cosines", "sines"],
        ["rotated"],
        domain="com.microsoft",
        interleaved=int(interleaved),
    )
    graph = helper.make_graph(
        [node],
        "rotation",
        [
            helper.make_tensor_value_info("rows", kind, x.shape),
            helper.make_tensor_value_info("position", onnx.TensorProto.INT64, [1]),
        ],
        [helper.make_tensor_value_info("rotated", kind, x.shape)],
        tables,
    )
    sets = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
    model = helper.make_model(graph, opset_imports=sets, ir_version=8)
    return bytes(model.SerializeToString())


def onnx_session(x: Array, interleaved: bool) -> Call:
    """A session of ONNX Runtime with that model, run as users run it."""
    runtime: Any = import_module("onnxruntime")
    options = runtime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = runtime.InferenceSession(
        onnx_model(x, interleaved), options, providers=["CPUExecutionProvider"]
    )
    position = np.zeros(1, np.int64)
    return lambda: session.run(None, {"rows": x, "position": position})


def jax_halves(x: Array) -> Call:
    """The formula over the halves of each row, compiled by JAX."""
    jax: Any = import_module("jax")
    table = angles(x)
    rows, cos, sin = (
        jax.numpy.asarray(part, x.dtype) for part in (x, np.cos(table), np.sin(table))
    )

    def formula(rows: Any, cos: Any, sin: Any) -> Any:
        left, right = jax.numpy.split(rows, 2, axis=-1)
        return jax.numpy.concatenate((left * cos - right * sin, right * cos + left * sin), axis=-1)

    compiled = jax.jit(formula)
    return lambda: (compiled(rows, cos, sin).block_until_ready(),)


SINGLE, BOTH = ("float32",), ("float32", "float64")
PEERS = (
    Peer(
        "transformers, half of a call for q and k",
        "half-split",
        ("torch", "transformers"),
        BOTH,
        transformers_pair,
    ),
    Peer(
        "rotary-embedding-torch",
        "adjacent",
        ("torch", "rotary_embedding_torch"),
        BOTH,
        rotary_embedding_torch,
    ),
    Peer("torch, complex form of LLaMA", "adjacent", ("torch",), BOTH, complex_torch),
    Peer(
        "onnxruntime, interleaved=1",
        "adjacent",
        ("onnxruntime", "onnx"),
        SINGLE,
        lambda x: onnx_session(x, True),
    ),
    Peer(
        "onnxruntime, interleaved=0",
        "half-split",
        ("onnxruntime", "onnx"),
        SINGLE,
        lambda x: onnx_session(x, False),
    ),
    Peer("jax, jit of the formula", "half-split", ("jax",), SINGLE, jax_halves),
)
