// The role `discovery_client`: from requests to events, and from effects to results.

import { DiscoveryClient } from "../discovery_client.mjs";

const NOBODY = "00000000-0000-0000-0000-000000000000";

export const discoveryClientOperations = () => {
  let client = new DiscoveryClient({ enterprise: NOBODY, site: NOBODY, networks: [] });
  return {
    "discovery_client.configure": (params) => {
      client = new DiscoveryClient({
        enterprise: params.guid("enterprise"),
        site: params.guid("site"),
        networks: readNetworks(params),
      });
      return {};
    },
    "discovery_client.change_networks": (params) => {
      client.networks = readNetworks(params);
      return {};
    },
    "discovery_client.start": () => showEffects(client.start()),
    "discovery_client.receive": (params) => showEffects(client.receive(params.text("network"), params.octets("datagram"))),
    "discovery_client.advance_clock": (params) => showEffects(client.advanceClock(params.microseconds("seconds"))),
    "discovery_client.state": () => showState(client),
  };
};

/** The keys of `discovery_client.state`. */
export const showState = (client) => ({
  directory_servers: client.directoryServers,
  connected_networks: client.connectedNetworks,
  valid_last_successful_network_address: client.lastSuccessfulNetworkValid,
  last_successful_network_address: client.lastSuccessfulNetwork,
  request_id: client.requestId,
  current_network_index: client.currentIndex,
});

/** One effect as the protocol writes it. */
export const showEffect = ({ send, complete }) =>
  send
    ? { send: { network: send.network, datagram: send.datagram.toString("hex") } }
    : { complete: { result: complete } };

const showEffects = (effects) => ({ effects: effects.map(showEffect) });

const readNetworks = (params) =>
  params.listOf("networks").map((network) => ({
    address: network.text("address"),
    remoteAccess: network.has("remote_access") && network.boolean("remote_access"),
  }));
