// The role `discovery_server`: from requests to events, and from what is sent to results.

import { DiscoveryServer } from "../discovery_server.mjs";
import { UdpServer } from "../udp_server.mjs";
import { METHOD_NOT_FOUND, MethodError } from "./jsonrpc.mjs";
import { InvalidParameters } from "./parameters.mjs";

const NOBODY = "00000000-0000-0000-0000-000000000000";

export const discoveryServerOperations = () => {
  let server = new DiscoveryServer({ site: NOBODY, connectedNetworks: [], directoryServers: [] });
  const ports = [];

  const methods = {
    "discovery_server.configure": (params) => {
      params.guid("enterprise"); // no step of the protocol uses it
      server = new DiscoveryServer({
        site: params.guid("site"),
        connectedNetworks: params.guids("connected_networks"),
        directoryServers: params.listOf("directory_servers").map((each) => ({
          name: each.text("name"),
          ip: each.boolean("ip"),
          ipx: each.boolean("ipx"),
        })),
      });
      for (const port of ports) port.serve(server);
      return {};
    },
    "discovery_server.receive": async (params) => {
      if (params.oneOf("network", ["ip", "ipx"]) === "ipx") {
        throw new MethodError(METHOD_NOT_FOUND, "this server speaks IP");
      }
      const replies = [];
      // A carrier without a socket: what is sent on it is the result of the request.
      await server.receive(params.octets("datagram"), { send: (reply) => replies.push(reply), reopen: () => {} });
      return { replies: replies.map((reply) => reply.toString("hex")) };
    },
    "discovery_server.listen": async (params) => {
      const [host, port] = [params.text("host"), params.port("port")];
      try {
        ports.push(await UdpServer.listen(server, host, port));
      } catch (error) {
        throw new InvalidParameters(`cannot listen on ${host}:${port}: ${error.message}`);
      }
      return ports.at(-1).address;
    },
    "discovery_server.fail_next_send": () => {
      server.failsNextSend = true;
      return {};
    },
    "discovery_server.fail_next_open": () => {
      server.failsNextOpen = true;
      return {};
    },
    "discovery_server.state": () => ({ listening: server.listening, sockets_opened: server.socketsOpened }),
  };
  return { methods, close: () => Promise.all(ports.splice(0).map((port) => port.close())) };
};
