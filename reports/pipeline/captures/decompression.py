"""Decompressing a gzipped file as far as it goes: what precedes damage is given out to the last octet."""

import zlib
from typing import Any, Final

CHUNK: Final = 2**18
_GZIP: Final = 31
"""zlib's number for a gzip header and the largest window."""


class Decompression:
    """The octets of a gzipped file of one or several members."""

    def __init__(self, file: Any) -> None:
        self._file, self._inflate = file, zlib.decompressobj(_GZIP)
        self._waiting, self._over, self._begun = b"", False, False
        self.problem = ""
        """Why the octets end before their time, empty where they do not."""

    def read(self, octets: int) -> bytes:
        """Return some octets, at most as many as asked for; none where there are no more."""
        while not self._over:
            if not self._waiting and not self._fill():
                break
            output = self._inflated(octets)
            if self._inflate.eof:
                self._next_member()
            if output:
                return output
        return b""

    def _fill(self) -> bool:
        """Read compressed octets; say where they end within a member."""
        self._waiting = self._file.read(CHUNK)
        if not self._waiting:
            self._over = True
            if self._begun:
                self.problem = "the file ends within compressed data"
        return not self._over

    def _inflated(self, octets: int) -> bytes:
        before, waiting = self._inflate.copy(), self._waiting
        self._begun = True
        try:
            output = self._inflate.decompress(waiting, octets)
        except zlib.error as error:
            self._over, self.problem = True, f"the file cannot be decompressed further: {error}"[:200]
            return _as_far_as_possible(before, waiting)
        self._waiting = self._inflate.unconsumed_tail
        return output

    def _next_member(self) -> None:
        """Begin with what follows a member; zeros pad the end of some files."""
        self._waiting = self._inflate.unused_data.lstrip(b"\0")
        self._inflate, self._begun = zlib.decompressobj(_GZIP), False


def _as_far_as_possible(inflate: Any, octets: bytes) -> bytes:
    """Return what comes out before the octet at which decompression fails."""
    parts = []
    try:
        for place in range(len(octets)):
            parts.append(inflate.decompress(octets[place : place + 1]))  # noqa: PERF401 - what came before an error stays
    except zlib.error:
        pass
    return b"".join(parts)
