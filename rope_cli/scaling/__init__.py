"""Configurations of real models: read, checked, computed twice, and compared with other code."""
