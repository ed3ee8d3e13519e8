"""The page of a matrix: who works with whom, and where not, whose fault it is; of ``matrix.json`` alone."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from mqconform.harness.records.exit_codes import ALL_PLAYED, WORDS, ExitCode
from mqconform.reports.html.documents import read_document
from mqconform.reports.html.site import copy_assets, templates

PAGE: Final = "index.html"
REMEDY: Final = "give the matrix.json of `mqconform matrix`"
TOGETHER: Final = "all"
ASSETS: Final = ("site.css", "site.js", "interop.css")
_PLAYED: Final = frozenset({"pass", "fail", "error", "inconclusive"})
Cell = Mapping[str, Any]


def write_matrix(document: Path, out: Path) -> Path:
    """Write the page of a matrix into a folder, beside its evidence, and return it.

    Raises:
        DocumentFault: the document is none.
        OSError: the page cannot be written.
    """
    matrix = read_document(document, "matrix_results", REMEDY, "document")
    (out / "assets").mkdir(parents=True, exist_ok=True)
    copy_assets(out / "assets", ASSETS)
    values: dict[str, Any] = {"matrix": matrix, "grids": [_grid(grid, matrix["cells"]) for grid in matrix["grids"]]}
    values |= {
        "wrong": _wrong(matrix["cells"]),
        "passed": [cell for cell in matrix["cells"] if cell["outcome"] == "pass"],
        "excuses": _excuses(matrix["cells"]),
    }
    exit_code = ExitCode(matrix["exit_code"])
    word = ALL_PLAYED.lower() if exit_code is ExitCode.OK and values["excuses"] else WORDS[exit_code].matrix_page
    title = "Interop matrix"
    context = {"root": "", "charts": False, "title": title, "word_of_all": word, "anchor": anchor}
    context["names_at_fault"] = names_at_fault
    page = out / PAGE
    page.write_text(templates().get_template("interop.html").render(context | values), "utf-8")
    return page


def anchor(cell: Cell) -> str:
    """Return the place of a cell on the page: names hold no slash, so that no two cells share one."""
    return f"cell-{cell['id'].replace('/', ':')}"


def names_at_fault(cell: Cell) -> list[str]:
    """Return who is to blame by name, each once."""
    return list(dict.fromkeys(cell["sides"].get(side, side) for side in cell["at_fault"]))


def _grid(grid: Mapping[str, Any], cells: Sequence[Cell]) -> dict[str, Any]:
    """Return a table with its cells in rows; None where a pair was not tried."""
    by_pair = {tuple(cell["pair"]): cell for cell in cells if cell["kind"] == grid["kind"]}
    rows = [(row, [by_pair.get((row, column)) for column in grid["columns"]]) for row in grid["rows"]]
    return {**grid, "cells": rows, "together": by_pair.get((TOGETHER, TOGETHER))}


def _wrong(cells: Sequence[Cell]) -> list[Cell]:
    """Return the cells that did not pass, those first that count."""
    wrong = [cell for cell in cells if cell["outcome"] in {"fail", "error", "inconclusive"}]
    return sorted(wrong, key=lambda cell: (cell["tolerated"], cell["outcome"] == "inconclusive"))


def _excuses(cells: Sequence[Cell]) -> list[tuple[str, str, int]]:
    """Return why cells were not played, and how many for each reason."""
    reasons = Counter((cell["outcome"], cell["reason"]) for cell in cells if cell["outcome"] not in _PLAYED)
    return [(excuse, reason, count) for (excuse, reason), count in reasons.most_common()]
