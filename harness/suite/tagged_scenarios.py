"""The tags of every scenario, read off the feature files without parsing them: a run looks at them before it begins."""

from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from mqconform.harness.suite.naming import feature_name, slug, values_of


class Tagged(NamedTuple):
    """What a scenario is about, and the file that it is in; ``name`` is as in case ids."""

    name: str
    requirements: tuple[str, ...]
    roles: tuple[str, ...]
    needs: tuple[str, ...]
    file: Path


@cache
def tagged_scenarios() -> tuple[Tagged, ...]:
    """Return the tags of each scenario, those of its rule and feature included; a test holds them to the parser's."""
    folder = Path(str(files("mqconform.features")))
    return tuple(
        Tagged(
            f"{feature_name(str(file))}/{slug(title)}",
            values_of(tags, "req"),
            values_of(tags, "role"),
            values_of(tags, "needs"),
            file,
        )
        for file in sorted(folder.rglob("*.feature"))
        for title, tags in _tags_of_scenarios(file.read_text("utf-8"))
    )


def _tags_of_scenarios(text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    pending: list[str] = []
    of_feature: list[str] = []
    of_rule: list[str] = []
    for line in map(str.strip, text.splitlines()):
        if line.startswith("@"):
            pending += [tag.removeprefix("@") for tag in line.split()]
            continue
        if line.startswith("Feature:"):
            of_feature = pending
        elif line.startswith("Rule:"):
            of_rule = pending
        elif line.startswith(("Scenario:", "Scenario Outline:")):
            yield line.partition(":")[2], tuple(dict.fromkeys((*of_feature, *of_rule, *pending)))
        elif not line or line.startswith("#"):
            continue
        pending = []
