"""The declaration of an implementation: asked for, reviewed, probed, counted and shown.

Each role and optional operation is tried once, declared or not, over a connection of its own: what a probe leaves
behind, or breaks, is gone before the run opens another. No probe arms a fault or opens a port.
"""

from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from itertools import groupby, islice

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from mqconform.harness.iut import interface
from mqconform.harness.iut.connect import connect
from mqconform.harness.iut.role import Capability
from mqconform.harness.iut.roles import CAPABILITIES, CLOCKS, ROLES, SMOKE_CALLS
from mqconform.harness.iut.smoke_calls import UNKNOWN_METHOD, Call
from mqconform.harness.records.printable import visible
from mqconform.harness.records.results import Declaration, Feature, Probe, Remark
from mqconform.harness.suite.catalogue import Catalogue, load_catalogue
from mqconform.harness.suite.tagged_scenarios import tagged_scenarios

Tried = dict[str, Probe]
"""Role, or role and capability joined by a colon -> what came of it."""
FATAL = ("exited", "deadline", "not-json", "wrong-id", "oversize", "silent")
"""Faults after which nothing more can be asked over the same connection."""
ANSWER = "answer unsupported methods with error -32601"


class Prober:
    """Tries every operation once and keeps the results.

    Attributes:
        tried: role or ``role:capability`` -> what came of it.
        refused_operations: the same names -> the operation whose refusal stands in ``tried``.
        remarks: what is to be said about how it was refused.
    """

    def __init__(self, iut: interface.Iut) -> None:
        """Keep the implementation; nothing is asked yet."""
        self._iut = iut
        self.tried: Tried = {}
        self.refused_operations: dict[str, str] = {}
        self.remarks: list[Remark] = []
        self._over = False

    def probe(self) -> None:
        """Try everything; stops where the implementation breaks."""
        if isinstance(self._iut, interface.DatagramCarrier | interface.LiveClients) or self._iut.facts is not None:
            return  # no calls over this carrier
        if self._unknown_method() is not Probe.REFUSED:
            return  # answers to an unknown method, so that answers prove nothing
        for role, calls in groupby(SMOKE_CALLS, key=lambda call: call.role):
            if not self._over:
                self._role(role, calls)

    def _unknown_method(self) -> Probe:
        came = self._try(UNKNOWN_METHOD, Call(UNKNOWN_METHOD))
        if came is Probe.ANSWERS:
            text = f"{UNKNOWN_METHOD} is answered, so probes prove nothing; {ANSWER}"
            self.remarks.append(Remark("probe", "unknown method", text))
        return came

    def _role(self, role: str, calls: Iterable[Call]) -> None:
        self._reset()
        declared = role in self._iut.description.roles
        for call in calls:
            if self._over:
                return
            came = self._try(call.method, call)
            if call.capability:
                self._note(f"{role}:{self._shown_by(call)}", call.method, came)
            elif not call.optional:
                self._note(role, call.method, came)
                if came is not Probe.ANSWERS and not declared:
                    return  # the rest of a role that is not there

    def _shown_by(self, call: Call) -> str:
        """Return the capability that an answer shows: time passes by the clock that is declared for the role."""
        has = self._iut.description.capabilities
        of_its_own = Capability.REAL_CLOCK in has and Capability.VIRTUAL_CLOCK not in has
        may_be = call.capability in CLOCKS and call.role in CAPABILITIES[Capability.REAL_CLOCK]
        return Capability.REAL_CLOCK.value if of_its_own and may_be else call.capability

    def _note(self, name: str, method: str, came: Probe) -> None:
        """Keep the worst result of an operation, the first among equals."""
        before = self.tried.get(name, Probe.ANSWERS)
        if before is not Probe.ANSWERS:
            return
        self.tried[name] = came
        if came is Probe.REFUSED:
            self.refused_operations[name] = method

    def _reset(self) -> None:
        try:
            self._iut.call("reset", {})
        except interface.IutProblem:
            self._over = True

    def _try(self, method: str, call: Call) -> Probe:
        try:
            self._iut.call(method, call.params)
        except interface.Unsupported:
            return Probe.REFUSED
        except interface.NotApplicable:
            return Probe.NOT_PROBED
        except interface.IutErrorAnswer:
            return Probe.ANSWERS
        except interface.IutFault as fault:
            self._over = fault.kind in FATAL
            self._broken(method, fault)
            return Probe.BROKEN
        except interface.IutProblem:
            self._over = True
            return Probe.NOT_PROBED
        return Probe.ANSWERS

    def _broken(self, method: str, fault: interface.IutFault) -> None:
        text = interface.excerpt(str(fault).removeprefix(f"{method}: ")).strip("'\"")
        after = "; nothing was probed after it" if self._over else ""
        self.remarks.append(Remark("probe", method, f"{fault.kind}: {text}{after}; {ANSWER}"))


