"""Experiments that several sections share: broken rotations, their detectors, a toy decoder."""
