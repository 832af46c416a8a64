"""What test modules share; they do not import one another."""
