"""Options of every command that reads an enterprise: from a file, or from a directory that a SOURCE names."""

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, Final

import click

from mqconform.harness.cli.parameters import FILE, Decorator, UsualFirst, flag, option, seconds_option, stacked
from mqconform.harness.iut.directory_interface import DirectoryAccess
from mqconform.harness.tools.enterprise.file import MAX_SIZE
from mqconform.harness.tools.enterprise.source import SourceOptions, gates_by, password_in
from mqconform.reference.directory.ldap_gates import GatePolicy

MEBIOCTET: Final = 1024 * 1024
file_argument = click.argument("file", metavar="FILE", type=click.Path())
DEFAULTS: Final = DirectoryAccess()
ACCESS: Final = ("bind", "kerberos", "ca", "server_name", "starttls", "allow_cleartext", "global_catalog", "page_size")
"""Options that are fields of ``DirectoryAccess``."""

SOURCE_HELP: Final = "file, JSON or YAML, - for stdin; or a directory: ldaps://HOST, ldap://HOST, ldif:FILE"

_OPTIONS: Final = stacked(
    option("--bind", "LDAP: name to bind as; anonymous without it.", metavar="NAME", default="", show_default=False),
    option("--password-file", "LDAP: file with only the password.", FILE),
    flag("--kerberos", "LDAP: bind with your Kerberos ticket; needs gssapi."),
    option("--ca", "LDAP: authorities to verify the server with, PEM.", FILE),
    option("--server-name", "LDAP: name in the server's certificate.", metavar="NAME", default="", show_default=False),
    flag("--starttls", "LDAP: begin TLS on the port of ldap://."),
    flag("--allow-cleartext", "LDAP: let the password travel without TLS."),
    flag("--global-catalog", "LDAP: read the queue managers of all domains."),
    option("--page-size", "LDAP: objects of one answer.", click.IntRange(1, 1000), default=DEFAULTS.page_size),
    seconds_option("--time-limit", "LDAP: how long the whole reading may take.", 0.1, default=DEFAULTS.seconds),
    option(
        "--gates",
        "Directory: gates of a site: of its links in it (links-and-members), of all (links), or of file:FILE.",
        metavar="POLICY",
        default=GatePolicy.LINKS_AND_MEMBERS.value,
    ),
    flag("--literal", "Directory: fail on one bad object where MS-MQDSSM does."),
    option("--max-size", "Largest file, in MiB.", click.IntRange(1, 16 * 1024), default=MAX_SIZE // MEBIOCTET),
)


class SourceCommand(UsualFirst):
    """A command that names the options of a SOURCE."""

    by_name = (*ACCESS, "password_file", "time_limit", "gates", "literal", "max_size")
    page = "docs/how-to/import-a-directory.md"


def machine_option(name: str, parameter: str, text: str, *, required: bool = False) -> Decorator:
    """Return an option that names a queue manager."""
    return click.option(name, parameter, metavar="QM", required=required, help=text)


def source_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of a SOURCE; the command gets them as its parameter ``options``."""

    @wraps(function)
    def command(
        *, password_file: Path | None, gates: str, literal: bool, time_limit: float, max_size: int, **others: Any
    ) -> Any:
        fields: dict[str, Any] = {name: others.pop(name) for name in ACCESS}
        access = DirectoryAccess(password=password_in(password_file), seconds=time_limit, **fields)
        options = SourceOptions(max_size=max_size * MEBIOCTET, access=access, gates=gates_by(gates), literal=literal)
        return function(options=options, **others)

    return _OPTIONS(command)
