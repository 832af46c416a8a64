"""The command line: options, commands, help, and what goes to the terminal or to a file."""
