"""What cases established that ran in other processes, so that this one can sum it up."""

from collections import defaultdict
from dataclasses import dataclass, field

from mqconform.harness.records.case import Case
from mqconform.harness.records.profile import Profile
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.suite.catalogue import Catalogue, load_catalogue
from mqconform.harness.suite.telling import load_telling


@dataclass(slots=True)
class Established:
    """What cases that ran elsewhere say of requirements."""

    cases: list[Case]
    roles: frozenset[str]
    profile: Profile
    catalogue: Catalogue = field(default_factory=load_catalogue)
    by_requirement: dict[str, list[Verdict]] = field(default_factory=lambda: defaultdict(list))

    def __post_init__(self) -> None:
        for case in self.cases:
            for witness in case.witnesses:
                self.by_requirement[witness.requirement].append(load_telling().worth(witness))
