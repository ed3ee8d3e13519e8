// The routing algorithm of MS-MQBR 3.1: each procedure of section 3.1.5 is one method here, under its own name. The
// directory is read anew for every question; what the text calls Nothing is null.

import { Directory } from "./directory.mjs";
import { buildTable } from "./routing_table.mjs";

const QUERY_TIMER = 3_600_000_000; // microseconds, section 3.1.3

export class Router {
  directory = new Directory();
  routingTable = [];
  #local = null;
  #untilQuery = QUERY_TIMER;

  /** Section 3.1.3. */
  initialize(local) {
    this.#local = local;
    this.#untilQuery = QUERY_TIMER;
    this.#initializeRoutingTable();
  }

  /** Time passes; the routing table is made anew whenever the query timer ends (section 3.1.6.1). */
  advanceClock(microseconds) {
    if (this.#local === null) return;
    if (microseconds < this.#untilQuery) {
      this.#untilQuery -= microseconds;
      return;
    }
    // However often the timer ended meanwhile, the directory has been the same.
    this.#initializeRoutingTable();
    this.#untilQuery = QUERY_TIMER - ((microseconds - this.#untilQuery) % QUERY_TIMER);
  }

  /** RoutingTable Initialization, section 3.1.3.1: only a gate has rows. */
  #initializeRoutingTable() {
    this.routingTable = [];
    if (!this.isSiteGate(this.#local)) return;
    const { sites } = this.getQueueManager(this.#local);
    this.routingTable = buildTable(sites, this.directory.read("Site"), this.directory.read("RoutingLink"));
  }

  /** GetNextHops, section 3.1.5.1; an empty list where the routing attempt fails. */
  getNextHops(sourceId, destinationId) {
    const source = this.getQueueManager(sourceId);
    const destination = this.getQueueManager(destinationId);
    if (source === null || destination === null) return [];
    if (source.routingServer) return this.#getNextHopsForRouter(source, destination);
    if (source.outRoutingServers.length > 0) return source.outRoutingServers;
    if (shareASite(source, destination)) return entrances(destination);
    return found(this.getRoutingServer(sourceId));
  }

  /** GetNextHopsForRouter, section 3.1.5.2. */
  #getNextHopsForRouter(source, destination) {
    if (this.isSiteGate(source.id)) return this.#getNextHopsForSiteGate(source, destination);
    if (destination.inRoutingServers.includes(source.id)) return [destination.id];
    if (shareASite(source, destination)) return entrances(destination);
    return found(this.getSiteGate(source.id));
  }

  /** GetNextHopsForSiteGate, section 3.1.5.3: of several rows that fit the last one counts. */
  #getNextHopsForSiteGate(source, destination) {
    if (destination.inRoutingServers.includes(source.id)) return [destination.id];
    if (shareASite(source, destination)) return entrances(destination);
    const row = this.routingTable.filter(({ destinationSite }) => destination.sites.includes(destinationSite)).at(-1);
    return row === undefined ? [] : found(this.getSiteGateForSite(row.nextHopSite));
  }

  /** GetQueueManager, section 3.1.5.4. */
  getQueueManager(machineId) {
    return this.directory.read("QueueManager", machineId)[0] ?? null;
  }

  /** GetRoutingServer, section 3.1.5.5: the first routing server that shares a site. */
  getRoutingServer(machineId) {
    const source = this.getQueueManager(machineId);
    if (source === null) return null;
    const machines = this.directory.read("QueueManager");
    return machines.find((machine) => machine.routingServer && shareASite(machine, source))?.id ?? null;
  }

  /** GetSiteGate, section 3.1.5.6: a gate of the first own site, whether or not that has any. */
  getSiteGate(machineId) {
    const source = this.getQueueManager(machineId);
    if (source === null) return null;
    return this.directory.read("Site").find(({ id }) => source.sites.includes(id))?.siteGates[0] ?? null;
  }

  /** GetSiteGateForSite, section 3.1.5.7. */
  getSiteGateForSite(siteId) {
    return this.directory.read("Site", siteId)[0]?.siteGates[0] ?? null;
  }

  /** IsSiteGate, section 3.1.5.8. */
  isSiteGate(machineId) {
    const machine = this.getQueueManager(machineId);
    if (machine === null || !machine.routingServer) return false;
    const ownSites = this.directory.read("Site").filter(({ id }) => machine.sites.includes(id));
    return ownSites.some(({ siteGates }) => siteGates.includes(machineId));
  }
}

/** A search that found nothing adds nothing that a message could be sent to. */
const found = (machineId) => (machineId === null ? [] : [machineId]);

/** Where a message for a machine of the same site is sent: to its In servers, if it has any. */
const entrances = ({ id, inRoutingServers }) => (inRoutingServers.length > 0 ? inRoutingServers : [id]);

const shareASite = (one, other) => one.sites.some((site) => other.sites.includes(site));
