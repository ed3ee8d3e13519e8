// A discovery server of another house: MS-MQSD 3.2 in JavaScript, spoken to over stdin and stdout (IUT protocol,
// version 1) and over UDP. Nothing of it is taken from the reference model. One argument may name a fault.

import { createSocket } from 'node:dgram';
import { createInterface } from 'node:readline';

const FAULTS = [
  'id-as-text', 'count-network-order', 'mask-everywhere', 'size-in-characters', 'list-for-all', 'site-of-client',
  'stops-at-short', 'needs-exact-length', 'no-final-null', 'to-well-known-port',
];
const fault = process.argv[2] ?? '';
if (fault && !FAULTS.includes(fault)) {
  console.error(`no fault ${fault}; there are ${FAULTS.join(', ')}`);
  process.exit(64);
}

const PLAIN_REQUEST = 52;
const REQUEST = 1;
const REPLY = 2;
const WELL_KNOWN_PORT = 1801;

// MS-DTYP 2.3.4.2: three integers with their low octet first, then eight octets.
function packed(text) {
  const octets = Buffer.from(text.replaceAll('-', ''), 'hex');
  octets.subarray(0, 4).reverse();
  octets.subarray(4, 6).reverse();
  octets.subarray(6, 8).reverse();
  return octets;
}

const integer = (value) => {
  const octets = Buffer.alloc(4);
  octets.writeUInt32LE(value >>> 0);
  return octets;
};

class Server {
  constructor(configuration) {
    this.site = packed(configuration.site);
    this.networks = configuration.connected_networks.map(packed);
    this.servers = configuration.directory_servers;
    this.stopped = false;
  }

  // 3.2.5.1
  answer(network, request) {
    if (fault === 'stops-at-short' && request.length < PLAIN_REQUEST) this.stopped = true;
    if (this.stopped || request.length < PLAIN_REQUEST || request[1] !== REQUEST) return [];
    if (fault === 'needs-exact-length' && request.length !== PLAIN_REQUEST) return [];
    if (this.networks.length > 32) return []; // 2.2.3 counts no further
    const client = request.subarray(36, 52);
    const foreign = this.servers.length > 0 && (fault === 'list-for-all' || !client.equals(this.site));
    const list = foreign ? this.list() : Buffer.alloc(0);
    const listed = foreign ? [fault === 'site-of-client' ? client : this.site, list] : [];
    const size = fault === 'size-in-characters' ? list.length / 2 : list.length;
    return [Buffer.concat([
      Buffer.from([0, REPLY, 0, 0]), this.correlation(request), this.count(), integer(this.mask(network)),
      integer(size), ...this.networks, ...listed,
    ])];
  }

  correlation(request) {
    const id = request.subarray(20, 36);
    return fault === 'id-as-text' ? packed(id.toString('hex')) : id;
  }

  count() {
    const octets = integer(this.networks.length);
    return fault === 'count-network-order' ? octets.reverse() : octets;
  }

  // As many ones as networks over IPX, here from the highest bit down; none over IP.
  mask(network) {
    if (network === 'ip' && fault !== 'mask-everywhere') return 0;
    return this.networks.reduce((bits) => (bits >>> 1) | 0x80000000, 0);
  }

  // 2.2.3: a JavaScript string is a run of UTF-16 code units, whatever they are.
  list() {
    const entries = this.servers.map(({ name, ip, ipx }) => `${Number(ip)}${Number(ipx)}${name}`);
    return Buffer.from(entries.join(',') + (fault === 'no-final-null' ? '' : '\0'), 'utf16le');
  }
}

let server = null;
let port = null;

async function closePort() {
  if (port) await new Promise((closed) => port.close(closed));
  port = null;
}

const methods = {
  initialize: () => ({
    protocol: 1, name: 'another discovery server', version: '1', vendor: 'another house',
    roles: ['discovery_server'], capabilities: ['udp', 'ipx'], specs: { MQSD: '13.0' },
  }),
  reset: async () => {
    await closePort();
    server = null;
    return {};
  },
  shutdown: async () => {
    await closePort();
    return {};
  },
  'discovery_server.configure': (configuration) => {
    server = new Server(configuration);
    return {};
  },
  'discovery_server.receive': ({ network, datagram }) => ({
    replies: (server?.answer(network, Buffer.from(datagram, 'hex')) ?? []).map((reply) => reply.toString('hex')),
  }),
  'discovery_server.listen': async ({ host, port: wanted }) => {
    await closePort();
    port = createSocket('udp4');
    port.on('message', (request, { address, port: from }) => {
      const to = fault === 'to-well-known-port' ? WELL_KNOWN_PORT : from;
      for (const reply of server?.answer('ip', request) ?? []) port.send(reply, to, address);
    });
    await new Promise((bound) => port.bind(wanted, host, bound));
    return { host, port: port.address().port };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  const answer = { jsonrpc: '2.0', id };
  if (methods[method]) answer.result = await methods[method](params);
  else answer.error = { code: -32601, message: `no method ${method}` };
  console.log(JSON.stringify(answer));
  if (method === 'shutdown') process.exit(0);
}
