"""Predict first: questions with numbers to commit to, their answers, and marks."""
