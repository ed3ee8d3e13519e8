"""Options from a file: ``mqconform.toml``, or ``[tool.mqconform]`` in ``pyproject.toml``, of the working directory.

Keys are long options without their dashes, or a letter where an option has nothing else. Those in ``SHARED`` may stand
at the top and go to the commands in ``JUDGING``; all others belong into the table of a command: ``[run]``,
``[audit.captures]``. What the command line says goes first.
"""

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any, Final

import click

from mqconform.harness.records.problem import ConfigurationError
from mqconform.harness.records.settings_file import Settings

SHARED: Final = ("iut", "facts", "deadline", "reply-timeout", "clock", "tolerance", "profile", "build")
JUDGING: Final = ("run", "smoke")
CONSENT: Final = "allow-commands"
"""Only the command line may allow commands that a file names: a settings file may have come with that file."""


def defaults_for(
    settings: Settings, name: str, command: click.Command, commands: Mapping[str, object]
) -> dict[str, Any]:
    """Return what a command takes from a file, for ``default_map``; click then holds values to their types.

    Args:
        settings: the file.
        name: of the command that the user gave.
        command: that command.
        commands: all that there are, by name.

    Raises:
        ConfigurationError: a key that no option has, or a value that none can have.
    """
    shared = {key: settings.table[key] for key in SHARED if key in settings.table}
    for key, value in settings.table.items():
        if isinstance(value, dict) and key not in commands:
            raise _unknown(settings, f"[{key}]", "no command has that name", key, commands)
        if not isinstance(value, dict) and key not in SHARED:
            raise _unknown(settings, key, f"stands outside the table of a command, such as [{name}]", key, SHARED)
    options = _options(command)
    own = {key: value for key, value in shared.items() if name in JUDGING and key in options}
    return _taken(settings, name, command, own | settings.table.get(name, {}))


def named_in(settings: Settings, name: str, command: click.Command) -> Iterator[str]:
    """Yield the keys of a file that have a say in a command."""
    own = settings.table.get(name, {})
    if name in JUDGING:
        yield from (key for key in SHARED if key in settings.table and key not in own and key in _options(command))
    yield from (f"{name}.{key}" if isinstance(value, dict) else key for key, value in own.items())


def _taken(settings: Settings, where: str, command: click.Command, table: Mapping[str, Any]) -> dict[str, Any]:
    options, context = _options(command), click.Context(command)
    below = command.list_commands(context) if isinstance(command, click.Group) else []
    taken: dict[str, Any] = {}
    for key, value in table.items():
        if isinstance(command, click.Group) and key in below and isinstance(value, dict):
            lower = command.get_command(context, key)
            assert lower is not None
            taken[key] = _taken(settings, f"{where}.{key}", lower, value)
        elif key == CONSENT:
            text = f"{settings.path}: [{where}] {key}: no file gives leave to start commands; give --{CONSENT}"
            raise ConfigurationError(text)
        elif key not in options:
            problem = f"mqconform {where.replace('.', ' ')} has no such {'command' if below else 'option'}"
            raise _unknown(settings, f"[{where}] {key}", problem, key, (*options, *below))
        else:
            option = options[key]
            several = option.multiple or option.nargs != 1
            values = value if several and isinstance(value, list) else [value]
            if not all(isinstance(part, str | int | float) for part in values):
                place = f"{settings.path}: [{where}] {key}"
                raise ConfigurationError(f"{place}: is {value!s:.100}; write a text, a number, true or false")
            taken[option.name or key] = values if several else value  # click would take a text apart
    return taken


def _options(command: click.Command) -> dict[str, click.Option]:
    options = [parameter for parameter in command.params if isinstance(parameter, click.Option)]
    return {name.lstrip("-"): option for option in options for name in option.opts}


def _unknown(
    settings: Settings, place: str, problem: str, key: str, choices: Mapping[str, object] | tuple[str, ...]
) -> ConfigurationError:
    near = get_close_matches(key, choices, n=1)
    hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(choices) or 'none'}"
    return ConfigurationError(f"{settings.path}: {place[:100]}: {problem}; {hint}")
