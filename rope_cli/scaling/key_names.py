"""What configs call the same thing, the name of Hugging Face first."""

from __future__ import annotations

HIDDEN_NAMES = "hidden_size", "n_embd", "d_model", "n_embed", "model_dim", "embed_dim", "dim"
HEAD_COUNT_NAMES = "num_attention_heads", "n_head", "n_heads", "num_heads", "attention_heads"
HEAD_WIDTH_NAMES = "head_dim", "d_head", "head_size", "attention_head_size", "head_width"
CONTEXT_NAMES = (
    *("max_position_embeddings", "n_positions", "seq_length", "max_seq_len", "max_seq_length"),
    *("max_sequence_length", "n_ctx", "context_length", "max_context_length", "seq_len"),
)
BASE_NAMES = "rope_theta", "rotary_emb_base", "global_rope_theta", "rope_base", "rotary_base"
LOCAL_BASE_NAMES = "rope_local_base_freq", "local_rope_theta"
SHARE_NAMES = (
    *("partial_rotary_factor", "rotary_pct", "rotary_percent", "rotary_percentage", "rope_pct"),
)
# Other keys of a model that concern rotation.
ORIGINAL = "original_max_position_embeddings"
SINGLE_NAMES = "rotary_dim", "rope_interleave", ORIGINAL
# Objects that say how to scale, the one that counts first.
ROPE_OBJECTS = "rope_scaling", "rope_parameters"
# One name of each group is enough, so the others are not missing.
GROUPS: tuple[tuple[str, ...], ...] = (
    *(HIDDEN_NAMES, HEAD_COUNT_NAMES, HEAD_WIDTH_NAMES, CONTEXT_NAMES, BASE_NAMES),
    *(LOCAL_BASE_NAMES, SHARE_NAMES, ROPE_OBJECTS),
    *((name,) for name in SINGLE_NAMES),
)
