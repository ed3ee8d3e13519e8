"""A fault schedule that broke the promise, kept as a named case: a feature that a later run can include."""

from hashlib import sha256
from pathlib import Path

from mqconform.harness.eod.schedule import Schedule, written
from mqconform.harness.saved_cases import FOLDER


def save_schedule(directory: Path, requirement: str, role: str, schedule: Schedule, seed: int) -> Path:
    """Write one scenario; the same schedule for the same role always has the same name."""
    steps = [
        f"Given the {role.removeprefix('ordered_')} of streams at one end of a network that fails",
        f'When the fault schedule "{written(schedule)}" is run',
        "Then every message is delivered once and in order",
    ]
    digest = sha256("\n".join(steps).encode()).hexdigest()[:10]
    lines = [
        f"@role:{role}",
        f"Feature: Cases that a run of seed {seed} found",
        "",
        f"  @req:{requirement}",
        f"  Scenario: A fault schedule that breaks the promise {digest}",
        *(f"    {step}" for step in steps),
        "",
    ]
    folder = directory / FOLDER
    folder.mkdir(exist_ok=True)
    path = folder / f"{requirement}-{digest}.feature"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path
