"""Counterexamples kept as named cases: a feature file that a later run can include with ``--features``."""

import json
from hashlib import sha256
from pathlib import Path

from mqconform.harness.iut import ServerFacts

FOLDER = "cases"
TEMPLATE = """\
@role:discovery_server
Feature: Cases that a run of seed {seed} found

  @req:{requirement}
  Scenario: {title} {digest}
    Given a discovery server configured as {facts}
    When {when}
    Then {then}
"""


def save_case(  # noqa: PLR0913 - the parts of one scenario
    directory: Path, *, requirement: str, title: str, facts: ServerFacts, when: str, then: str, seed: int
) -> Path:
    """Write one scenario with literal octets; the same counterexample always has the same name."""
    digest = sha256(f"{facts}{when}".encode("utf-8", "surrogatepass")).hexdigest()[:10]
    folder = directory / FOLDER
    folder.mkdir(exist_ok=True)
    path = folder / f"{requirement}-{digest}.feature"
    configured = json.dumps(facts.params(), sort_keys=True)
    text = TEMPLATE.format(
        seed=seed, requirement=requirement, title=title, digest=digest, facts=configured, when=when, then=then
    )
    path.write_text(text, encoding="utf-8")
    return path
