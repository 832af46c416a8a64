"""What the user types or names: read, checked, and refused in one line."""
