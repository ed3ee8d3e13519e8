// A discovery client of another house: MS-MQSD 3.1 in JavaScript. Nothing of it is taken from the reference model.
//
//   node discovery_client.mjs [real] [READING or FAULT]...      over stdin and stdout (IUT protocol, version 1)
//   node discovery_client.mjs udp ENTERPRISE SITE ADDRESS...    one search by broadcast; exit status 0 or 1
//
// With "real" it has a clock of its own, and tells what it has done when it is asked next.

import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { createInterface } from 'node:readline';

const READINGS = [
  'asks-again', 'asks-again-once', 'own-reply-counts', 'one-wait-for-each-network', 'copies-ignored', 'busy-is-busy',
  'strict-header', 'keeps-foreign-list-out', 'accepts-more-octets',
];
const FAULTS = [
  'waits-10', 'waits-30', 'first-network-only', 'any-network', 'any-id', 'keeps-flags', 'appends', 'never-completes',
  'completes-twice', 'ipx-fields', 'version-1', 'same-id', 'wait-not-restarted', 'success-on-failure',
];
const words = process.argv.slice(2);
const over = words[0] === 'udp' ? words.shift() : 'stdio';
const real = words[0] === 'real' && words.shift();
const addressed = over === 'udp' ? words.splice(0).filter((one) => !FAULTS.includes(one) || !words.push(one)) : [];
const is = (word) => words.includes(word);
const unknown = words.filter((one) => !READINGS.includes(one) && !FAULTS.includes(one));
if (unknown.length) {
  console.error(`no ${unknown}; there are ${[...READINGS, ...FAULTS].join(', ')}`);
  process.exit(64);
}

const MICROSECONDS = 1_000_000;
const WAIT = (is('waits-10') ? 10 : is('waits-30') ? 30 : 15) * MICROSECONDS;
const FIXED = 32;

// MS-DTYP 2.3.4.2: three integers with their low octet first, then eight octets.
function turned(octets) {
  const copy = Buffer.from(octets);
  copy.subarray(0, 4).reverse();
  copy.subarray(4, 6).reverse();
  copy.subarray(6, 8).reverse();
  return copy;
}
const packed = (text) => turned(Buffer.from(text.replaceAll('-', ''), 'hex'));
const guidText = (octets) => turned(octets).toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

// 2.2.3; null where it is not what the section describes.
function read(octets) {
  if (octets.length < FIXED || octets[1] !== 2) return null;
  if (is('strict-header') && (octets[0] || octets.readUInt16LE(2))) return null;
  const [count, mask, size] = [20, 24, 28].map((at) => octets.readUInt32LE(at));
  const networksEnd = FIXED + 16 * count;
  const end = networksEnd + (size ? 16 + size : 0);
  if (octets.length < end || mask || (octets.length > end && !is('accepts-more-octets'))) return null;
  const networks = Array.from({ length: count }, (_, one) => octets.subarray(FIXED + 16 * one, FIXED + 16 * one + 16));
  const reply = { id: octets.subarray(4, 20), networks: networks.map(guidText), local: size === 0, octets };
  if (reply.local) return { ...reply, servers: [] };
  const text = octets.subarray(networksEnd + 16, end).toString('utf16le');
  if (size % 2 || !text.endsWith('\0')) return null;
  const items = text.slice(0, -1).split(/[,\0]/);
  if (!items.every((one) => /^[01]{2}/.test(one))) return null;
  const named = items.filter((one) => one.length > 2);
  return { ...reply, servers: named.map((one) => (is('keeps-flags') ? one : one.slice(2))) };
}

class Client {
  constructor({ enterprise, site, networks }, now, act) {
    Object.assign(this, { enterprise: packed(enterprise), site: packed(site), networks, now, act });
    Object.assign(this, { list: [], index: -1, deadline: null, running: false, successful: null, id: null });
    Object.assign(this, { servers: [], connected: [], stored: null, received: false });
  }

  get last() { return this.index === this.list.length - 1 || is('first-network-only'); }

  // 3.1.4.1
  start() {
    if (this.running && is('busy-is-busy')) return;
    this.list = is('asks-again-once') ? [...this.networks] : [...this.list, ...this.networks];
    const again = is('asks-again') || is('asks-again-once');
    if (this.successful && !again && !this.list.some((one) => one.remote_access)) {
      this.act({ complete: { result: 'success' } });
      return;
    }
    if (!this.id || !is('same-id')) this.id = randomBytes(16);
    Object.assign(this, { index: -1, received: false, running: true });
    if (this.list.length) this.ask();
    else this.fail();
  }

  // 3.1.5.1
  ask() {
    this.stored = null;
    this.index += 1;
    this.deadline = this.now() + WAIT;
    const head = Buffer.from([is('version-1') ? 1 : 0, 1, 0, 0]);
    const tail = is('ipx-fields') ? Buffer.alloc(4) : Buffer.alloc(0);
    const datagram = Buffer.concat([head, this.enterprise, this.id, this.site, tail]);
    if (this.index < this.list.length) this.act({ send: { network: this.list[this.index].address, datagram } });
  }

  // 3.1.5.2
  receive(network, octets) {
    const reply = read(octets);
    if (!reply || !this.running) return;
    if (network !== this.list[this.index]?.address && !is('any-network')) return;
    if (!reply.id.equals(this.id) && !is('any-id')) return;
    if (reply.local) this.local(reply);
    else if (!this.stored) this.foreign(reply);
    else if (is('copies-ignored') && reply.octets.equals(this.stored.octets)) return;
    else if (this.last) this.success(this.stored);
    else this.go();
  }

