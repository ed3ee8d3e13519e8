// `mqsample`: takes orders, serves, or searches.

import { isIPv4 } from "node:net";
import { parseArgs } from "node:util";

import { DiscoveryClient } from "./discovery_client.mjs";
import { DiscoveryServer } from "./discovery_server.mjs";
import { isGuid } from "./guid.mjs";
import { showEffect, showState } from "./protocol/discovery_client_operations.mjs";
import { iutMethods } from "./protocol/iut.mjs";
import { serve } from "./protocol/jsonrpc.mjs";
import { UdpNetwork, hasBroadcastAddress, search } from "./udp_client.mjs";
import { UdpServer } from "./udp_server.mjs";

const USAGE = `Usage: mqsample [stdio]
         take orders on standard input, by the IUT protocol
       mqsample discovery-server --enterprise GUID --site GUID [--host H] [--port P]
                [--connected-network GUID]... [--directory-server NAME]...
         answer topology requests until SIGTERM, on 127.0.0.1:1801 unless told otherwise; broadcasts reach 0.0.0.0 alone
       mqsample discovery-client --enterprise GUID --site GUID --network ADDRESS[/PREFIX]...
                [--port P] [--broadcast limited|directed]
         search for directory servers once; a network is named by this computer's own address there
`;

const text = { type: "string" };
const texts = { type: "string", multiple: true, default: [] };
const shared = { enterprise: text, site: text, port: { ...text, default: "1801" }, help: { type: "boolean", short: "h" } };

const WRONG_USAGE = 4;

class WrongUsage extends Error {}

/** The IUT protocol on standard input and output. */
const takeOrders = async (args) => {
  if (args.length > 0) throw new WrongUsage(`stdio takes no arguments, not ${args[0]}`);
  await serve(await iutMethods(), process.stdin, process.stdout);
  return 0;
};

/** A discovery server until SIGTERM. */
const runServer = async (args) => {
  const options = { ...shared, host: { ...text, default: "127.0.0.1" }, "connected-network": texts, "directory-server": texts };
  const values = readOptions(args, options);
  const server = new DiscoveryServer({
    site: values.site.toLowerCase(),
    connectedNetworks: values["connected-network"].map(readGuid),
    directoryServers: values["directory-server"].map((name) => ({ name, ip: true, ipx: false })),
  });
  const udp = await UdpServer.listen(server, values.host, values.port);
  for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => udp.close());
  console.log(`listening on ${udp.address.host}:${udp.address.port}`);
  await udp.closed;
  return server.listening ? 0 : 1;
};

/** One search for directory servers. */
const runClient = async (args) => {
  const values = readOptions(args, { ...shared, network: texts, broadcast: { ...text, default: "limited" } });
  const networks = values.network.map(readNetwork);
  const directed = values.broadcast === "directed";
  if (networks.length === 0) throw new WrongUsage("--network is missing");
  if (!directed && values.broadcast !== "limited") throw new WrongUsage("--broadcast is limited or directed");
  if (directed && !networks.every(hasBroadcastAddress)) {
    throw new WrongUsage("a directed broadcast needs the prefix of the network, as in 192.0.2.7/24");
  }
  const opened = [];
  for (const network of networks) opened.push(await UdpNetwork.open(network, { port: values.port, directed }));
  const { enterprise, site } = values;
  const client = new DiscoveryClient({ enterprise, site, networks });
  const result = await search(client, opened, (effect) => printObject(showEffect(effect)));
  printObject({ result, ...showState(client) });
  for (const network of opened) network.close();
  return result === "success" ? 0 : 1;
};

const COMMANDS = new Map([
  ["stdio", takeOrders],
  ["discovery-server", runServer],
  ["discovery-client", runClient],
]);

/** Run the command; the exit status is 0, 1 for a search that failed, or 4 for wrong usage. */
export const main = async ([command = "stdio", ...args]) => {
  // Whoever listened may have gone.
  process.stdout.on("error", () => process.exit(1));
  if ([command, ...args].some((word) => word === "--help" || word === "-h")) {
    process.stdout.write(USAGE);
    return 0;
  }
  try {
    if (!COMMANDS.has(command)) throw new WrongUsage(`there is no command ${command}`);
    return await COMMANDS.get(command)(args);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    process.stderr.write(`mqsample: ${error.message}\nmqsample --help says how it is used.\n`);
    return WRONG_USAGE;
  }
};

/** Whether an error is about what was asked for: the usage, an option, or an address that cannot be had. */
const isRefusal = (error) =>
  error instanceof WrongUsage ||
  error.code?.startsWith("ERR_PARSE_ARGS") ||
  ["bind", "getaddrinfo"].includes(error.syscall);

const readOptions = (args, options) => {
  const { values } = parseArgs({ args, options });
  for (const name of ["enterprise", "site"]) {
    if (values[name] === undefined) throw new WrongUsage(`--${name} is missing`);
    readGuid(values[name]);
  }
  return { ...values, port: readPort(values.port) };
};

const readGuid = (given) => {
  if (!isGuid(given)) throw new WrongUsage(`not a GUID of the form 8-4-4-4-12: ${given}`);
  return given.toLowerCase();
};

const readPort = (given) => {
  if (!/^\d{1,5}$/.test(given) || Number(given) > 65_535) throw new WrongUsage(`not a UDP port: ${given}`);
  return Number(given);
};

const readNetwork = (given) => {
  const [, address, prefix = "32"] = /^([\d.]+)(?:\/(\d{1,2}))?$/.exec(given) ?? [];
  if (!isIPv4(address ?? "") || Number(prefix) > 32) throw new WrongUsage(`not ADDRESS or ADDRESS/PREFIX: ${given}`);
  return { address, prefix: Number(prefix), remoteAccess: false };
};

const printObject = (value) => console.log(JSON.stringify(value));
