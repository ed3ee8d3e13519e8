"""Options from a file: ``mqconform.toml``, or ``[tool.mqconform]`` in ``pyproject.toml``, of the working directory.

Keys are long options without their dashes, or a letter where an option has nothing else. Those in ``SHARED`` may stand
at the top and go to the commands in ``JUDGING``; all others belong into the table of a command: ``[run]``,
``[audit.captures]``. What the command line says goes first.
"""

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, NamedTuple

import click

from mqconform.harness.records.problem import ConfigurationError
from mqconform.harness.records.text_file import read_toml

OWN_FILE: Final = "mqconform.toml"
PROJECT_FILE: Final = "pyproject.toml"
LARGEST: Final = 1 << 20
SHARED: Final = ("iut", "facts", "deadline", "reply-timeout", "clock", "tolerance", "profile", "build")
JUDGING: Final = ("run", "smoke")
CONSENT: Final = "allow-commands"
"""Only the command line may allow commands that a file names: a settings file may have come with that file."""


class Settings(NamedTuple):
    """What a file says, and where it says so."""

    path: Path
    table: Mapping[str, Any]


def read_settings(named: Path | None) -> Settings | None:
    """Return the settings of a file that the user names, else those of the working directory, None without any.

    Raises:
        ConfigurationError: the file cannot be read, is no TOML, or has no table for mqconform although it is named.
    """
    if named is not None:
        table = _table(named)
        if table is None:
            raise ConfigurationError(f"{named}: has no table [tool.mqconform]; add it, or name another file")
        return Settings(named, table)
    for path in (Path(OWN_FILE), Path(PROJECT_FILE)):
        if path.is_file() and (table := _table(path)) is not None:
            return Settings(path, table)
    return None


def _table(path: Path) -> Mapping[str, Any] | None:
    document = read_toml(path, LARGEST, "a file of options")
    if path.name != PROJECT_FILE:
        return document
    tools = document.get("tool", {})
    table = tools.get("mqconform") if isinstance(tools, dict) else None
    if table is not None and not isinstance(table, dict):
        raise ConfigurationError(f"{path}: tool.mqconform: is no table; write [tool.mqconform]")
    return table


def defaults_for(
    settings: Settings, name: str, command: click.Command, commands: Mapping[str, object]
) -> dict[str, Any]:
    """Return what a command takes from a file, as click's ``default_map`` wants it.

    Args:
        settings: the file.
        name: of the command that the user gave.
        command: that command.
        commands: all that there are, by name.

    Raises:
        ConfigurationError: a key that no option has, or a value of another kind than the option takes.
    """
    for key, value in settings.table.items():
        if isinstance(value, dict) and key not in commands:
            raise _unknown(settings, f"[{key}]", "no command has that name", key, commands)
        if not isinstance(value, dict) and key not in SHARED:
            raise _unknown(settings, key, f"stands outside the table of a command, such as [{name}]", key, SHARED)
    taken: dict[str, Any] = {}
    if name in JUDGING:
        options = _options(command)
        shared: dict[str, Any] = {
            key: settings.table[key] for key in SHARED if key in settings.table and key in options
        }
        taken = _taken(settings, "", command, shared)
    return taken | _taken(settings, name, command, settings.table.get(name, {}))


def named_in(settings: Settings, name: str, command: click.Command) -> Iterator[str]:
    """Yield the keys of a file that have a say in a command."""
    own = settings.table.get(name, {})
    if name in JUDGING:
        yield from (key for key in SHARED if key in settings.table and key not in own and key in _options(command))
    yield from (f"{name}.{key}" if isinstance(value, dict) else key for key, value in own.items())


def _taken(settings: Settings, where: str, command: click.Command, table: Mapping[str, Any]) -> dict[str, Any]:
    if isinstance(command, click.Group):
        return _taken_by_group(settings, where, command, table)
    options = _options(command)
    taken = {}
    for key, value in table.items():
        place = f"[{where}] {key}" if where else key
        if key == CONSENT:
            raise ConfigurationError(
                f"{settings.path}: {place}: no file gives leave to start commands; give --{CONSENT}"
            )
        if key not in options:
            raise _unknown(settings, place, f"mqconform {where.replace('.', ' ')} has no such option", key, options)
        option = options[key]
        assert option.name is not None
        taken[option.name] = _value(settings, place, option, value)
    return taken


def _taken_by_group(settings: Settings, where: str, group: click.Group, table: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the commands of a group take; the group itself may have options beside their tables."""
    context = click.Context(group)
    below = {name: command for name in group.list_commands(context) if (command := group.get_command(context, name))}
    tables = {key: value for key, value in table.items() if key in below and isinstance(value, dict)}
    own = {key: value for key, value in table.items() if key not in tables}
    if wrong := next((key for key, value in own.items() if isinstance(value, dict)), None):
        problem = f"mqconform {where} has no such command"
        raise _unknown(settings, f"[{where}.{wrong}]", problem, wrong, below)
    taken = _taken(settings, where, click.Command(group.name, params=group.params), own)
    for name, own in tables.items():
        taken[name] = _taken(settings, f"{where}.{name}", below[name], own)
    return taken


def _options(command: click.Command) -> dict[str, click.Option]:
    """Return the options of a command by the keys that they have in a file."""
    options = [parameter for parameter in command.params if isinstance(parameter, click.Option)]
    return {name.lstrip("-"): option for option in options for name in option.opts}


def _value(settings: Settings, place: str, option: click.Option, value: object) -> object:
    """Return a value as click takes it for an option; click itself then holds it to the option's type."""
    if option.is_flag and option.is_bool_flag:
        if not isinstance(value, bool):
            raise _wrong(settings, place, value, "true or false")
        return value
    if option.multiple or option.nargs != 1:
        values = value if isinstance(value, list) else [value]
        if not all(_is_plain(part) for part in values):
            raise _wrong(settings, place, value, "a list of texts or numbers")
        return values
    if not _is_plain(value):
        raise _wrong(settings, place, value, "a text or a number")
    return value


def _is_plain(value: object) -> bool:
    return isinstance(value, str | int | float) and not isinstance(value, bool)


def _wrong(settings: Settings, place: str, value: object, expected: str) -> ConfigurationError:
    return ConfigurationError(f"{settings.path}: {place}: is {str(value)[:100]}; write {expected}")


def _unknown(
    settings: Settings, place: str, problem: str, key: str, choices: Mapping[str, object] | tuple[str, ...]
) -> ConfigurationError:
    near = get_close_matches(key, choices, n=1)
    hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(choices) or 'none'}"
    return ConfigurationError(f"{settings.path}: {place[:100]}: {problem}; {hint}")
