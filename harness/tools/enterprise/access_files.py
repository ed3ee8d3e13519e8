"""Files that say how a directory is read: a password, and the gates of each site."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from mqconform.harness.iut.interface import ConfigurationError
from mqconform.harness.records.document_text import BadText
from mqconform.harness.records.text_file import read_text
from mqconform.harness.tools.enterprise.file import SUFFIXES, Format, parsed
from mqconform.reference.directory.ldap_gates import GatePolicy, Gates

MAX_PASSWORD: Final = 4096
MAX_GATES: Final = 4 * 1024 * 1024
GATES_FILE: Final = "file:"


def password_in(file: Path | None) -> str:
    """Return the password in a file, without the line break at its end.

    Raises:
        ConfigurationError: it cannot be read, or is empty; the message does not show what is in it.
    """
    if file is None:
        return ""
    lines = read_text(file, MAX_PASSWORD, "a file with a password").splitlines()
    if len(lines) != 1 or not lines[0]:
        raise ConfigurationError(f"--password-file {file}: has {len(lines)} lines; it must hold the password alone")
    return lines[0]


def gates_by(policy: str) -> Gates:
    """Return how the gates of sites are found; see ``--gates``.

    Raises:
        ConfigurationError: there is no such policy, or its file cannot be used.
    """
    if policy.startswith(GATES_FILE):
        return Gates(GatePolicy.FILE, _listed_gates(Path(policy.removeprefix(GATES_FILE))))
    if policy not in {GatePolicy.LINKS, GatePolicy.LINKS_AND_MEMBERS}:
        raise ConfigurationError(f"--gates {policy!r}: use links-and-members, links or file:FILE")
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
        raise ConfigurationError(f"--gates {file}: must be an object, such as {{Oslo: [gate-1, gate-2]}}")
    for site, named in document.items():
        if not isinstance(site, str) or not isinstance(named, list) or not all(isinstance(name, str) for name in named):
            raise ConfigurationError(f"--gates {file}: {site!r:.60}: must be a list of names of queue managers")
    return document
