"""Finding what should be there once and is there more often."""

from collections.abc import Iterable, Iterator

from mqconform.reference.directory.findings import Finding, Severity, warning


def repeated_keys(
    array: str, key: str, values: Iterable[tuple[str, str]], register: str = "", severity: Severity = Severity.ERROR
) -> Iterator[Finding]:
    """Yield a finding for each object of an array whose ``key`` repeats an earlier one's; empty values do not count.

    Args:
        array: the name of the array.
        key: what must not repeat.
        values: of each object the value of ``key``, and what else the object is known by.
        register: entry of the ambiguity register.
        severity: of each finding.
    """
    first_places: dict[str, tuple[int, str]] = {}
    for place, (value, known_by) in enumerate(values):
        earlier, other = first_places.setdefault(value, (place, known_by))
        if value and earlier != place:
            both = f": {other} and {known_by}" if other and known_by else ""
            text = f"{value} duplicates that of {array}[{earlier}]{both}"
            yield Finding(severity, f"{array}[{place}].{key}", text, register)


def repeated_entries(path: str, values: Iterable[str], register: str) -> Iterator[Finding]:
    """Yield a warning for each entry of a list that repeats an earlier one."""
    earlier_values: set[str] = set()
    for place, value in enumerate(values):
        if value in earlier_values:
            yield warning(f"{path}[{place}]", f"repeats {value}", register)
        earlier_values.add(value)
