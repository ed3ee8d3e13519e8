"""Counterexamples kept as named cases, and the steps that play them again.

A case is a feature file that a later run can include with ``--features``.
"""

import json
from hashlib import sha256

from pytest_bdd import parsers

from mqconform.harness.iut.interface import DirectoryServerFact, ServerFacts
from mqconform.harness.iut.server_configurations import configured
from mqconform.harness.judge.mqsd_server.scene import Scene
from mqconform.harness.judge.saved_cases import FOLDER
from mqconform.harness.suite.steps import given, when

TEMPLATE = """\
@role:discovery_server
Feature: Cases that a run of seed {seed} found

  @req:{requirement}
  Scenario: {title} {digest}
    Given a discovery server configured as {facts}
    When {when}
    Then {then}
"""


def save_malformed(scene: Scene, datagram: bytes) -> None:
    """Save a malformed datagram that stops the service or draws what is not allowed."""
    _save(scene, "A malformed datagram", f"a malformed datagram arrives: {datagram.hex()}", "the server still answers")


def save_request(scene: Scene, request: bytes) -> None:
    """Save a right request whose reply no step makes."""
    _save(scene, "A request", f"a topology request arrives: {request.hex()}", "the steps allow the reply")


@given(parsers.parse("a discovery server configured as {facts}"))
def server_configured_as(scene: Scene, facts: str) -> None:
    """Configure exactly this, written as the parameters of ``discovery_server.configure``."""
    params = json.loads(facts)
    configuration = ServerFacts(
        params["enterprise"],
        params["site"],
        tuple(params["connected_networks"]),
        tuple(DirectoryServerFact(**server) for server in params["directory_servers"]),
    )
    scene.use(
        configured(
            scene.target, configuration, lambda facts: facts == configuration, "the configuration of a saved case"
        )
    )


@when(parsers.re(r"a topology request arrives: (?P<octets>[0-9a-f]+)"))
def request_arrives(scene: Scene, octets: str) -> None:
    """Send these octets, which are a right request."""
    scene.send(bytes.fromhex(octets), expected=1)


def _save(scene: Scene, title: str, stimulus: str, outcome: str) -> None:
    """Write one scenario with literal octets beside the results; a counterexample always has the same name."""
    assert scene.facts is not None
    requirement = scene.case.requirements[0]
    digest = sha256(f"{scene.facts}{stimulus}".encode("utf-8", "surrogatepass")).hexdigest()[:10]
    folder = scene.run.writer.path.parent / FOLDER
    folder.mkdir(exist_ok=True)
    path = folder / f"{requirement}-{digest}.feature"
    facts = json.dumps(scene.facts.params(), sort_keys=True)
    names = {"seed": scene.run.seed, "requirement": requirement, "title": title, "digest": digest}
    path.write_text(TEMPLATE.format(**names, facts=facts, when=stimulus, then=outcome), encoding="utf-8")
    scene.case.saved.append(path)
