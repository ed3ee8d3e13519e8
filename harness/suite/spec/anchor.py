"""Write hashes into a catalogue draft.

A draft names segments by place: ``"@3.1.5.8#4"`` is the fourth segment of section 3.1.5.8 in the given copy, and in
a wording of another revision ``"@13.0:1.5#3"`` is the third of its section 1.5. `listing` shows what stands where.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Iterator

from mqconform.harness.records.problem import ConfigurationError
from mqconform.harness.suite.spec.document import Document, Segment

_PLACE = re.compile(r'"@(?:(?P<revision>[0-9.]+):)?(?P<section>[0-9.]+)#(?P<nth>\d+)"')
_SOURCE = re.compile(r"^source\s*=\s*(?P<value>\[[^\]]*\]|\"[^\"]*\")(?P<rest>.*)$", re.MULTILINE)


class PlaceFault(ConfigurationError):
    """A draft names a place that the copy does not have."""


def listing(document: Document) -> Iterator[tuple[str, Segment]]:
    """Yield each segment with its place, ``3.1.5.8#4``."""
    count_by_section: Counter[str] = Counter()
    for segment in document.segments:
        count_by_section[segment.section] += 1
        yield f"{segment.section}#{count_by_section[segment.section]}", segment


def anchored(draft: str, document: Document) -> str:
    """Return the draft with each place of ``document`` replaced by its hash.

    A place without revision belongs to the draft's own; places of other revisions are left for another call.
    Where a source is not the first of its equals, ``occurrences`` is written below it.

    Raises:
        PlaceFault: if the copy has no such place, or the draft no [spec] table with a revision.
    """
    places = dict(listing(document))
    revision = _revision(draft)

    def segment(match: re.Match[str]) -> Segment | None:
        if document.revision is not None and (match["revision"] or revision) != document.revision:
            return None
        place = f"{match['section']}#{match['nth']}"
        if place not in places:
            raise PlaceFault(f"{document.path}: has no place {place}; list its places with `mqconform spec anchor`")
        return places[place]

    def digest(match: re.Match[str]) -> str:
        named = segment(match)
        return f'"{named.digest}"' if named else match[0]

    def source(match: re.Match[str]) -> str:
        named = [segment(place) for place in _PLACE.finditer(match["value"])]
        numbers = [named_segment.occurrence for named_segment in named if named_segment]
        if all(number == 1 for number in numbers):
            return match[0]
        is_list = match["value"][0] == "["
        return match[0] + (f"\noccurrences = {numbers}" if is_list else f"\noccurrence = {numbers[0]}")

    return _PLACE.sub(digest, _SOURCE.sub(source, draft))


def _revision(draft: str) -> str:
    try:
        return str(tomllib.loads(draft)["spec"]["revision"])
    except (tomllib.TOMLDecodeError, KeyError, TypeError) as fault:
        raise PlaceFault(f"draft: no [spec] table with a revision ({fault}); add it at the top") from fault
