"""Next hops as a router answers them, and texts with names in place of GUIDs."""

import re
from collections.abc import Mapping
from typing import Final

from mqconform.harness.iut.interface import Iut, IutErrorAnswer

_GUID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
Hops = tuple[str | None, ...] | None
"""GUIDs and Nothing as a router gave them; None where it answered with an error."""


def next_hops(iut: Iut, source: str, destination: str) -> Hops:
    """Return what a router, initialised as the source, answers for a destination."""
    try:
        answer = iut.call("router.get_next_hops", {"source": source, "destination": destination})
    except IutErrorAnswer:
        return None  # every error in answer to this question means that there is no route
    return tuple(answer["next_hops"])


def known(hops: Hops) -> tuple[str, ...] | None:
    """Return an answer in lower case and without Nothing."""
    return None if hops is None else tuple(hop.lower() for hop in hops if hop is not None)


def with_names(text: str, names: Mapping[str, str]) -> str:
    """Return a text with the names of GUIDs in their place."""
    return _GUID.sub(lambda match: names.get(match.group().lower(), match.group()), text)