def undeclared(prober: Prober, roles: Iterable[str], capabilities: Iterable[str]) -> Iterator[Remark]:
    """Yield what answers although it was not declared, and what was declared and refuses."""
    known_roles, known_capabilities = {*roles}, {*capabilities}
    for name, came in prober.tried.items():
        role, _, capability = name.partition(":")
        within = f" as {role}" if capability else ""
        declared = capability in known_capabilities if capability else role in known_roles
        if came is Probe.ANSWERS and not declared and (not capability or role in known_roles):
            text = f"answers{within} although it is not declared; declare it to have it judged"
            yield Remark("undeclared", capability or role, text)
        elif came is Probe.REFUSED and declared and role in known_roles:
            method = prober.refused_operations[name]
            text = (
                f"is declared{within}, but {method} is refused with -32601; without it, its requirements are not judged"
            )
            yield Remark("contradiction", capability or role, text)


PROBES = {Probe.ANSWERS: "answers", Probe.REFUSED: "refused", Probe.BROKEN: "broken", Probe.NOT_PROBED: "-"}
STYLES = {"contradiction": "yellow", "undeclared": "yellow", "probe": "yellow"}


def declaration_lines(declaration: Declaration, *, one_role: bool = False) -> Iterator[Text | Padding]:
    """Yield the table of what is not declared or not as declared, then every remark; nothing where all is.

    Roles that are not declared are left out where the connection is one to a single role.
    """
    notable = [
        feature
        for feature in declaration.features
        if _matters(feature) and (feature.declared or feature.kind != "role" or not one_role)
    ]
    if notable:
        yield Padding(_table(notable), (1, 0, 0, 2))
    for remark in declaration.remarks:
        style = STYLES.get(remark.kind, "dim")
        yield Text(f"  {remark.kind}: {visible(remark.subject)} {visible(remark.text)}", style)


def _matters(feature: Feature) -> bool:
    if feature.declared:
        return feature.probe in (Probe.REFUSED, Probe.BROKEN)
    return bool(feature.requirements) or feature.probe is Probe.ANSWERS


