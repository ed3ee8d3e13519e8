"""What convicted a discovery client, kept as a named case: a feature that a later run can include."""

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from mqconform.harness.mqsd.client_stimuli import Stimulus, networks_text
from mqconform.harness.saved_cases import FOLDER
from mqconform.reference.mqsd.client import NetworkAddress


def save_client_case(
    directory: Path, requirement: str, networks: tuple[NetworkAddress, ...], stimuli: Sequence[Stimulus], seed: int
) -> Path:
    """Write one scenario; the same counterexample always has the same name."""
    steps = [f"Given a client on networks {networks_text(networks)}"]
    steps += [f"When {stimulus}" for stimulus in stimuli]
    steps += ["Then every step is one that the text allows"]
    digest = sha256("\n".join(steps).encode()).hexdigest()[:10]
    lines = [
        "@role:discovery_client @needs:clock",
        f"Feature: Cases that a run of seed {seed} found",
        "",
        f"  @req:{requirement}",
        f"  Scenario: A client that no reading explains {digest}",
        *(f"    {step}" for step in steps),
        "",
    ]
    folder = directory / FOLDER
    folder.mkdir(exist_ok=True)
    path = folder / f"{requirement}-{digest}.feature"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path
