"""The paths of a picture in words, as its legend lists them."""

from itertools import islice
from typing import Final

from mqconform.harness.tools.enterprise.machine_names import machine_label, site_label
from mqconform.harness.tools.enterprise.routes import MOST_PATHS, Ending, Path, Routes
from mqconform.reference.directory import Directory

LISTED: Final = 5
"""Ways through the sites that are listed one by one."""

_ENDINGS: Final = {
    Ending.DELIVERED: "",
    Ending.NO_ROUTE: ", then no route",
    Ending.LOOP: ", then back again",
    Ending.UNEXPLORED: ", then not followed further",
}


def path_lines(directory: Directory, routes: Routes) -> tuple[str, ...]:
    """Return what the paths are: source and destination, then each way through the sites with its cost."""
    paths = list(islice(routes.paths(), MOST_PATHS + 1))
    more = len(paths) > MOST_PATHS
    ways = list(dict.fromkeys(_way(directory, path) for path in paths[:MOST_PATHS]))
    heading = f"From {machine_label(directory, routes.source)} to {machine_label(directory, routes.destination)}:"
    rest = [f"and {len(ways) - LISTED} more ways"] if len(ways) > LISTED else []
    if more:
        rest = ["and more ways; equal costs multiply"]
    return (heading, *ways[:LISTED], *rest)


def _way(directory: Directory, path: Path) -> str:
    """Return the sites of a path with what it costs."""
    names = " → ".join(site_label(directory, site) for site in path.sites)
    if path.ending is Ending.NO_ROUTE and not path.crossings:
        return "no route"
    cost = "without a routing link" if path.cost is None else f"cost {path.cost}"
    return f"{names or 'no site'} ({cost}){_ENDINGS[path.ending]}"
