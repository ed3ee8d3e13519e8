"""Which sites of an enterprise a picture shows."""

from collections.abc import Iterable, Mapping
from typing import Final

from mqconform.harness.tools.enterprise.crossings import Crossing
from mqconform.reference.directory import Directory, Site, SiteId

MOST_SITES: Final = 150
"""Sites of which a picture is still readable."""


class TooManySites(Exception):
    """The enterprise is too large for a picture; the message says what to do."""


def shown_sites(directory: Directory, crossed: Iterable[Crossing]) -> tuple[Mapping[SiteId, Site], str]:
    """Return the sites to be drawn in the order of the directory, and a note if that is not all of them.

    Of an enterprise too large for a picture, the sites on the paths are shown, with their neighbours if these fit.

    Args:
        directory: the enterprise.
        crossed: the hops of all shown paths.

    Raises:
        TooManySites: if the sites on the paths are too many as well, or there are no paths.
    """
    sites = {identifier: found[0] for identifier, found in directory.sites_by_identifier.items()}
    if len(sites) <= MOST_SITES:
        return sites, ""
    on_path = {site for one in crossed for site in (one.from_site, one.to_site) if site in sites}
    near = on_path | _neighbours(directory, on_path)
    for chosen, what in ((near, "the sites on the paths and their neighbours"), (on_path, "the sites on the paths")):
        if 0 < len(chosen & sites.keys()) <= MOST_SITES:
            shown = {identifier: site for identifier, site in sites.items() if identifier in chosen}
            return shown, f"Shown are {what}: {len(shown)} of {len(sites)} sites."
    remedy = "the paths pass too many of them" if on_path else "name two queue managers with --from and --to"
    raise TooManySites(f"{len(sites)} sites do not fit into a picture, which holds {MOST_SITES}; {remedy}")


def _neighbours(directory: Directory, sites: set[SiteId]) -> set[SiteId]:
    ends = ({link.site1_identifier, link.site2_identifier} for link in directory.routing_links)
    return {site for pair in ends if pair & sites for site in pair}
