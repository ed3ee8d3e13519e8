// A small implementation for check.mjs: next hops by MS-MQBR 3.1.5.1 to 3.1.5.3, the fields of MS-MQSD 2.2.

export function router(directory) {
  const machines = new Map(directory.queue_managers.map((one) => [one.id, one]));
  const gates = new Map(directory.sites.map((site) => [site.id, site.site_gates ?? []]));
  const tables = new Map();

  const share = (one, other) => one.sites.some((site) => other.sites.includes(site));
  const ownSites = (one) => directory.sites.filter((site) => one.sites.includes(site.id));
  const within = (to) => (to.in_routing_servers?.length ? to.in_routing_servers : [to.id]);
  const isGate = (one) => one.sites.some((site) => gates.get(site)?.includes(one.id));
  const table = (one) => {
    const root = ownSites(one)[0]?.id;
    if (!tables.has(root)) tables.set(root, routingTable(directory, root));
    return tables.get(root);
  };

  return (source, destination) => {
    const from = machines.get(source);
    const to = machines.get(destination);
    if (!from || !to) return null;
    if (!from.routing_server) {
      if (from.out_routing_servers?.length) return from.out_routing_servers;
      if (share(from, to)) return within(to);
      const server = directory.queue_managers.find((one) => one.routing_server && share(one, from));
      return server ? [server.id] : null;
    }
    if (to.in_routing_servers?.includes(source)) return [destination];
    if (share(from, to)) return within(to);
    if (!isGate(from)) {
      const gate = ownSites(from).flatMap((site) => site.site_gates ?? [])[0];
      return gate ? [gate] : null;
    }
    const next = table(from);
    const rows = directory.sites.filter((site) => to.sites.includes(site.id) && next.has(site.id));
    const gate = rows.length ? gates.get(next.get(rows.at(-1).id))?.[0] : undefined;
    return gate ? [gate] : null;
  };
}

// The first site behind the root on a least-cost path to every site (3.1.3.1), nearest sites first.
function routingTable(directory, root) {
  const known = new Set(directory.sites.map((site) => site.id));
  const links = directory.routing_links.filter((link) => known.has(link.site1) && known.has(link.site2));
  const costs = new Map([[root, 0]]);
  const next = new Map();
  const open = new Set(costs.keys());
  while (open.size) {
    const here = [...open].reduce((one, other) => (costs.get(other) < costs.get(one) ? other : one));
    open.delete(here);
    for (const { site1, site2, cost } of links) {
      if (site1 !== here && site2 !== here) continue;
      const there = site1 === here ? site2 : site1;
      const total = costs.get(here) + cost;
      if (total >= (costs.get(there) ?? Infinity)) continue;
      costs.set(there, total);
      next.set(there, here === root ? there : next.get(here));
      open.add(there);
    }
  }
  return next;
}

const guid = (octets, at) => {
  const little = (start, length) => Buffer.from(octets.subarray(at + start, at + start + length)).reverse().toString("hex");
  const big = (start, length) => octets.subarray(at + start, at + start + length).toString("hex");
  return `${little(0, 4)}-${little(4, 2)}-${little(6, 2)}-${big(8, 2)}-${big(10, 6)}`;
};

export function readPacket(octets) {
  if (octets.length < 4) return null;
  const header = { Version: `${octets[0]}`, Type: `${octets[1]}`, Reserved: `${octets.readUInt16LE(2)}` };
  if (octets[1] === 1 && octets.length >= 52) {
    return { ...header, EnterpriseID: guid(octets, 4), RequestID: guid(octets, 20), SiteID: guid(octets, 36) };
  }
  if (octets[1] !== 2 || octets.length < 32) return null;
  const [count, mask, size] = [20, 24, 28].map((at) => octets.readUInt32LE(at));
  const end = 32 + 16 * count;
  if (end + (size ? 16 + size : 0) > octets.length) return null;
  return {
    ...header,
    CorrelationID: guid(octets, 4),
    ConnectedNetworkCount: `${count}`,
    ConnectedNetworkMask: `${mask}`,
    DirectoryServiceServerSize: `${size}`,
    ConnectedNetworkArray: Array.from({ length: count }, (_, place) => guid(octets, 32 + 16 * place)).join(" "),
    ...(size && { RespondingSiteID: guid(octets, end) }),
  };
}
