// The RoutingTable of MS-MQBR 3.1.1.2 and 3.1.3.1: least-cost paths from the own sites to every other.

/**
 * The rows `{ destinationSite, nextHopSite }` of all sites that can be reached, in the order of `sites`. A gate of
 * several sites stands in all of them at once, so that no path leads through another of its own sites.
 */
export const buildTable = (ownSites, sites, links) => {
  if (sites.length === 0 || links.length === 0) return [];
  const neighbours = edges(sites, links);
  const nextHops = leastCostPaths(ownSites.filter((site) => neighbours.has(site)), neighbours);
  return sites
    .filter(({ id }) => nextHops.has(id))
    .map(({ id }) => ({ destinationSite: id, nextHopSite: nextHops.get(id) }));
};

/** One edge in each direction of a link; links to unknown sites are no edges of the graph. */
const edges = (sites, links) => {
  const neighbours = new Map(sites.map(({ id }) => [id, []]));
  for (const { site1, site2, cost } of links) {
    if (!neighbours.has(site1) || !neighbours.has(site2)) continue;
    neighbours.get(site1).push({ site: site2, cost });
    neighbours.get(site2).push({ site: site1, cost });
  }
  return neighbours;
};

/** Dijkstra's algorithm: from each site that can be reached to the first step of a cheapest path there. */
const leastCostPaths = (roots, neighbours) => {
  const firstSteps = new Map();
  const frontier = new Map(roots.map((root) => [root, { cost: 0, step: root }]));
  while (frontier.size > 0) {
    const [site, reached] = cheapest(frontier);
    frontier.delete(site);
    firstSteps.set(site, reached.step);
    for (const edge of neighbours.get(site)) {
      if (firstSteps.has(edge.site)) continue;
      const cost = reached.cost + edge.cost;
      const known = frontier.get(edge.site);
      if (known !== undefined && known.cost <= cost) continue;
      frontier.set(edge.site, { cost, step: roots.includes(site) ? edge.site : reached.step });
    }
  }
  return firstSteps;
};

const cheapest = (frontier) => {
  let best = null;
  for (const entry of frontier) {
    if (best === null || entry[1].cost < best[1].cost) best = entry;
  }
  return best;
};
