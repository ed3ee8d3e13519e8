"""Fingerprints: what a later comparison needs to tell a changed text from a changed implementation.

Each is the beginning of a SHA-256, the same on every machine. The name of a scenario is no part of its fingerprint, so
that a renamed one is recognised.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import MappingProxyType

from pytest_bdd.parser import ScenarioTemplate, Step

from mqconform.harness.naming import tags_of
from mqconform.harness.spec.requirement import Requirement

DIGITS = 16
"""Hexadecimal digits of a fingerprint: two texts with the same one are not met by accident."""
JUDGING = ("harness/oracle", "harness/steps", "harness/mqbr", "harness/mqsd", "reference")
"""Folders whose code decides what a verdict is."""
BUILT_IN = ("harness/builtin", "harness/mutants", "reference")
"""Folders whose code the reference and the mutants are made of."""
FAMILIES = MappingProxyType({"eod": (), "mqbr": ("reference/directory", "routing_scene"), "mqsd": ("client_scene",)})
"""Feature folder -> what is in the path of files that only its scenarios use, beside its own name."""


def fingerprint(parts: Iterable[str]) -> str:
    """Return the fingerprint of some texts in their order."""
    total = sha256()
    for part in parts:
        octets = part.encode("utf-8", "surrogatepass")
        total.update(b"%d:" % len(octets) + octets)
    return total.hexdigest()[:DIGITS]


def scenario_fingerprint(template: ScenarioTemplate, row: Mapping[str, str]) -> str:
    """Return the fingerprint of what a case does: its tags and its steps with the row put in."""
    steps = template.render(row).steps
    return fingerprint((*tags_of(template), *(part for step in steps for part in _step(step))))


def _step(step: Step) -> Iterator[str]:
    yield step.type
    yield step.name
    yield step.docstring or ""
    for line in step.datatable.raw() if step.datatable else ():
        yield " | ".join(map(str, line))


def requirement_fingerprint(requirement: Requirement) -> str:
    """Return the fingerprint of the text that a requirement stands on, and of how it binds."""
    stands_on = requirement.source or (requirement.summary,)
    return fingerprint((requirement.level, requirement.judged, *stands_on))


@cache
def judging_fingerprints() -> Mapping[str, str]:
    """Return the fingerprint of the code that judges, for each folder of features."""
    sources = _sources(JUDGING)
    return {family: fingerprint(_of_family(sources, family)) for family in FAMILIES}


@cache
def built_in_fingerprint() -> str:
    """Return the fingerprint of the reference and the mutants as implementations under test."""
    return fingerprint(part for source in _sources(BUILT_IN).items() for part in source)


def _of_family(sources: Mapping[str, str], family: str) -> Iterator[str]:
    """Yield paths and texts of the files that are the family's own or everybody's."""
    for path, text in sources.items():
        if _family(path) in {family, ""}:
            yield path
            yield text


def _family(path: str) -> str:
    named = next((family for family in FAMILIES if family in path), "")
    return named or next((one for one, words in FAMILIES.items() if any(word in path for word in words)), "")


def _sources(folders: tuple[str, ...]) -> dict[str, str]:
    package = files("mqconform.harness")
    found: dict[str, str] = {}
    for folder in folders:
        top, _, below = folder.partition("/")
        root = package if top == "harness" else files(f"mqconform.{top}")
        found |= _python_files(root / below if below else root, folder)
    return dict(sorted(found.items()))


def _python_files(folder: Traversable, path: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for entry in folder.iterdir():
        if entry.is_dir() and entry.name not in {"tests", "__pycache__"}:
            found |= _python_files(entry, f"{path}/{entry.name}")
        elif entry.name.endswith(".py"):
            found[f"{path}/{entry.name}"] = entry.read_text(encoding="utf-8")
    return found
