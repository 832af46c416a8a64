"""The audit of the chapter and of the note: each claim, its verdict, and its number computed."""
