"""Trials of ``verify``: random arrays, right and wrong, by code that shares nothing with it."""
