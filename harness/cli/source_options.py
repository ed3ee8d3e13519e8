"""Options of every command that reads an enterprise: from a file, or from a directory that a SOURCE names."""

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import Any, Final

import click

from mqconform.harness.cli.enterprise_options import Decorator, max_size_option, octets
from mqconform.harness.cli.numbers import A_DAY, Number
from mqconform.harness.cli.paths import FilePath
from mqconform.harness.iut.directory_interface import DirectoryAccess
from mqconform.harness.iut.interface import ConfigurationError
from mqconform.harness.records.document_text import BadText
from mqconform.harness.records.text_file import read_text
from mqconform.harness.tools.enterprise.file import SUFFIXES, Format, parsed
from mqconform.harness.tools.enterprise.source import SourceOptions
from mqconform.reference.directory.ldap_gates import GatePolicy, Gates

MAX_PASSWORD: Final = 4096
MAX_GATES: Final = 4 * 1024 * 1024
GATES_FILE: Final = "file:"
DEFAULTS: Final = DirectoryAccess()
ACCESS: Final = ("bind", "kerberos", "ca", "server_name", "starttls", "allow_cleartext", "global_catalog", "page_size")
"""Options that are fields of ``DirectoryAccess``."""

SOURCE_HELP: Final = "file, JSON or YAML, - for stdin; or a directory: ldaps://HOST, ldap://HOST, ldif:FILE"

_OPTIONS: Final[tuple[Decorator, ...]] = (
    click.option("--bind", metavar="NAME", default="", help="LDAP: name to bind as; anonymous without it."),
    click.option("--password-file", type=FilePath(), help="LDAP: file that holds the password alone."),
    click.option("--kerberos", is_flag=True, help="LDAP: bind with your Kerberos ticket; needs gssapi."),
    click.option("--ca", type=FilePath(), help="LDAP: authorities to verify the server with, PEM."),
    click.option("--server-name", metavar="NAME", default="", help="LDAP: name in the server's certificate."),
    click.option("--starttls", is_flag=True, help="LDAP: begin TLS on the port of ldap://."),
    click.option("--allow-cleartext", is_flag=True, help="LDAP: let the password travel without TLS."),
    click.option("--global-catalog", is_flag=True, help="LDAP: read the queue managers of all domains."),
    click.option(
        "--page-size",
        type=click.IntRange(1, 1000),
        default=DEFAULTS.page_size,
        show_default=True,
        help="LDAP: objects of one answer.",
    ),
    click.option(
        "--time-limit",
        type=Number(min=0.1, max=A_DAY),
        metavar="SECONDS",
        default=DEFAULTS.seconds,
        show_default=True,
        help="LDAP: how long the whole reading may take.",
    ),
    click.option(
        "--gates",
        metavar="POLICY",
        default=GatePolicy.LINKS_AND_MEMBERS.value,
        show_default=True,
        help="Directory: the gates of a site are those of its links that are in it (links-and-members), all of its "
        "links (links), or what a file lists by site (file:FILE).",
    ),
    click.option("--literal", is_flag=True, help="Directory: fail on one bad object where MS-MQDSSM does."),
    max_size_option,
)


def source_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of a SOURCE; the command gets them as its parameter ``options``."""

    @wraps(function)
    def command(**parameters: Any) -> Any:
        password_file, gates = parameters.pop("password_file"), parameters.pop("gates")
        seconds, most = parameters.pop("time_limit"), octets(parameters.pop("max_size"))
        access: dict[str, Any] = {name: parameters.pop(name) for name in ACCESS}
        options = SourceOptions(
            max_size=most,
            access=DirectoryAccess(password=_password(password_file), seconds=seconds, **access),
            gates=_gates(gates),
            literal=parameters.pop("literal"),
        )
        return function(options=options, **parameters)

    decorated: Callable[..., Any] = command
    for option in reversed(_OPTIONS):
        decorated = option(decorated)
    return decorated


def _password(file: Path | None) -> str:
    """Return the password in a file, without the line break at its end.

    Raises:
        ConfigurationError: it cannot be read, or is empty; the message does not show what is in it.
    """
    if file is None:
        return ""
    lines = read_text(file, MAX_PASSWORD, "a file with a password").splitlines()
    if len(lines) != 1 or not lines[0]:
        raise ConfigurationError(f"--password-file {file}: has {len(lines)} lines; it has to hold the password alone")
    return lines[0]


def _gates(policy: str) -> Gates:
    if policy.startswith(GATES_FILE):
        return Gates(GatePolicy.FILE, _listed_gates(Path(policy.removeprefix(GATES_FILE))))
    if policy not in {GatePolicy.LINKS, GatePolicy.LINKS_AND_MEMBERS}:
        raise click.BadParameter(f"{policy!r}; use links-and-members, links or file:FILE", param_hint="--gates")
    return Gates(GatePolicy(policy))


def _listed_gates(file: Path) -> Mapping[str, Sequence[str]]:
    """Return the gates of each site that a file lists.

    Raises:
        ConfigurationError: it is no JSON or YAML object of lists of names.
    """
    text = read_text(file, MAX_GATES, "a list of gates")
    try:
        document = parsed(text, SUFFIXES.get(file.suffix.lower(), Format.YAML), MAX_GATES)
    except BadText as bad:
        raise ConfigurationError(f"--gates {file}: {bad.fault}") from bad
    if not isinstance(document, dict):
        raise ConfigurationError(f"--gates {file}: has to be an object, such as {{Oslo: [gate-1, gate-2]}}")
    for site, named in document.items():
        if not isinstance(site, str) or not isinstance(named, list) or not all(isinstance(name, str) for name in named):
            raise ConfigurationError(f"--gates {file}: {site!r:.60}: has to be a list of names of queue managers")
    return document