def _table(features: list[Feature]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim", style="dim")
    for name in ("", "declared", "probed"):
        table.add_column(name, no_wrap=True)
    table.add_column("not judged without it", justify="right", no_wrap=True)
    for feature in features:
        lost = f"{feature.requirements} requirements" if not feature.declared and feature.requirements else "-"
        table.add_row(
            f"{feature.kind} {feature.name}", "yes" if feature.declared else "no", PROBES[feature.probe], lost
        )
    return table


MOST_REMARKS = 20
"""Remarks of one kind."""
BINDING = ("must", "must-not")


def review(description: interface.IutDescription, catalogue: Catalogue) -> Iterator[Remark]:
    """Yield what is to be said about a declaration, without asking the implementation anything."""
    for check in (_roles, _capabilities, _specifications, _declined):
        yield from islice(check(description, catalogue), MOST_REMARKS)  # no more is looked at: suggestions take long


def _roles(description: interface.IutDescription, _: Catalogue) -> Iterator[Remark]:
    if not description.roles.intersection(ROLES):
        text = f"no known role is declared, so nothing can be judged; declare one of {_named(ROLES)}"
        yield Remark("contradiction", "roles", text)
    for role in sorted(description.roles.difference(ROLES)):
        yield Remark(
            "unknown",
            interface.excerpt(role),
            f"is not a role of this protocol version; known are {_near(role, ROLES)}",
        )


def _capabilities(description: interface.IutDescription, _: Catalogue) -> Iterator[Remark]:
    for name in sorted(description.capabilities):
        roles = CAPABILITIES.get(name)
        if roles is None:
            text = (
                f"is not a capability of this protocol version and has no effect; known are {_near(name, CAPABILITIES)}"
            )
            yield Remark("unknown", interface.excerpt(name), text)
        elif not description.roles.intersection(roles):
            text = f"is declared without its role; declare {_any(roles)} as well, or remove it"
            yield Remark("contradiction", name, text)
    if description.capabilities.issuperset(CLOCKS):
        text = "virtual-clock and real-clock are both declared; declare only the clock of the timers"
        yield Remark("contradiction", "real-clock", text)
    for role in ("discovery_client", "queue_manager"):
        if role in description.roles and not description.capabilities.intersection(CLOCKS):
            text = "no clock is declared, so waits are not judged; declare virtual-clock or real-clock"
            yield Remark("contradiction", role, text)


def _specifications(description: interface.IutDescription, catalogue: Catalogue) -> Iterator[Remark]:
    revisions = {specification.id: specification.revision for specification in catalogue.specifications}
    for name, revision in sorted(description.specs.items()):
        if name not in revisions:
            text = f"is an unknown specification; known are {_near(name, revisions)}"
            yield Remark("unknown", interface.excerpt(name), text)
        elif revision != revisions[name]:
            text = f"revision {interface.excerpt(revision)} is declared, the catalogue is of {revisions[name]}"
            text += "; `mqconform spec diff` lists the differences"
            yield Remark("unknown", name, text)


def _declined(description: interface.IutDescription, catalogue: Catalogue) -> Iterator[Remark]:
    for name in sorted(description.declined):
        requirement = catalogue.get(name)
        if requirement is None:
            near = get_close_matches(name[:80], [*catalogue], n=3)
            meant = f"meant may be {_named(near)}" if near else "`mqconform list` shows all"
            text = f"is declined, but is not a requirement; {meant}"
            yield Remark("unknown", interface.excerpt(name), text)
        elif not description.roles.intersection(requirement.roles):
            text = f"is declined, and binds {_any(sorted(requirement.roles))} alone, which is not declared; remove it"
            yield Remark("contradiction", name, text)
        elif not requirement.is_judged:
            yield Remark("contradiction", name, "is declined, but is never judged; remove it")
        elif requirement.level in BINDING:
            text = f"has level {requirement.level}: declined, it is unsupported, and conformance is not complete"
            yield Remark("declined", name, text)
        else:
            yield Remark(
                "declined", name, f"is declined, and reported as unsupported; its level is {requirement.level}"
            )


def _near(name: str, candidates: Iterable[str]) -> str:
    names = [*candidates]
    return _named(get_close_matches(name[:80], names, n=3) or names[:6])


def _named(names: Iterable[str]) -> str:
    return ", ".join(names)


def _any(roles: Iterable[str]) -> str:
    return " or ".join(roles)


MUTANT = "mutant:"
"""What needs no probe: each mutant is the reference, and declares the one role that it is wrong in."""


def declared_by(target: str, options: interface.AdapterOptions) -> Declaration | None:
    """Reach an implementation for a moment, and return what it declares, reviewed and probed.

    None where it cannot be reached or does not introduce itself: the run that follows says why.
    """
    try:
        iut = connect(target, options)
    except interface.IutProblem:
        return None
    try:
        return declaration_of(iut, probed=not target.startswith(MUTANT))
    finally:
        iut.close()


def declaration_of(iut: interface.Iut, *, probed: bool = True) -> Declaration:
    """Return what an implementation that has introduced itself declares, reviewed, and probed where that is wanted."""
    description, catalogue = iut.description, load_catalogue()
    prober = Prober(iut)
    if probed:
        prober.probe()
    remarks = [*review(description, catalogue), *prober.remarks]
    remarks += undeclared(prober, description.roles, description.capabilities)
    return Declaration(tuple(_features(description, prober.tried, catalogue)), tuple(dict.fromkeys(remarks)))


def _features(description: interface.IutDescription, tried: Tried, catalogue: Catalogue) -> Iterator[Feature]:
    for role in ROLES:
        bound = sum(role in requirement.roles and requirement.is_judged for requirement in catalogue.values())
        yield Feature("role", role, role in description.roles, tried.get(role, Probe.NOT_PROBED), bound)
    needing = _needing(description, catalogue)
    for name, roles in CAPABILITIES.items():
        if name in description.capabilities or description.roles.intersection(roles):
            came = _joined(tried, name)
            yield Feature("capability", name, name in description.capabilities, came, needing.get(name, 0))


def _joined(tried: Tried, capability: str) -> Probe:
    """Return the result of the probes of a capability in all roles: one answer is enough."""
    probes = [came for name, came in tried.items() if name.partition(":")[2] == capability]
    return next((probe for probe in (Probe.ANSWERS, Probe.BROKEN, Probe.REFUSED) if probe in probes), Probe.NOT_PROBED)


def _needing(description: interface.IutDescription, catalogue: Catalogue) -> Mapping[str, int]:
    """Return how many requirements of the declared roles have no scenario that does without a capability."""
    without: dict[str, set[str]] = {}
    touched: dict[str, set[str]] = {name: set() for name in CAPABILITIES}
    for scenario in tagged_scenarios():
        if not description.roles.intersection(scenario.roles):
            continue
        clocks = () if description.capabilities.intersection(CLOCKS) else CLOCKS
        needs = {each for need in scenario.needs for each in (clocks if need == "clock" else (need,))}
        for requirement in scenario.requirements:
            if not catalogue[requirement].is_judged:
                continue
            for name in CAPABILITIES:
                (touched[name] if name in needs else without.setdefault(name, set())).add(requirement)
    return {name: len(requirements - without.get(name, set())) for name, requirements in touched.items()}
