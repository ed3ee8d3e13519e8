"""Which scenarios judge a requirement: read from the tags of the feature files."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from gherkin.errors import CompositeParserException, ParserError
from gherkin.parser import Parser

_TAG = "@req:"


class FeatureFault(Exception):
    """A feature file of the project does not parse; the message names it."""


def scenarios_by_requirement(folder: Traversable | None = None) -> Mapping[str, tuple[str, ...]]:
    """Return requirement id -> names of the scenarios tagged with it, as ``file: scenario``.

    Raises:
        FeatureFault: if a feature file does not parse.
    """
    found: dict[str, list[str]] = defaultdict(list)
    for file in _features(folder or files("mqconform.features")):
        for tags, name in _scenarios(file):
            for requirement in tags:
                found[requirement].append(f"{file.name}: {name}")
    return {requirement: tuple(names) for requirement, names in found.items()}


def _features(folder: Traversable) -> Iterator[Traversable]:
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            yield from _features(entry)
        elif entry.name.endswith(".feature"):
            yield entry


def _scenarios(file: Traversable) -> Iterator[tuple[set[str], str]]:
    try:
        document: Any = Parser().parse(file.read_text(encoding="utf-8"))
    except (ParserError, CompositeParserException) as fault:
        raise FeatureFault(f"{file.name}: {fault}") from fault
    feature = document.get("feature")
    if feature:
        yield from _below(feature, _requirements(feature))


def _below(node: Mapping[str, Any], inherited: set[str]) -> Iterator[tuple[set[str], str]]:
    for child in node["children"]:
        if rule := child.get("rule"):
            yield from _below(rule, inherited | _requirements(rule))
        elif scenario := child.get("scenario"):
            yield inherited | _requirements(scenario), scenario["name"]


def _requirements(node: Mapping[str, Any]) -> set[str]:
    names = (tag["name"] for tag in node.get("tags", []))
    return {name.removeprefix(_TAG) for name in names if name.startswith(_TAG)}
