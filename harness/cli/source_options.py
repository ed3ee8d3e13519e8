"""Options of every command that reads an enterprise: from a file, or from a directory that a SOURCE names."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Final

import click

from mqconform.harness.cli.parameters import A_DAY, Decorator, FilePath, Number, stacked
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
    click.option(
        "--bind", metavar="NAME", default="", show_default=False, help="LDAP: name to bind as; anonymous without it."
    ),
    click.option("--password-file", type=FilePath(), help="LDAP: file with only the password."),
    click.option("--kerberos", is_flag=True, help="LDAP: bind with your Kerberos ticket; needs gssapi."),
    click.option("--ca", type=FilePath(), help="LDAP: authorities to verify the server with, PEM."),
    click.option(
        "--server-name", metavar="NAME", default="", show_default=False, help="LDAP: name in the server's certificate."
    ),
    click.option("--starttls", is_flag=True, help="LDAP: begin TLS on the port of ldap://."),
    click.option("--allow-cleartext", is_flag=True, help="LDAP: let the password travel without TLS."),
    click.option("--global-catalog", is_flag=True, help="LDAP: read the queue managers of all domains."),
    click.option(
        "--page-size", type=click.IntRange(1, 1000), default=DEFAULTS.page_size, help="LDAP: objects of one answer."
    ),
    click.option(
        "--time-limit",
        type=Number(min=0.1, max=A_DAY),
        metavar="SECONDS",
        default=DEFAULTS.seconds,
        help="LDAP: how long the whole reading may take.",
    ),
    click.option(
        "--gates",
        metavar="POLICY",
        default=GatePolicy.LINKS_AND_MEMBERS.value,
        help="Directory: the gates of a site are those of its links that are in it (links-and-members), all of its "
        "links (links), or what a file lists by site (file:FILE).",
    ),
    click.option("--literal", is_flag=True, help="Directory: fail on one bad object where MS-MQDSSM does."),
    click.option(
        "--max-size",
        type=click.IntRange(min=1, max=16 * 1024),
        metavar="MIB",
        default=MAX_SIZE // MEBIOCTET,
        help="Largest file that is read, in MiB.",
    ),
)


def machine_option(name: str, parameter: str, text: str, *, required: bool = False) -> Decorator:
    """Return an option that names a queue manager."""
    return click.option(name, parameter, metavar="QM", required=required, help=text)


def source_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of a SOURCE; the command gets them as its parameter ``options``."""

    @wraps(function)
    def command(**parameters: Any) -> Any:
        password_file, gates = parameters.pop("password_file"), parameters.pop("gates")
        seconds, most = parameters.pop("time_limit"), parameters.pop("max_size") * MEBIOCTET
        access: dict[str, Any] = {name: parameters.pop(name) for name in ACCESS}
        options = SourceOptions(
            max_size=most,
            access=DirectoryAccess(password=password_in(password_file), seconds=seconds, **access),
            gates=gates_by(gates),
            literal=parameters.pop("literal"),
        )
        return function(options=options, **parameters)

    return _OPTIONS(command)
