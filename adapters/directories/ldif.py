"""``ldif:FILE``: what ldifde, ldapsearch or ldbsearch wrote of a directory (RFC 2849)."""

import io
import logging
from collections.abc import Iterator, Mapping
from pathlib import Path

from mqconform.harness.iut.directory_interface import ConfigurationError, DirectoryAccess, DirectoryReading, RawEntry

UTF_16_MARKS = (b"\xff\xfe", b"\xfe\xff")


def read(target: str, access: DirectoryAccess) -> DirectoryReading:
    """Read a file.

    Raises:
        ConfigurationError: it cannot be read, is too large, or is not LDIF; the message names file and line.
    """
    classes_read = {search.object_class.lower() for search in access.searches}
    attributes = {name.lower() for search in access.searches for name in search.attributes} | {
        "objectclass",
        "isdeleted",
    }
    entries: list[RawEntry] = []
    nameless = changes = 0
    for name, values in _records(target, _text(target, access.most_octets)):
        if name is None:
            nameless += 1
        elif values.get("changetype", (b"add",)) != (b"add",):
            changes += 1
        elif not (classes := values.get("objectclass", ())) or classes_read & {
            object_class.decode("latin-1").lower() for object_class in classes
        }:
            selection = {key: octets for key, octets in values.items() if key.partition(";")[0] in attributes}
            entries.append((name, selection))
    left_out = []
    if nameless:
        left_out.append(f"{nameless} records without a name, such as the last lines of ldapsearch, were passed over")
    if changes:
        left_out.append(f"{changes} records that change or delete objects were passed over; export the objects")
    return DirectoryReading(entries=tuple(entries), left_out=tuple(left_out))


def _text(target: str, most: int) -> bytes:
    """Return the octets of the file, those of ldifde's Unicode as UTF-8."""
    if not target:
        raise ConfigurationError("ldif: names no file; write ldif:export.ldf")
    try:
        with Path(target).open("rb") as file:
            octets = file.read(most + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ConfigurationError(f"ldif:{target}: cannot be read: {reason}; name an LDIF file") from error
    if len(octets) > most:
        raise ConfigurationError(f"ldif:{target}: is larger than {most} octets; permit more by --max-size")
    if octets.startswith(UTF_16_MARKS):
        try:
            return octets.decode("utf-16").encode()
        except UnicodeError as error:
            raise ConfigurationError(f"ldif:{target}: begins like UTF-16 and is not: {error}") from error
    return octets.removeprefix(b"\xef\xbb\xbf")


def _records(target: str, octets: bytes) -> Iterator[tuple[str | None, Mapping[str, tuple[bytes, ...]]]]:
    """Yield name and values of each record, attributes in lower case; values that are URLs are never fetched."""
    try:
        from ldif import LDIFParser  # noqa: PLC0415 - of the extra
    except ImportError as missing:
        raise ConfigurationError(
            f"ldif: reading LDIF needs {missing.name}, which is not installed; "
            "run in a checkout of mqconform: pip install '.[ldap]'"
        ) from missing
    logging.getLogger("ldif").disabled = True  # it tells standard error what it passes over; we count that
    parser = LDIFParser(io.BytesIO(octets), process_url_schemes=(), encoding=None, strict=False)
    try:
        for name, values in parser.parse():
            folded: dict[str, tuple[bytes, ...]] = {}
            for key, parts in values.items():
                folded[key.lower()] = folded.get(key.lower(), ()) + tuple(parts)
            yield name, folded
    except ValueError as error:  # what base64, UnicodeDecodeError and a line without a colon raise
        line = max(1, parser.line_counter)
        raise ConfigurationError(
            f"ldif:{target}: before line {line + 1}: this is not LDIF: {str(error)[:100]!a}; "
            "export with ldifde, ldapsearch or ldbsearch"
        ) from error
