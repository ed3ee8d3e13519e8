"""A shields.io endpoint badge of a result file: the verdict and how much of the catalogue it stands on."""

import json
from pathlib import Path

from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.report_writers import named
from mqconform.harness.records.result_file import ResultFile, read_result_file
from mqconform.harness.records.results import Footer
from mqconform.harness.records.verdict import Standing
from mqconform.reports.formats.scope import roles_text, unjudged, word_of


@named("badge.json")
def write(results: Path, target: Path) -> None:
    """Write the badge of the result file ``results`` as JSON to ``target``.

    Raises:
        ResultFault: the result file cannot be used.
        OSError: ``target`` cannot be written.
    """
    target.write_text(json.dumps(document(read_result_file(results))) + "\n", "utf-8")


def document(run: ResultFile) -> dict[str, str | int | bool]:
    """Return the endpoint document (https://shields.io/badges/endpoint-badge)."""
    made: dict[str, str | int | bool] = {"schemaVersion": 1, "label": f"mqconform ({run.header.profile})"}
    if run.footer is None:
        return made | {"message": "run did not end", "color": "lightgrey", "isError": True}
    word, colour = word_of(run)
    bad = {"isError": True} if run.footer.exit_code else {}
    return made | {"message": f"{word} ({roles_text(run)}){_share(run, run.footer)}", "color": colour} | bad


def _share(run: ResultFile, footer: Footer) -> str:
    """Return how much of what could be judged was verified; empty where the word for the run says so itself."""
    if footer.selected_from and footer.exit_code == ExitCode.OK:
        return ""
    apart = (Standing.UNOBSERVABLE, Standing.NOT_APPLICABLE)
    judged = footer.selected_from or sum(
        count for standing, count in footer.requirements.items() if standing not in apart
    )
    left_out = len(unjudged(run))
    return f", {footer.requirements.get(Standing.VERIFIED, 0)}/{judged} verified" + (
        f", {left_out} not judged" if left_out else ""
    )
