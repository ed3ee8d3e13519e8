"""The answer to "where may this message go next", as JSON (``next_hops.schema.json``) has it."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

from mqconform.harness.tools.enterprise.machine_names import shared_name
from mqconform.harness.tools.enterprise.routes import MOST_PATHS, Ending, Path, Routes
from mqconform.reference.allowed import Alternative, Standing, Step
from mqconform.reference.directory import Directory, QueueManagerId, SiteId
from mqconform.reference.mqbr.latitude import openings
from mqconform.reference.mqbr.next_hops import NO_HOP, NextHops

Outcome = Alternative[NextHops]


@dataclass(frozen=True)
class Answer:
    """What a queue manager may answer with for one destination, and where that leads."""

    directory: Directory
    routes: Routes

    @cached_property
    def outcomes(self) -> tuple[Outcome, ...]:
        """The allowed outcomes, those that need the least from the ambiguity register first."""
        return tuple(outcome for outcome in self.routes.decision.allowed if outcome.standing < Standing.REFUSED)

    @property
    def doubts(self) -> tuple[str, ...]:
        """Register entries because of which an outcome that is not listed proves no violation."""
        return tuple(sorted({opening.reading.register for opening in openings(self.routes.decision)}))

    @property
    def routed(self) -> bool:
        """Whether some allowed outcome has a next hop."""
        return any(outcome.outcome for outcome in self.outcomes)

    @cached_property
    def paths(self) -> tuple[Path, ...]:
        """The first paths."""
        return tuple(islice(self.routes.paths(), MOST_PATHS))

    @property
    def all_paths(self) -> bool:
        """Whether these are all paths and each was followed to its end."""
        more = next(islice(self.routes.paths(), MOST_PATHS, None), None)
        return more is None and self.routes.complete

    @property
    def cost(self) -> int | None:
        """Cost of the cheapest path that leads to the destination over routing links; None without one."""
        delivered = (path.cost for path in self.paths if path.ending is Ending.DELIVERED)
        return min((cost for cost in delivered if cost is not None), default=None)

    def record(self) -> dict[str, Any]:
        """Return the answer as JSON has it."""
        return {
            "enterprise": _identified(self.directory.enterprise.identifier, self.directory.enterprise.name),
            "source": self._endpoint(self.routes.source),
            "destination": self._endpoint(self.routes.destination),
            "answer": "next-hops" if self.routed else "no-route",
            "outcomes": [self._outcome(outcome) for outcome in self.outcomes],
            "doubts": list(self.doubts),
            "cost": self.cost,
            "paths": [self._path(path) for path in self.paths],
            "all_paths": self.all_paths,
        }

    def _endpoint(self, machine: QueueManagerId) -> dict[str, Any]:
        queue_managers = self.directory.queue_managers_by_identifier.get(machine, ())
        sites = self._sites(queue_managers[0].site_identifier_list) if queue_managers else []
        return self._machine(machine) | {"known": bool(queue_managers), "sites": sites}

    def _outcome(self, outcome: Outcome) -> dict[str, Any]:
        return {
            "next_hops": [self._machine(hop) for hop in outcome.outcome],
            "standing": outcome.standing.name.lower(),
            "readings": sorted(map(str, outcome.readings)),
            "branch": _step(branch_of(outcome)),
            "derivation": [_step(step) for step in outcome.derivation],
        }

    def _path(self, path: Path) -> dict[str, Any]:
        links = (crossing.link for crossing in path.crossings)
        return {
            "queue_managers": [self._machine(queue_manager) for queue_manager in path.queue_managers],
            "sites": self._sites(path.sites),
            "routing_links": [{"id": link.identifier, "cost": link.actual_cost} for link in links if link],
            "cost": path.cost,
            "ending": path.ending.value,
        }

    def _machine(self, machine: QueueManagerId) -> dict[str, Any]:
        return _identified(machine, shared_name(self.directory.queue_managers_by_identifier.get(machine, ())))

    def _sites(self, sites: Iterable[SiteId]) -> list[dict[str, Any]]:
        by_identifier = self.directory.sites_by_identifier
        return [_identified(site, shared_name(by_identifier.get(site, ()))) for site in sites]


def branch_of(outcome: Outcome) -> Step:
    """Return the step that decided: the last one of GetNextHops and its helpers before a failed attempt is reported."""
    deciding = [step for step in outcome.derivation if step.procedure.startswith("GetNextHops") and step != NO_HOP]
    return deciding[-1]


def _identified(identifier: str, name: str) -> dict[str, Any]:
    return {"id": identifier} | ({"name": name} if name else {})


def _step(step: Step) -> dict[str, Any]:
    return {
        "procedure": step.procedure,
        "section": step.section,
        "note": step.note,
        "requirements": list(step.branches),
    }
