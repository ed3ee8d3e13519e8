"""The requirement catalogue: every requirement of every specification, by id.

Its files lie in ``features/requirements``; steps, verdicts and reports take the id of a requirement
from here, so that an id that is not catalogued is reported at once.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import MappingProxyType

from mqconform.harness.records.requirement import Anchor, Exclusion, Requirement, RoleName, Specification
from mqconform.harness.suite.spec.reader import CatalogueFault, read_specification

__all__ = [
    "Anchor",
    "Catalogue",
    "CatalogueFault",
    "Exclusion",
    "Requirement",
    "RoleName",
    "Specification",
    "load_catalogue",
    "read_catalogue",
]


@dataclass(frozen=True)
class Catalogue(Mapping[str, Requirement]):
    """All specifications, and their requirements by id in catalogue order."""

    specifications: tuple[Specification, ...]
    _by_id: Mapping[str, Requirement]

    def __getitem__(self, requirement: str) -> Requirement:
        """Return the requirement of that id.

        Raises:
            KeyError: naming the id and what to do, if no catalogue file has it.
        """
        try:
            return self._by_id[requirement]
        except KeyError:
            raise KeyError(f"no catalogue file has a requirement {requirement}; see `mqconform list`") from None

    def __contains__(self, requirement: object) -> bool:
        """Return whether a requirement of that id exists."""
        return requirement in self._by_id

    def __iter__(self) -> Iterator[str]:
        """Yield the ids, file by file in text order."""
        return iter(self._by_id)

    def __len__(self) -> int:
        """Return the number of requirements."""
        return len(self._by_id)

    def by_role(self, role: RoleName) -> tuple[Requirement, ...]:
        """Return the requirements that bind one role, in catalogue order."""
        return tuple(requirement for requirement in self._by_id.values() if role in requirement.roles)

    def specification(self, spec: str) -> Specification | None:
        """Return the specification of that id, None where there is no catalogue of it."""
        return next((specification for specification in self.specifications if specification.id == spec), None)


@cache
def load_catalogue() -> Catalogue:
    """Return the catalogue that the package ships.

    Raises:
        CatalogueFault: naming file, entry, field and remedy.
    """
    return read_catalogue(files("mqconform.features").joinpath("requirements"))


def read_catalogue(folder: Traversable) -> Catalogue:
    """Return the catalogue in the TOML files of ``folder`` that have a [spec] table.

    Raises:
        CatalogueFault: naming file, entry, field and remedy.
    """
    candidates = (
        read_specification(file.name, file.read_text(encoding="utf-8"))
        for file in sorted(folder.iterdir(), key=lambda file: file.name)
        if file.name.endswith(".toml")
    )
    specifications = tuple(specification for specification in candidates if specification is not None)
    _refuse_twins("specification", Counter(specification.id for specification in specifications))
    requirements = [requirement for specification in specifications for requirement in specification.requirements]
    _refuse_twins("requirement", Counter(requirement.id for requirement in requirements))
    return Catalogue(specifications, MappingProxyType({requirement.id: requirement for requirement in requirements}))


def _refuse_twins(what: str, ids: Counter[str]) -> None:
    twins = sorted(name for name, times in ids.items() if times > 1)
    if twins:
        raise CatalogueFault(f"{what} {', '.join(twins)}: field id: used more than once; give each its own number")
