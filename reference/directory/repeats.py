"""Finding what should be there once and is there more often."""

from collections.abc import Iterable, Iterator

from mqconform.reference.directory.findings import Finding, Severity, warning


def repeated_keys(
    array: str, key: str, values: Iterable[str], register: str = "", severity: Severity = Severity.ERROR
) -> Iterator[Finding]:
    """Yield a finding for each object of an array whose ``key`` repeats an earlier one's; empty values do not count."""
    first_places: dict[str, int] = {}
    for place, value in enumerate(values):
        earlier = first_places.setdefault(value, place)
        if value and earlier != place:
            yield Finding(
                severity, f"{array}[{place}].{key}", f"{value} duplicates that of {array}[{earlier}]", register
            )


def repeated_entries(path: str, values: Iterable[str], register: str) -> Iterator[Finding]:
    """Yield a warning for each entry of a list that repeats an earlier one."""
    earlier_values: set[str] = set()
    for place, value in enumerate(values):
        if value in earlier_values:
            yield warning(f"{path}[{place}]", f"repeats {value}", register)
        earlier_values.add(value)
