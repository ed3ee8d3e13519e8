// The role `router`: from requests to the procedures of the router.

import { Router } from "../router.mjs";
import { MethodError } from "./jsonrpc.mjs";

const ROUTING_ATTEMPT_FAILED = -32010;

export const routerOperations = () => {
  const router = new Router();
  const loadDirectory = (params) => {
    router.directory.load(readDirectory(params.nested("directory")));
    return {};
  };
  return {
    "router.load_directory": loadDirectory,
    "router.initialize": (params) => {
      router.initialize(params.guid("local"));
      return {};
    },
    "router.change_directory": loadDirectory, // nothing is computed from it before the timer ends
    "router.advance_clock": (params) => {
      router.advanceClock(params.microseconds("seconds"));
      return {};
    },
    "router.get_next_hops": (params) => {
      const hops = router.getNextHops(params.guid("source"), params.guid("destination"));
      if (hops.length === 0) throw new MethodError(ROUTING_ATTEMPT_FAILED, "there is no route");
      return { next_hops: hops };
    },
    "router.routing_table": () => {
      const row = ({ destinationSite, nextHopSite }) => ({ destination_site: destinationSite, next_hop_site: nextHopSite });
      return { rows: router.routingTable.map(row) };
    },
    "router.is_site_gate": (params) => ({ value: router.isSiteGate(params.guid("machine")) ? 1 : 0 }),
    "router.get_routing_server": (params) => ({ value: router.getRoutingServer(params.guid("machine")) }),
    "router.get_site_gate": (params) => ({ value: router.getSiteGate(params.guid("machine")) }),
    "router.get_site_gate_for_site": (params) => ({ value: router.getSiteGateForSite(params.guid("site")) }),
    "router.fail_directory": (params) => {
      const type = params.oneOf("object_type", ["Site", "RoutingLink", "QueueManager"]);
      router.directory.setFailing(type, params.oneOf("at", ["begin", "next", null]) !== null);
      return {};
    },
  };
};

const readDirectory = (document) => {
  document.nested("enterprise").guid("id");
  return {
    sites: document.listOf("sites").map((site) => ({ id: site.guid("id"), siteGates: site.guids("site_gates") })),
    routingLinks: document.listOf("routing_links").map((link) => ({
      id: link.guid("id"),
      site1: link.guid("site1"),
      site2: link.guid("site2"),
      cost: link.integer("cost"),
    })),
    queueManagers: document.listOf("queue_managers").map((machine) => ({
      id: machine.guid("id"),
      sites: machine.guids("sites"),
      routingServer: machine.boolean("routing_server"),
      inRoutingServers: optionalGuids(machine, "in_routing_servers"),
      outRoutingServers: optionalGuids(machine, "out_routing_servers"),
    })),
  };
};

const optionalGuids = (params, name) => (params.has(name) ? params.guids(name) : []);
