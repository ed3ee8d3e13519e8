"""Runs of the router features: the reference conforms, and routers with the usual mistakes are convicted."""

import json
from pathlib import Path
from typing import Any

import pytest

from mqconform.harness.iut.all_roles import ReferenceIut
from mqconform.harness.iut.interface import AdapterOptions
from mqconform.harness.iut.reference_iut.router import ReferenceRouterRole
from mqconform.harness.iut.role import RolePart
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.profile import Profile
from mqconform.harness.records.requirement import RoleName
from mqconform.harness.records.verdict import Standing, Verdict
from mqconform.harness.run.execution import Outcome, Plan, execute
from mqconform.harness.suite.selection import Selection
from mqconform.reference.directory.elements import QueueManager, QueueManagerId, SiteId
from mqconform.reference.mqbr.router import ReferenceRouter

MOST_SITES, MOST_QUEUE_MANAGERS = 4, 8


class RouterAlone(ReferenceIut):
    """The reference without its other role, around a router that may be wrong."""

    router_class: type[ReferenceRouter] = ReferenceRouter

    def make(self, role: RoleName) -> RolePart:
        return ReferenceRouterRole(self.router_class) if role == "router" else super().make(role)

    def description(self) -> dict[str, Any]:
        return super().description() | {"name": self.router_class.__name__, "roles": ["router"]}


class HopCountForCost(ReferenceRouter):
    def graph(self, sites: Any, links: Any) -> Any:
        return {site: dict.fromkeys(edges, 1) for site, edges in super().graph(sites, links).items()}


class OneWayLinks(ReferenceRouter):
    def graph(self, sites: Any, links: Any) -> Any:
        directed: dict[SiteId, dict[SiteId, int]] = {site.identifier: {} for site in sites}
        for link in links:
            if {link.site1_identifier, link.site2_identifier} <= set(directed):
                directed[link.site1_identifier][link.site2_identifier] = link.actual_cost
        return directed


class GreedyChoice(ReferenceRouter):
    def spanning_tree(self, graph: Any, root: Any) -> Any:
        nearest = min(graph[root], key=graph[root].__getitem__, default=root)
        return {site: site if site in graph[root] else nearest for site in graph if site != root}


class EarlyRefresh(ReferenceRouter):
    QUERY_TIMER = 600.0


class LateRefresh(ReferenceRouter):
    QUERY_TIMER = 5_400.0


class NeverRefreshes(ReferenceRouter):
    QUERY_TIMER = 1e12


class RefreshesAtOnce(ReferenceRouter):
    def change_directory(self, directory: object) -> None:
        super().change_directory(directory)
        assert self.local is not None
        self.initialize_routing_table(self.local)


class InListIgnored(ReferenceRouter):
    def within_the_site(self, destination: QueueManager) -> list[QueueManagerId | None]:
        return [destination.identifier]


class InListTruncated(ReferenceRouter):
    def within_the_site(self, destination: QueueManager) -> list[QueueManagerId | None]:
        return super().within_the_site(destination)[:1]


class RouterHonoursItsOutList(ReferenceRouter):
    def get_next_hops_for_router(self, source: QueueManager, destination: QueueManager) -> list[QueueManagerId | None]:
        own = [*source.out_routing_server_identifier_list]
        return own or super().get_next_hops_for_router(source, destination)


class GateTakenForRouter(ReferenceRouter):
    def is_site_gate(self, machine: str) -> int:
        found = self.get_queue_manager(machine)
        return int(found is not None and found.routing_server)


class LastHopForFirst(ReferenceRouter):
    def spanning_tree(self, graph: Any, root: Any) -> Any:
        return {site: site for site in super().spanning_tree(graph, root)}


class SilentEmptyList(ReferenceRouter):
    def get_site_gate_for_site(self, site: str) -> QueueManagerId | None:
        found = super().get_site_gate_for_site(site)
        return None if found and len(self.view.directory.sites) > 3 else found


def iut_of(router: type[ReferenceRouter]) -> type[RouterAlone]:
    return type(f"{router.__name__}Iut", (RouterAlone,), {"router_class": router})


HopCountForCostIut = iut_of(HopCountForCost)
OneWayLinksIut = iut_of(OneWayLinks)
GreedyChoiceIut = iut_of(GreedyChoice)
EarlyRefreshIut = iut_of(EarlyRefresh)
RefreshesAtOnceIut = iut_of(RefreshesAtOnce)
LateRefreshIut = iut_of(LateRefresh)
NeverRefreshesIut = iut_of(NeverRefreshes)
InListIgnoredIut = iut_of(InListIgnored)
InListTruncatedIut = iut_of(InListTruncated)
RouterHonoursItsOutListIut = iut_of(RouterHonoursItsOutList)
GateTakenForRouterIut = iut_of(GateTakenForRouter)
LastHopForFirstIut = iut_of(LastHopForFirst)
SilentEmptyListIut = iut_of(SilentEmptyList)


def judged(
    iut: str,
    out: Path,
    expression: str = "",
    profile: Profile = Profile.DEFAULT,
    features: tuple[Path, ...] = (),
) -> Outcome:
    return execute(Plan(iut, AdapterOptions(), profile, 0, Selection(("MQBR",), expression), out, features))


