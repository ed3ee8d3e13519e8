"""Result files without the times in them: all else is the same when a run is made again."""

import re

TIMES = re.compile(rb'"(?:began|seconds)":[^,}]*,|,"(?:began|seconds)":[^,}]*(?=})')


def timeless(octets: bytes) -> bytes:
    return TIMES.sub(b"", octets)
