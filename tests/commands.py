"""The commands of the command line."""


def iter_commands(group, *names):
    """Yield (names, command) for every command, including those of groups."""
    for name in group.list_commands(None):
        command = group.get_command(None, name)
        if hasattr(command, "list_commands"):
            yield from iter_commands(command, *names, name)
        else:
            yield (*names, name), command
