"""Charts of audits: options for the charting library, each with the same numbers as a table."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from mqconform.harness.records.printable import visible

VERDICTS: Final = (("pass", "#2e7d4f"), ("inconclusive", "#b7791f"), ("fail", "#b3261e"))
WARMTH: Final = {"color": ["#fdf0d0", "#e0893a", "#8c1d18"]}
BLUE: Final = "#2f6db5"
MOST_BARS: Final = 40
LONGEST: Final = 28
"""Characters of a name that an axis shows; the table has all of them."""
ROW_HEIGHT, FRAME_HEIGHT = 26, 110
"""Pixels."""
MOST_LABELLED: Final = 600
"""Cells of a heat map above which they bear no numbers."""


class Chart(NamedTuple):
    """A chart and its numbers.

    Attributes:
        title: what it shows.
        note: what to know about it.
        options: of the charting library.
        height: pixels.
        columns: heads of the table.
        rows: the table, the first cell of each row names it.
    """

    title: str
    note: str
    options: dict[str, Any]
    height: int
    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]


def verdict_bars(named: str, counts: Sequence[tuple[str, Mapping[str, int]]]) -> Chart:
    """Return verdicts as bars, those with most failures first.

    Beside millions that pass, few failures would not be seen: where anything did not pass, only that is drawn.
    """
    ranked = sorted(counts, key=lambda count: (-count[1].get("fail", 0), -count[1].get("inconclusive", 0)))
    bars = ranked[:MOST_BARS]
    present = [verdict for verdict in VERDICTS if any(verdict[0] in row for _, row in counts)]
    wrong = [verdict for verdict in VERDICTS[1:] if any(row.get(verdict[0]) for _, row in counts)]
    drawn, title = (wrong, "Failures") if wrong else (present, "Verdicts")
    bars = [(name, row) for name, row in bars if any(row.get(verdict) for verdict, _ in drawn)]
    options = {
        "tooltip": {"trigger": "axis", "axisPointer": {"type": "shadow"}},
        "legend": {"top": 0},
        "grid": {"left": 10, "right": 40, "top": 40, "bottom": 10, "containLabel": True},
        "xAxis": {"type": "value", "minInterval": 1},
        "yAxis": {"type": "category", "data": [_short(name) for name, _ in bars], "inverse": True},
        "series": [
            {"name": verdict, "type": "bar", "stack": "all", "barMaxWidth": 22, "itemStyle": {"color": colour},
             "data": [row.get(verdict, 0) for _, row in bars]}
            for verdict, colour in drawn
        ],
    }  # fmt: skip
    rows = [(name, *(row.get(verdict, 0) for verdict, _ in present)) for name, row in ranked]
    columns = (named, *(verdict for verdict, _ in present))
    return Chart(f"{title}, by {named}", "", options, _height(len(bars)), columns, rows)


class HeatMap(NamedTuple):
    """Numbers by column and row.

    Attributes:
        across: names of the columns.
        down: names of the rows, from the top.
        cells: column, row and number.
        unit: behind each number.
    """

    across: Sequence[str]
    down: Sequence[str]
    cells: Sequence[tuple[int, int, float]]
    unit: str = ""

    def options(self) -> dict[str, Any]:
        """Return the options of a map of warm cells."""
        most = max((number for _, _, number in self.cells), default=1)
        return {
            "tooltip": {"position": "top"},
            "grid": {"left": 10, "right": 20, "top": 10, "bottom": 70, "containLabel": True},
            "xAxis": {"type": "category", "data": [_short(label) for label in self.across],
                      "axisLabel": {"rotate": 40, "interval": 0}},
            "yAxis": {"type": "category", "data": [_short(label) for label in self.down], "inverse": True,
                      "axisLabel": {"interval": 0}},
            "visualMap": {"min": 0, "max": most, "calculable": True, "orient": "horizontal", "left": "center",
                          "bottom": 0, "inRange": WARMTH, "formatter": f"{{value}}{self.unit}"},
            "series": [{"type": "heatmap", "data": [list(cell) for cell in self.cells],
                        "label": {"show": len(self.across) * len(self.down) <= MOST_LABELLED},
                        "emphasis": {"itemStyle": {"borderColor": "#000", "borderWidth": 1}}}],
        }  # fmt: skip

    @property
    def height(self) -> int:
        """Pixels that it takes."""
        return _height(len(self.down)) + 40


def histogram(names: Sequence[str], counts: Sequence[int]) -> dict[str, Any]:
    """Return the options of a histogram."""
    return {
        "tooltip": {"trigger": "axis", "axisPointer": {"type": "shadow"}},
        "grid": {"left": 10, "right": 20, "top": 20, "bottom": 10, "containLabel": True},
        "xAxis": {"type": "category", "data": list(names), "axisLabel": {"rotate": 40, "interval": 0}},
        "yAxis": {"type": "value", "minInterval": 1},
        "series": [{"type": "bar", "barCategoryGap": "4%", "itemStyle": {"color": BLUE}, "data": list(counts)}],
    }


def _height(rows: int) -> int:
    return FRAME_HEIGHT + ROW_HEIGHT * rows


def _short(name: str) -> str:
    text = visible(name)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}\u2026"