def violated(outcome: Outcome) -> set[str]:
    return {one.requirement.id for one in outcome.findings if one.standing is Standing.VIOLATED}


@pytest.fixture(autouse=True)
def _this_module_can_be_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parent))


def wrong(name: str) -> str:
    return f"api:{Path(__file__).stem}:{name}Iut"


def test_the_reference_verifies_every_judged_requirement(tmp_path: Path) -> None:
    outcome = judged("ref:", tmp_path)
    judged_ids = [one.requirement.id for one in outcome.findings if one.requirement.is_judged]
    verified = [one.requirement.id for one in outcome.findings if one.standing is Standing.VERIFIED]
    assert (outcome.exit_code, outcome.mixed) == (ExitCode.OK, [])
    assert verified == judged_ids


@pytest.mark.parametrize(
    ("name", "expression", "requirement"),
    [
        ("HopCountForCost", "algorithm-allows/ring or the-cost-of-a-link", "MQBR-3.1.3.1-10"),
        ("OneWayLinks", "algorithm-allows/ring or leads-both-ways", "MQBR-3.1.3.1-08"),
        ("GreedyChoice", "algorithm-allows/ring or however-late", "MQBR-3.1.3.1-12"),
        ("InListIgnored", "algorithm-allows/server-lists or stand-for-it", "MQBR-3.1.5.1-B08"),
        ("InListTruncated", "algorithm-allows/server-lists or stand-for-it", "MQBR-3.1.5.1-B08"),
        ("GateTakenForRouter", "algorithm-allows/mesh or does-not-route-as-one", "MQBR-3.1.5.2-B01"),
        ("LastHopForFirst", "algorithm-allows/ring or first-site-on-the-path", "MQBR-3.1.3.1-16"),
        ("SilentEmptyList", "algorithm-allows/ring or kind-of-destination", "MQBR-3.1.5.3-01"),
    ],
)
def test_a_wrong_router_is_convicted_with_a_small_enterprise(
    name: str, expression: str, requirement: str, tmp_path: Path
) -> None:
    outcome = judged(wrong(name), tmp_path, expression)
    assert outcome.exit_code == ExitCode.FAIL
    assert requirement in violated(outcome)
    assert all(case.verdict is not Verdict.ERROR for case in outcome.cases)
    (document,) = (tmp_path / "cases").glob("*.json")
    enterprise = json.loads(document.read_text())
    assert len(enterprise["sites"]) <= MOST_SITES
    assert len(enterprise["queue_managers"]) <= MOST_QUEUE_MANAGERS


@pytest.mark.parametrize(
    ("name", "profile", "exit_code", "requirements"),
    [
        ("EarlyRefresh", Profile.DEFAULT, ExitCode.FAIL, {"MQBR-3.1.3-02"}),
        ("LateRefresh", Profile.DEFAULT, ExitCode.FAIL, {"MQBR-3.1.3-02", "MQBR-3.1.2.1-01", "MQBR-3.1.6.1-01"}),
        ("NeverRefreshes", Profile.MUST, ExitCode.INCONCLUSIVE, set()),
        ("NeverRefreshes", Profile.DEFAULT, ExitCode.FAIL, {"MQBR-3.1.2-01", "MQBR-3.1.3-02", "MQBR-3.1.6.1-01"}),
        ("NeverRefreshes", Profile.STRICT, ExitCode.FAIL, {"MQBR-3.1.2-01", "MQBR-3.1.3-02", "MQBR-3.1.6.1-01"}),
        ("RefreshesAtOnce", Profile.DEFAULT, ExitCode.INCONCLUSIVE, set()),
    ],
)
def test_a_router_that_refreshes_at_the_wrong_time_is_found_out(
    name: str, profile: Profile, exit_code: int, requirements: set[str], tmp_path: Path
) -> None:
    outcome = judged(wrong(name), tmp_path, "3_1_6_refresh", profile)
    assert outcome.exit_code == exit_code
    assert requirements <= violated(outcome)


@pytest.mark.parametrize(
    ("profile", "exit_code"), [(Profile.DEFAULT, ExitCode.INCONCLUSIVE), (Profile.STRICT, ExitCode.FAIL)]
)
def test_what_a_router_does_with_its_own_out_list_follows_the_register(
    profile: Profile, exit_code: int, tmp_path: Path
) -> None:
    outcome = judged(wrong("RouterHonoursItsOutList"), tmp_path, "out-list-of-another-machine", profile)
    assert outcome.exit_code == exit_code
    assert "BR-54/own-out-list-honoured" in outcome.readings


def test_a_saved_case_convicts_again_and_acquits_the_reference(tmp_path: Path) -> None:
    judged(wrong("HopCountForCost"), tmp_path / "first", "algorithm-allows/ring")
    (saved,) = (tmp_path / "first" / "cases").glob("*.feature")
    again = judged(wrong("HopCountForCost"), tmp_path / "again", "wrong-next-hop", features=(saved,))
    right = judged("ref:", tmp_path / "right", "wrong-next-hop", features=(saved,))
    assert (again.exit_code, right.exit_code) == (ExitCode.FAIL, ExitCode.OK)
