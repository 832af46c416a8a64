"""Somebody else's arrays: are they RoPE, which RoPE, and if not, what is wrong."""
