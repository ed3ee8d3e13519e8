// A router of another house: MS-MQBR 3.1 in JavaScript, spoken to over stdin and stdout (IUT protocol, version 1).
// Nothing of it is taken from the reference model. One argument may name a fault that it has on purpose.

import { createInterface } from 'node:readline';

const FAULTS = ['hops-not-costs', 'one-way', 'greedy', 'last-hop', 'first-of-list', 'any-site-gate'];
const fault = process.argv[2] ?? '';
if (fault && !FAULTS.includes(fault)) {
  console.error(`no fault ${fault}; there are ${FAULTS.join(', ')}`);
  process.exit(64);
}

const HOUR = 3600;
const NO_ROUTE = -32010;
const same = (one, other) => one.toLowerCase() === other.toLowerCase();
const lower = (ids) => (ids ?? []).map((id) => id.toLowerCase());

class Refusal extends Error {
  constructor(code, text) {
    super(text);
    this.code = code;
  }
}

class Directory {
  constructor() {
    this.objects = { Site: [], RoutingLink: [], QueueManager: [] };
    this.broken = new Map();
  }

  fill(document) {
    this.objects = {
      Site: document.sites.map((one) => ({ id: one.id.toLowerCase(), gates: lower(one.site_gates) })),
      RoutingLink: document.routing_links.map((one) => ({
        ends: [one.site1.toLowerCase(), one.site2.toLowerCase()],
        cost: one.cost,
      })),
      QueueManager: document.queue_managers.map((one) => ({
        id: one.id.toLowerCase(),
        sites: lower(one.sites),
        routes: one.routing_server === true,
        inbound: lower(one.in_routing_servers),
        outbound: lower(one.out_routing_servers),
      })),
    };
  }

  // GetDirectoryData, 3.1.5.9: what fails, at its begin or later, yields nothing at all.
  read(type, id = null) {
    if (this.broken.has(type)) return [];
    return this.objects[type].filter((one) => id === null || same(one.id, id));
  }
}

class Router {
  constructor() {
    this.directory = new Directory();
    this.local = null;
    this.seconds = 0;
    this.table = new Map();
  }

  machine(id) {
    return this.directory.read('QueueManager', id)[0] ?? null;
  }

  routingServerOf(id) {
    const client = this.machine(id);
    if (client === null) return null;
    const fits = (one) => one.routes && neighbours(one, client);
    return this.directory.read('QueueManager').find(fits)?.id ?? null;
  }

  gateOf(id) {
    const member = this.machine(id);
    if (member === null) return null;
    const own = (site) => fault === 'any-site-gate' || member.sites.includes(site.id);
    return this.directory.read('Site').find(own)?.gates[0] ?? null;
  }

  gateOfSite(id) {
    return this.directory.read('Site', id)[0]?.gates[0] ?? null;
  }

  isGate(id) {
    const machine = this.machine(id);
    if (machine === null || !machine.routes) return 0;
    const keeps = (site) => machine.sites.includes(site.id) && site.gates.includes(machine.id);
    return this.directory.read('Site').some(keeps) ? 1 : 0;
  }

  // 3.1.3.1: Bellman and Ford's way round: relax every edge until nothing changes, and note the first step.
  build() {
    this.table = new Map();
    if (!this.isGate(this.local)) return;
    const sites = this.directory.read('Site').map((site) => site.id);
    const links = this.directory.read('RoutingLink');
    const root = this.machine(this.local).sites.find((id) => sites.includes(id));
    const found = new Map([[root, { cost: 0, first: root }]]);
    const edges = links
      .filter(({ ends }) => ends.every((end) => sites.includes(end)))
      .flatMap(({ ends: [one, other], cost }) => {
        const weight = fault === 'hops-not-costs' ? 1 : cost;
        const there = { from: one, to: other, weight };
        return fault === 'one-way' ? [there] : [there, { from: other, to: one, weight }];
      });
    if (edges.length === 0) return;
    for (let moved = true; moved; ) {
      moved = false;
      for (const { from, to, weight } of edges) {
        if (!found.has(from)) continue;
        const before = found.get(from);
        const cost = before.cost + weight;
        if (found.has(to) && (fault === 'greedy' || found.get(to).cost <= cost)) continue;
        const first = from === root || fault === 'last-hop' ? to : before.first;
        found.set(to, { cost, first });
        moved = true;
      }
    }
    for (const site of sites) if (found.has(site)) this.table.set(site, found.get(site).first);
  }

