"""What two runs differ in as wholes, their places among them: what can be the cause of a change beside the answers."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mqconform.harness.records.results import Case, Header

ENVIRONMENT = "environment.json"
MAX_SIZE = 4 * 1024 * 1024
TELLING = ("python", "platform", "cores", "packages")
"""What of it can change a verdict; when it was and by which command cannot."""

Surroundings = Mapping[str, str]


def read_surroundings(results: Path) -> Surroundings:
    """Return what may change a verdict of where a result file was written; nothing where that is lost."""
    folder = results if results.is_dir() else results.parent
    try:
        with (folder / ENVIRONMENT).open("rb") as file:
            facts = json.loads(file.read(MAX_SIZE))
    except (OSError, ValueError, RecursionError):
        return {}
    return dict(_flat(facts)) if isinstance(facts, dict) else {}


def _flat(facts: Mapping[str, Any]) -> list[tuple[str, str]]:
    pairs: list[tuple[str, str]] = []
    for name in TELLING:
        value = facts.get(name)
        if isinstance(value, dict):
            pairs += [(str(key), str(version)) for key, version in value.items()]
        elif value is not None:
            pairs.append((name, str(value)))
    return pairs


DECLARED = ("roles", "capabilities", "declined")


@dataclass(frozen=True, slots=True)
class Setting:
    """Two runs beside each other, without their verdicts.

    Attributes:
        then: header of the older run.
        now: header of the newer run.
    """

    then: Header
    now: Header
    surroundings_then: Surroundings
    surroundings_now: Surroundings

    @property
    def profile(self) -> str:
        """How the profiles differ, empty where they do not."""
        return transition("profile", self.then.profile, self.now.profile)

    @property
    def who(self) -> str:
        """How the implementations differ in who they are or how they are configured."""
        old, new = self.then.iut, self.now.iut
        return (
            transition("implementation", old.name, new.name)
            or transition("vendor", old.vendor, new.vendor)
            or transition("facts", old.facts, new.facts)
        )

    @property
    def declared(self) -> str:
        """How that differs which the implementation says it does or does not do."""
        for name in DECLARED:
            old, new = set(getattr(self.then.iut, name)), set(getattr(self.now.iut, name))
            if old != new:
                signed = [*(f"+{word}" for word in sorted(new - old)), *(f"-{word}" for word in sorted(old - new))]
                return f"{name} {' '.join(signed)}"
        return ""

    @property
    def same_build(self) -> bool:
        """Whether both runs are known to be of one build of one implementation."""
        old, new = self.then.iut, self.now.iut
        return bool(old.build) and (old.build, old.version) == (new.build, new.version)

    @property
    def build(self) -> str:
        """What is known of the two builds."""
        old, new = self.then.iut, self.now.iut
        change = transition("version", old.version, new.version) or transition("build", old.build, new.build)
        return change or f"version {old.version}, builds not known to be the same"

    @property
    def environment(self) -> str:
        """How the surroundings differ, the carrier included; empty where they are not known to."""
        parts = [
            transition("reached by", self.then.iut.kind, self.now.iut.kind),
            transition("clock", self.then.clock, self.now.clock),
        ]
        parts += [
            transition(name, self.surroundings_then[name], self.surroundings_now[name])
            for name in sorted(set(self.surroundings_then) & set(self.surroundings_now))
        ]
        return ", ".join(part for part in parts if part)

    @property
    def seed(self) -> str:
        """How the seeds differ."""
        return transition("seed", str(self.then.seed), str(self.now.seed))

    def added(self, feature: str) -> bool:
        """Tell whether the files differ of a feature that the user added to both runs."""
        old, new = (run.features.get(feature, "") for run in (self.then, self.now))
        return bool(old and new and old != new)

    def judging(self, feature: str) -> str:
        """Return how the code differs that judges the cases of a feature."""
        family = feature.partition("/")[0]
        old, new = _code(self.then.judging, family), _code(self.now.judging, family)
        if old and new:
            return "" if old == new else f"the code that judges {family or 'it'} changed"
        return transition("harness", self.then.harness, self.now.harness)

    def suite(self, before: Case, after: Case) -> str:
        """Return how a case asks otherwise than before."""
        if before.text and after.text and before.text != after.text:
            return "its steps or tags changed"
        if self.added(after.feature):
            return "a file beside its feature changed"
        if self.seed and (before.generated or after.generated):
            return f"{self.seed}, and its inputs are generated"
        return self.judging(after.feature)

    def differences(self) -> Iterator[str]:
        """Yield everything that differs, for a reader."""
        for specification in sorted({*self.then.specifications, *self.now.specifications}):
            old, new = (run.specifications.get(specification, "none") for run in (self.then, self.now))
            if old != new:
                yield transition(specification, old, new)
        yield from (
            difference
            for difference in (transition("harness", self.then.harness, self.now.harness), self.profile)
            if difference
        )
        yield from (difference for difference in (self.seed, self.who, self.declared) if difference)
        changed = sorted(family for family in {*self.then.judging, *self.now.judging} if self.judging(f"{family}/"))
        if changed:
            yield f"code that judges: {', '.join(changed)}"
        if self.then.iut.build != self.now.iut.build or self.then.iut.version != self.now.iut.version:
            yield self.build
        others = sorted(set(self.then.features.items()) ^ set(self.now.features.items()))
        if others:
            yield f"added features: {', '.join(dict.fromkeys(name for name, _ in others))}"
        if self.environment:
            yield self.environment


def transition(what: str, old: str, new: str) -> str:
    """Return ``what ONE -> OTHER``, nothing where they are the same."""
    return "" if old == new else f"{what} {old or 'none'} -> {new or 'none'}"


def _code(judging: Mapping[str, str], family: str) -> str:
    """Return the fingerprint of a folder of features; one that the package does not have is judged by all code."""
    return judging.get(family) or " ".join(judging[name] for name in sorted(judging))
