"""Experiments that several sections share: rows far apart, broken rotations, a toy decoder ..."""