  nextHops(sourceId, destinationId) {
    const source = this.machine(sourceId);
    const destination = this.machine(destinationId);
    let hops = [];
    if (source !== null && destination !== null) {
      hops = source.routes ? this.fromRouter(source, destination) : this.fromClient(source, destination);
    }
    hops = hops.filter((hop) => hop !== null);
    if (hops.length === 0) throw new Refusal(NO_ROUTE, 'the routing attempt failed');
    return hops;
  }

  fromClient(source, destination) {
    if (source.outbound.length > 0) return whole(source.outbound);
    if (neighbours(source, destination)) return towards(destination);
    return [this.routingServerOf(source.id)];
  }

  fromRouter(source, destination) {
    const gate = this.isGate(source.id) === 1;
    if (destination.inbound.includes(source.id)) return [destination.id];
    if (neighbours(source, destination)) return towards(destination);
    return [gate ? this.acrossSites(destination) : this.gateOf(source.id)];
  }

  acrossSites(destination) {
    let next = null;
    for (const [site, hop] of this.table) if (destination.sites.includes(site)) next = hop;
    return next === null ? null : this.gateOfSite(next);
  }

  pass(seconds) {
    const expired = Math.floor((this.seconds + seconds) / HOUR) > Math.floor(this.seconds / HOUR);
    this.seconds += seconds;
    if (expired && this.local !== null) this.build();
  }
}

const neighbours = (one, other) => one.sites.some((site) => other.sites.includes(site));
const whole = (list) => (fault === 'first-of-list' ? list.slice(0, 1) : list);
const towards = (machine) => (machine.inbound.length > 0 ? whole(machine.inbound) : [machine.id]);

let router = new Router();

const operations = {
  initialize: () => ({
    protocol: 1,
    name: 'alien router',
    version: '1',
    roles: ['router'],
    capabilities: ['virtual-clock', 'procedures', 'directory-faults'],
  }),
  reset: () => ((router = new Router()), {}),
  shutdown: () => ({}),
  'router.load_directory': ({ directory }) => (router.directory.fill(directory), {}),
  'router.change_directory': ({ directory }) => (router.directory.fill(directory), {}),
  'router.initialize': ({ local }) => {
    Object.assign(router, { local, seconds: 0 });
    router.build();
    return {};
  },
  'router.advance_clock': ({ seconds }) => (router.pass(seconds), {}),
  'router.get_next_hops': ({ source, destination }) => ({ next_hops: router.nextHops(source, destination) }),
  'router.routing_table': () => ({
    rows: [...router.table].map(([site, hop]) => ({ destination_site: site, next_hop_site: hop })),
  }),
  'router.is_site_gate': ({ machine }) => ({ value: router.isGate(machine) }),
  'router.get_routing_server': ({ machine }) => ({ value: router.routingServerOf(machine) }),
  'router.get_site_gate': ({ machine }) => ({ value: router.gateOf(machine) }),
  'router.get_site_gate_for_site': ({ site }) => ({ value: router.gateOfSite(site) }),
  'router.fail_directory': ({ object_type: type, at }) => {
    if (at === null) router.directory.broken.delete(type);
    else router.directory.broken.set(type, at);
    return {};
  },
};

function answer({ id, method, params }) {
  const operation = operations[method];
  if (!operation) return { jsonrpc: '2.0', id, error: { code: -32601, message: `no method ${method}` } };
  try {
    return { jsonrpc: '2.0', id, result: operation(params ?? {}) };
  } catch (error) {
    return { jsonrpc: '2.0', id, error: { code: error.code ?? -32603, message: error.message } };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  console.log(JSON.stringify(answer(request)));
  if (request.method === 'shutdown') break;
}
process.exit(0);
