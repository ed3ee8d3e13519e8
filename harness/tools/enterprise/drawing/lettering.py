"""How wide a text will be, without the font at hand: a little too wide rather than too narrow."""

import unicodedata
from typing import Final

from mqconform.harness.records.printable import visible

FONT: Final = "Verdana, 'DejaVu Sans', 'Segoe UI', Arial, sans-serif"
"""The widest of the common fonts first: what is measured for it fits the others."""

ELLIPSIS: Final = "…"

_NARROW: Final = frozenset("iljtfrI.,:;'|!()[]{}/\\ -")
_WIDE: Final = frozenset("mwMW@%&")


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """Return the width of a text in pixels at a font size in pixels."""
    return sum(map(_character_width, text)) * size * (1.12 if bold else 1.0)


def fitted(text: str, size: float, width: float, *, bold: bool = False) -> str:
    """Return a text made visible, its end left out where it is wider than ``width`` pixels."""
    shown = visible(text[:200])
    if len(text) <= 200 and text_width(shown, size, bold=bold) <= width:
        return shown
    while shown and text_width(shown + ELLIPSIS, size, bold=bold) > width:
        shown = shown[:-1]
    return shown + ELLIPSIS


def _character_width(character: str) -> float:
    if character in _NARROW:
        return 0.42
    if character in _WIDE:
        return 0.98
    if unicodedata.combining(character):
        return 0.0
    if unicodedata.east_asian_width(character) in {"W", "F"}:
        return 1.05
    return 0.76 if character.isupper() else 0.64
