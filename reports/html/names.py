"""Names of pages: what a requirement, a case or a run is called in the file system and in links.

Ids come out of files that strangers may have written; a page name never leaves its folder and is never too long.
"""

import hashlib
import re
from functools import lru_cache
from typing import Final

LONGEST: Final = 120
_PLAIN: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_OTHER: Final = re.compile(r"[^A-Za-z0-9._-]+")


@lru_cache(maxsize=100_000)
def page_name(identifier: str) -> str:
    """Return the file name of a page without its suffix; ids that differ have names that differ."""
    if len(identifier) <= LONGEST and _PLAIN.fullmatch(identifier):
        return identifier
    mark = hashlib.sha256(identifier.encode("utf-8", "surrogatepass")).hexdigest()[:10]
    return f"{_OTHER.sub('.', identifier)[:LONGEST].strip('.') or 'page'}-{mark}"


def natural(identifier: str) -> tuple[tuple[int, int, str], ...]:
    """Return a key that sorts numbers within ids by their value."""
    parts = re.split(r"(\d+)", identifier)
    return tuple((1, int(part[:18]), "") if part.isdecimal() and part.isascii() else (0, 0, part) for part in parts)