  local(reply) {
    this.successful = this.list[this.index].address;
    if (!this.last) {
      this.received = true;
      const before = this.deadline;
      this.ask();
      if (is('wait-not-restarted')) this.deadline = before;
      return;
    }
    const older = this.stored;
    const known = is('own-reply-counts') ? reply : older;
    if (older && !older.local && !is('keeps-foreign-list-out')) this.take(older.servers, null);
    this.take(null, known ? known.networks : []);
    this.end('success');
  }

  foreign(reply) {
    this.successful = this.list[this.index].address;
    Object.assign(this, { stored: reply, received: true });
    if (!is('one-wait-for-each-network') && !is('wait-not-restarted')) this.deadline = this.now() + WAIT;
  }

  go() {
    const before = this.deadline;
    this.ask();
    if (is('wait-not-restarted')) this.deadline = before;
  }

  // 3.1.6.1
  expire() {
    this.deadline = null;
    if (!this.last) this.ask();
    else if (!this.stored && !this.received) this.fail();
    else this.success(this.stored, false);
  }

  success(reply, remember = true) {
    if (remember) this.successful = this.list[this.index].address;
    this.take(reply && !reply.local ? reply.servers : null, reply ? reply.networks : []);
    this.end('success');
  }

  fail() {
    this.successful = null;
    this.end(is('success-on-failure') ? 'success' : 'failure');
  }

  // 3.1.7
  take(servers, connected) {
    if (servers) this.servers = is('appends') ? [...this.servers, ...servers] : servers;
    if (connected) this.connected = is('appends') ? [...this.connected, ...connected] : connected;
  }

  end(result) {
    Object.assign(this, { running: false, deadline: null });
    if (is('never-completes')) return;
    this.act({ complete: { result } });
    if (is('completes-twice')) this.act({ complete: { result } });
  }

  show() {
    return {
      directory_servers: this.servers, connected_networks: this.connected,
      valid_last_successful_network_address: this.successful !== null,
      last_successful_network_address: this.successful,
    };
  }
}

function overStdio() {
  const began = process.hrtime.bigint();
  let client = null;
  let virtual = 0;
  let effects = [];
  let timer = null;
  const now = () => (real ? Number((process.hrtime.bigint() - began) / 1000n) : virtual);
  const act = (effect) => effects.push(
    effect.send ? { send: { ...effect.send, datagram: effect.send.datagram.toString('hex') } } : effect,
  );
  const wind = () => {
    clearTimeout(timer);
    if (!real || client?.deadline == null) return;
    timer = setTimeout(() => {
      if (client.deadline !== null && client.deadline <= now()) client.expire();
      wind();
    }, Math.max(0, Math.ceil((client.deadline - now()) / 1000)));
  };
  const taken = () => {
    const told = effects;
    effects = [];
    wind();
    return { effects: told };
  };
  const methods = {
    initialize: () => ({
      protocol: 1, name: 'alien discovery client', version: '1', roles: ['discovery_client'],
      capabilities: [real ? 'real-clock' : 'virtual-clock'], specs: { MQSD: '13.0' },
    }),
    reset: () => { client = null; effects = []; return {}; },
    shutdown: () => ({}),
    'discovery_client.configure': (params) => { client = new Client(params, now, act); effects = []; return {}; },
    'discovery_client.change_networks': ({ networks }) => { client.networks = networks; return {}; },
    'discovery_client.start': () => { client.start(); return taken(); },
    'discovery_client.receive': ({ network, datagram }) => {
      client.receive(network, Buffer.from(datagram, 'hex'));
      return taken();
    },
    'discovery_client.advance_clock': ({ seconds }) => {
      const until = virtual + Math.round(seconds * MICROSECONDS);
      while (!real && client.deadline !== null && client.deadline <= until) {
        virtual = client.deadline;
        client.expire();
      }
      virtual = until;
      return taken();
    },
    'discovery_client.state': () => client.show(),
  };
  createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    const answer = methods[method]
      ? { result: methods[method](params) }
      : { error: { code: -32601, message: 'method not found' } };
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`, () => {
      if (method === 'shutdown') process.exit(0);
    });
  });
}

function overUdp([enterprise, site, ...addresses]) {
  const sockets = new Map();
  const networks = addresses.map((address) => ({ address }));
  const now = () => Number(process.hrtime.bigint() / 1000n);
  const client = new Client({ enterprise, site, networks }, now, (effect) => {
    if (effect.complete) process.exitCode = effect.complete.result === 'success' ? 0 : 1;
    else sockets.get(effect.send.network).send(effect.send.datagram, 1801, '255.255.255.255');
  });
  const look = () => {
    if (client.deadline !== null && client.deadline <= now()) client.expire();
    if (client.running) setTimeout(look, 10);
    else for (const one of sockets.values()) one.close();
  };
  let bound = 0;
  for (const address of addresses) {
    const socket = createSocket('udp4');
    sockets.set(address, socket);
    socket.on('message', (octets) => client.receive(address, octets));
    socket.bind(0, address, () => {
      socket.setBroadcast(true);
      bound += 1;
      if (bound === addresses.length) {
        client.start();
        look();
      }
    });
  }
}

if (over === 'udp') overUdp(addressed);
else overStdio();
