"""Rotations of other libraries as their users call them; a library is imported when it is called.

A rotation takes rows ``[1, heads, tokens, features]`` in float64, their positions and the name of
a dtype; it computes in that dtype and returns the rotated rows in float64.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Rotation = Callable[[Array, Array, str], Array]

ALL, SINGLE, NO_BFLOAT = (
    ("float32", "float16", "bfloat16"),
    ("float32",),
    ("float32", "float16"),
)
BASE = 10000.0


@dataclass(frozen=True)
class Peer:
    """A rotation: what must be installed, its layout and width, and how ``verify`` is told of it.

    ``config`` makes the ``config.json`` of a model, ``words`` are further options.
    """

    name: str
    needs: tuple[str, ...]
    layout: str
    width: int
    rotate: Rotation
    dtypes: tuple[str, ...] = ALL
    config: Callable[[], Mapping[str, Any]] | None = None
    words: Sequence[str] = field(default=())


def torch_rows(rows: Array, dtype: str) -> Any:
    """Rows as a tensor."""
    torch: Any = import_module("torch")
    return torch.from_numpy(rows).to(getattr(torch, dtype))


def model_parts(folder: str, config: str, values: Mapping[str, Any]) -> tuple[Any, Any]:
    """The modelling file of transformers and a config of its class."""
    package = f"transformers.models.{folder}"
    kinds = import_module(f"{package}.configuration_{folder}")
    return import_module(f"{package}.modeling_{folder}"), getattr(kinds, config)(**values)


def model_rotation(
    folder: str, config: str, rotary: str, values: Mapping[str, Any], **more: str
) -> Rotation:
    """The rotary module of a model with the function that applies its cosines and sines."""
    name, layer_type = more.get("apply", "apply_rotary_pos_emb"), more.get("layer_type")

    def rotate(rows: Array, positions: Array, dtype: str) -> Array:
        torch: Any = import_module("torch")
        modeling, settings = model_parts(folder, config, values)
        module, x = getattr(modeling, rotary)(settings), torch_rows(rows, dtype)
        ids = torch.from_numpy(positions)[None]
        tables = module(x, ids) if layer_type is None else module(x, ids, layer_type)
        tables = tables if isinstance(tables, tuple) else (tables,)
        q, _ = getattr(modeling, name)(x, x.clone(), *tables)
        return np.asarray(q.double().numpy())

    return rotate


def model(
    folder: str,
    config: str,
    layout: str,
    width: int,
    values: Mapping[str, Any],
    **more: str,
) -> Peer:
    """A model of transformers; its own config is what ``verify`` reads."""
    rotary = more.pop("rotary", config.removesuffix("Config").removesuffix("Text"))
    rotate = model_rotation(folder, config, f"{rotary}RotaryEmbedding", values, **more)
    words = ("--layer-type", more["layer_type"]) if "layer_type" in more else ()
    scaling = values.get("rope_parameters", {}).get("rope_type", "")
    name = f"transformers {folder}{' ' * bool(scaling)}{scaling}"
    return Peer(
        *(name, ("torch", "transformers"), layout, width, rotate),
        config=lambda: model_parts(folder, config, values)[1].to_dict(),
        words=words,
    )


def reordered(peer: Peer, columns: Sequence[int]) -> Peer:
    """A peer that writes its results in another order, put back in that of the input."""

    def rotate(rows: Array, positions: Array, dtype: str) -> Array:
        return peer.rotate(rows, positions, dtype)[..., columns]

    return Peer(**{**vars(peer), "rotate": rotate, "name": f"{peer.name}, put back in order"})


def gptj(rows: Array, positions: Array, dtype: str) -> Array:
    """The table of sines of GPT-J, made by its own function for every position up to the last."""
    torch: Any = import_module("torch")
    modeling: Any = import_module("transformers.models.gptj.modeling_gptj")
    x = torch_rows(rows, dtype).transpose(1, 2)
    table = modeling.create_sinusoidal_positions(int(positions.max()) + 1, rows.shape[-1])
    sines, cosines = table[torch.from_numpy(positions)][None].to(x.dtype).chunk(2, dim=-1)
    rotated = modeling.apply_rotary_pos_emb(x, sines, cosines).transpose(1, 2)
    return np.asarray(rotated.double().numpy())


def complex_llama(rows: Array, positions: Array, dtype: str) -> Array:
    """The complex form in which LLaMA was first published, in PyTorch."""
    torch: Any = import_module("torch")
    x, d = torch_rows(rows, dtype), rows.shape[-1]
    theta = 1.0 / (BASE ** (torch.arange(0, d, 2)[: d // 2].float() / d))
    angles = torch.outer(torch.from_numpy(positions).float(), theta)
    factors = torch.polar(torch.ones_like(angles), angles)
    numbers = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2))
    rotated = torch.view_as_real(numbers * factors).flatten(-2).type_as(x)
    return np.asarray(rotated.double().numpy())


def rotary_embedding_torch(rows: Array, positions: Array, dtype: str) -> Array:
    """The function of rotary-embedding-torch, by frequencies that its module computes."""
    torch: Any = import_module("torch")
    library: Any = import_module("rotary_embedding_torch")
    x = torch_rows(rows, dtype)
    module = library.RotaryEmbedding(dim=rows.shape[-1])
    angles = module(torch.from_numpy(positions).float())
    return np.asarray(library.apply_rotary_emb(angles, x).detach().double().numpy())


def mlx_rotation(traditional: bool) -> Rotation:
    """The kernel of MLX, which begins at an offset."""

    def rotate(rows: Array, positions: Array, dtype: str) -> Array:
        core: Any = import_module("mlx.core")
        x = core.array(rows.astype(np.float32)).astype(getattr(core, dtype))
        d, offset = rows.shape[-1], int(positions[0])
        rotated = core.fast.rope(x, d, traditional=traditional, base=BASE, scale=1.0, offset=offset)
        return np.asarray(rotated.astype(core.float32)).astype(np.float64)

    return rotate


def keras_hub_rotation(rows: Array, positions: Array, dtype: str) -> Array:
    """The layer of KerasHub, whose tokens lie on axis 1."""
    keras: Any = import_module("keras")
    layers: Any = import_module("keras_hub").layers
    layer = layers.RotaryEmbedding(max_wavelength=BASE, dtype=dtype)
    x = keras.ops.cast(rows.swapaxes(1, 2).astype(np.float32), dtype)
    rotated = keras.ops.cast(layer(x, start_index=int(positions[0])), "float32")
    return np.asarray(keras.ops.convert_to_numpy(rotated), np.float64).swapaxes(1, 2)


def onnx_rotation(interleaved: bool) -> Rotation:
    """The operator RotaryEmbedding of ONNX Runtime, with tables rounded to its dtype."""

    def rotate(rows: Array, positions: Array, dtype: str) -> Array:
        onnx: Any = import_module("onnx")
        runtime: Any = import_module("onnxruntime")
        x = rows.astype(dtype)
        theta = BASE ** (-np.arange(0, x.shape[-1], 2) / x.shape[-1])
        angles = positions[:, np.newaxis] * theta
        kind, helper = onnx.helper.np_dtype_to_tensor_dtype(x.dtype), onnx.helper
        tables = [
            onnx.numpy_helper.from_array(values.astype(x.dtype), name)
            for name, values in (("cosines", np.cos(angles)), ("sines", np.sin(angles)))
        ]
        names = ["rows", "position", "cosines", "sines"]
        more = {"domain": "com.microsoft", "interleaved": int(interleaved)}
        node = helper.make_node("RotaryEmbedding", names, ["rotated"], **more)
        first = helper.make_tensor_value_info("position", onnx.TensorProto.INT64, [1])
        taken = [helper.make_tensor_value_info("rows", kind, x.shape), first]
        given = [helper.make_tensor_value_info("rotated", kind, x.shape)]
        graph = helper.make_graph([node], "rotation", taken, given, tables)
        sets = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
        whole = helper.make_model(graph, opset_imports=sets, ir_version=8)
        session = runtime.InferenceSession(
            whole.SerializeToString(), providers=["CPUExecutionProvider"]
        )
        [rotated] = session.run(None, {"rows": x, "position": np.zeros(1, np.int64)})
        return np.asarray(rotated, np.float64)

    return rotate


def jax_formula(rows: Array, positions: Array, dtype: str) -> Array:
    """The formula over the halves of each row with a float32 table, in JAX."""
    numbers: Any = import_module("jax.numpy")
    x, d = numbers.asarray(rows, dtype), rows.shape[-1]
    theta = 1.0 / (BASE ** (numbers.arange(0, d, 2, dtype="float32") / d))
    angles = numbers.asarray(positions, "float32")[:, None] * theta
    cos, sin = numbers.cos(angles).astype(dtype), numbers.sin(angles).astype(dtype)
    left, right = numbers.split(x, 2, axis=-1)
    rotated = numbers.concatenate((left * cos - right * sin, right * cos + left * sin), axis=-1)
    return np.asarray(rotated.astype("float32"), np.float64)


def llama_cpp_loop(rows: Array, positions: Array, dtype: str) -> Array:
    """The loop of llama.cpp on a CPU: an angle is the one before it times a step, in float32."""
    x, d = rows.astype(dtype).astype(np.float32), rows.shape[-1]
    step, angles = np.float32(BASE ** (-2.0 / d)), positions.astype(np.float32)
    rotated = x.copy()
    for left in range(d // 2):
        right = left + d // 2
        cos, sin = np.cos(angles), np.sin(angles)
        rotated[..., left] = x[..., left] * cos - x[..., right] * sin
        rotated[..., right] = x[..., left] * sin + x[..., right] * cos
        angles = angles * step
    return rotated.astype(dtype).astype(np.float64)


GPT_OSS = {
    "head_dim": 64,
    "rope_parameters": {
        "rope_type": "yarn",
        "rope_theta": 150000.0,
        "factor": 32.0,
        "beta_fast": 32.0,
        "beta_slow": 1.0,
        "truncate": False,
        "original_max_position_embeddings": 4096,
    },
}
LLAMA3 = {
    "rope_type": "llama3",
    "rope_theta": 500000.0,
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 8192,
}
LINEAR = {"rope_type": "linear", "rope_theta": 10000.0, "factor": 4.0}
DYNAMIC = {"rope_type": "dynamic", "rope_theta": 10000.0, "factor": 2.0}
LONG = {"max_position_embeddings": 131072, "head_dim": 128}
HALF, ADJACENT = "half-split", "adjacent"
DEEPSEEK = model(
    *("deepseek_v3", "DeepseekV3Config", ADJACENT, 64, {"max_position_embeddings": 131072}),
    apply="apply_rotary_pos_emb_interleave",
)
IN_ORDER = [i // 2 + 32 * (i % 2) for i in range(64)]

PEERS = (
    Peer("llama.cpp's loop, in numpy", ("numpy",), HALF, 128, llama_cpp_loop, NO_BFLOAT),
    model("llama", "LlamaConfig", HALF, 128, LONG),
    model("llama", "LlamaConfig", HALF, 128, {**LONG, "rope_parameters": LLAMA3}),
    model("llama", "LlamaConfig", HALF, 128, {**LONG, "rope_parameters": LINEAR}),
    model("gpt_neox", "GPTNeoXConfig", HALF, 24, {"max_position_embeddings": 131072}),
    model("phi", "PhiConfig", HALF, 32, {"max_position_embeddings": 131072}),
    model("cohere", "CohereConfig", ADJACENT, 128, {"max_position_embeddings": 131072}),
    reordered(DEEPSEEK, IN_ORDER),
    model(
        *("deepseek_v2", "DeepseekV2Config", ADJACENT, 64, {"max_position_embeddings": 131072}),
        apply="apply_rotary_emb",
    ),
    model("gpt_oss", "GptOssConfig", HALF, 64, GPT_OSS),
    *(
        model(
            *("gemma3", "Gemma3TextConfig", HALF, 256, {"max_position_embeddings": 131072}),
            layer_type=name,
        )
        for name in ("full_attention", "sliding_attention")
    ),
    model("olmo2", "Olmo2Config", HALF, 128, {"max_position_embeddings": 131072}),
    model("glm4", "Glm4Config", ADJACENT, 64, {"max_position_embeddings": 131072}),
    Peer("transformers gptj", ("torch", "transformers"), ADJACENT, 64, gptj),
    Peer("torch, complex form of LLaMA", ("torch",), ADJACENT, 128, complex_llama),
    Peer(
        *("rotary-embedding-torch", ("torch", "rotary_embedding_torch"), ADJACENT, 64),
        rotary_embedding_torch,
    ),
    *(
        Peer(
            *(f"onnxruntime, interleaved={number}", ("onnx", "onnxruntime"), layout, 128),
            *(onnx_rotation(bool(number)), NO_BFLOAT),
        )
        for number, layout in enumerate((HALF, ADJACENT))
    ),
    *(
        Peer(f"mlx fast.rope, traditional={flag}", ("mlx.core",), layout, 128, mlx_rotation(flag))
        for flag, layout in ((False, HALF), (True, ADJACENT))
    ),
    Peer("keras-hub RotaryEmbedding", ("keras_hub",), HALF, 64, keras_hub_rotation),
    Peer("jax, the formula", ("jax",), HALF, 128, jax_formula),
)
