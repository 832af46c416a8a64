"""From measurements to an explanation: hypotheses, laws of frequencies, and the verdict."""
