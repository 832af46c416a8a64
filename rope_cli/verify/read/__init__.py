"""What the user hands to verify: files of arrays and options, read and checked."""
