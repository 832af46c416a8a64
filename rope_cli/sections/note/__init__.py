"""The sections of the note track, one file each."""
