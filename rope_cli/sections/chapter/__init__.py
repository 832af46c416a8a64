"""The sections of the chapter track, one file each."""
