// A queue manager of another house, seen from outside over stdin and stdout (IUT protocol, version 1): streams with
// clocks, restarts and ids of sequences, and transactional sends. Nothing of it is taken from the reference model: it
// counts time in milliseconds and keeps everything in maps. One argument may name a fault.

import { createInterface } from 'node:readline';

const FAULTS = [
  'acknowledges-after-two-seconds', 'puts-off-for-ever', 'acknowledges-on-and-on', 'forgets-at-restart',
  'newer-sequence-amid', 'resends-every-thirty-seconds', 'resends-the-first-only', 'numbers-anew-at-restart',
  'commits-in-part', 'refuses-nontransactional', 'takes-everything-in', 'dead-letters-at-home', 'does-not-tell',
  'forgets-nested-lists',
];
const fault = process.argv[2] ?? '';
if (fault && !FAULTS.includes(fault)) {
  console.error(`no fault ${fault}; there are ${FAULTS.join(', ')}`);
  process.exit(64);
}
const is = (name) => fault === name;
const milliseconds = (seconds) => Math.round(seconds * 1000);

class Receiver {
  now = 0;
  windows = new Map();
  timers = new Map();
  lastSent = new Map();

  arrive(stream, id, sequence, previous) {
    const window = this.windows.get(stream) ?? { id: 0, last: 0 };
    let accepted = false;
    if (id > window.id) accepted = previous === 0 || is('newer-sequence-amid');
    else if (id === window.id) accepted = sequence > window.last && previous <= window.last;
    if (accepted) this.windows.set(stream, { id, last: sequence });
    this.ask(stream);
    return { accepted };
  }

  ask(stream) {
    const delay = is('acknowledges-after-two-seconds') ? 2000 : 500;
    const since = this.now - (this.lastSent.get(stream) ?? 0);
    if (!this.timers.has(stream) || since < 10000 || is('puts-off-for-ever')) this.timers.set(stream, this.now + delay);
  }

  number(stream) {
    return this.windows.get(stream)?.last ?? 0;
  }

  advance(seconds) {
    const until = this.now + milliseconds(seconds);
    const sent = [];
    for (;;) {
      const due = [...this.timers].filter(([, at]) => at <= until).sort((one, other) => one[1] - other[1])[0];
      if (!due) break;
      const [stream, at] = due;
      sent.push({ stream, sequence: this.number(stream) });
      this.timers.delete(stream);
      this.lastSent.set(stream, at);
      if (is('acknowledges-on-and-on')) this.timers.set(stream, at + 500);
    }
    this.now = until;
    return { order_acks: sent };
  }

  restart() {
    this.timers.clear();
    if (is('forgets-at-restart')) this.windows.clear();
    return {};
  }

  lose() {
    this.windows.clear();
    this.timers.clear();
    return {};
  }
}

class Sender {
  now = 0;
  streams = new Map();

  of(stream) {
    if (!this.streams.has(stream)) this.streams.set(stream, { queue: [], given: 0, waits: 0, due: null });
    return this.streams.get(stream);
  }

  enqueue({ stream, message }) {
    const its = this.of(stream);
    const previous = its.queue.at(-1)?.sequence ?? 0;
    its.queue.push({ message, sequence: ++its.given });
    return { sequence: its.given, previous };
  }

  wait(its) {
    if (is('resends-every-thirty-seconds')) return 30_000;
    return [30, 30, 30, 300, 300, 300, 1800, 1800, 1800][its.waits] * 1000 || 21_600_000;
  }

  linked(its) {
    return its.queue.map((one, place) => ({ ...one, previous: its.queue[place - 1]?.sequence ?? 0 }));
  }

  transmit({ stream }) {
    const its = this.of(stream);
    if (its.queue.length && its.due === null) its.due = this.now + this.wait(its);
    return { messages: this.linked(its) };
  }

  settle(its, shorter) {
    if (!its.queue.length) Object.assign(its, { due: null, waits: 0 });
    else if (shorter && its.due !== null) its.due = this.now + this.wait(its);
    return {};
  }

  acknowledged({ stream, sequence }) {
    const its = this.of(stream);
    const before = its.queue.length;
    its.queue = its.queue.filter((one) => one.sequence > sequence);
    return this.settle(its, its.queue.length < before);
  }

  discard({ stream, message }) {
    const its = this.of(stream);
    its.queue = its.queue.filter((one) => one.message !== message);
    return this.settle(its, false);
  }

  restart() {
    for (const its of this.streams.values()) {
      if (is('numbers-anew-at-restart')) for (const one of its.queue) one.sequence = ++its.given;
      if (its.queue.length) its.due = this.now;
    }
    return {};
  }

  advance(seconds) {
    const until = this.now + milliseconds(seconds);
    const messages = [];
    for (;;) {
      const [name, its] = [...this.streams].filter(([, one]) => one.due !== null && one.due <= until)
        .sort((one, other) => one[1].due - other[1].due)[0] ?? [];
      if (!its) break;
      const all = this.linked(its).map((one) => ({ stream: name, ...one }));
      messages.push(...(is('resends-the-first-only') ? all.slice(0, 1) : all));
      its.waits += 1;
      its.due += this.wait(its);
    }
    this.now = until;
    return { messages };
  }
}

class Transactions {
  queues = new Map();
  lists = new Map();
  failing = new Set();
  open = new Map();
  begun = 0;
  waiting = {};
  delivered = {};
  dead = {};
  told = {};

  reached(names, found = new Set(), seen = new Set(), depth = 0) {
    for (const name of names) {
      if (this.queues.has(name)) found.add(name);
      else if (!seen.has(name) && !(is('forgets-nested-lists') && depth)) {
        seen.add(name);
        this.reached(this.lists.get(name) ?? [], found, seen, depth + 1);
      }
    }
    return found;
  }

  commit({ transaction }) {
    const copies = this.open.get(transaction).flatMap((send) =>
      [...this.reached(send.destination)].map((queue) => ({ queue, ...send })));
    this.open.delete(transaction);
    const refused = copies.filter(({ queue }) =>
      this.failing.has(queue) || (is('refuses-nontransactional') && !this.queues.get(queue).transactional));
    if (refused.length && !is('commits-in-part')) return { committed: false };
    for (const copy of copies) if (!refused.includes(copy)) (this.waiting[copy.queue] ??= []).push(copy);
    return { committed: refused.length === 0 };
  }

  deliver() {
    for (const [name, copies] of Object.entries(this.waiting)) {
      const { machine, transactional } = this.queues.get(name);
      for (const { message, administration_queue: administration } of copies) {
        if (transactional || is('takes-everything-in')) (this.delivered[name] ??= []).push(message);
        else {
          (this.dead[is('dead-letters-at-home') ? 'home' : machine] ??= []).push(message);
          if (administration && !is('does-not-tell')) {
            (this.told[administration] ??= []).push({ message, queue: name, class: 'not_transactional_queue' });
          }
        }
      }
    }
    this.waiting = {};
    return {};
  }

  state() {
    const outgoing = Object.fromEntries(
      Object.entries(this.waiting).map(([name, copies]) => [name, copies.map(({ message }) => message)]));
    return { outgoing, queues: this.delivered, dead_letters: this.dead, acknowledgments: this.told };
  }
}

let receiver;
let sender;
let transactions;
const begin = () => {
  receiver = new Receiver();
  sender = new Sender();
  transactions = new Transactions();
  return {};
};
begin();

const operations = {
  initialize: () => ({
    protocol: 1, name: 'queue manager in JavaScript', version: '1',
    roles: ['ordered_receiver', 'ordered_sender', 'transaction'],
    capabilities: ['virtual-clock', 'restart', 'sequences', 'send-faults'],
  }),
  reset: begin,
  shutdown: () => ({}),
  'ordered_receiver.receive': ({ stream, sequence, previous }) => receiver.arrive(stream, 0, sequence, previous),
  'ordered_receiver.receive_in_sequence': ({ stream, sequence_id: id, sequence, previous }) =>
    receiver.arrive(stream, id, sequence, previous),
  'ordered_receiver.order_ack': ({ stream }) => ({ sequence: receiver.number(stream) }),
  'ordered_receiver.lose_state': () => receiver.lose(),
  'ordered_receiver.restart': () => receiver.restart(),
  'ordered_receiver.advance_clock': ({ seconds }) => receiver.advance(seconds),
  'ordered_sender.enqueue': (params) => sender.enqueue(params),
  'ordered_sender.transmit': (params) => sender.transmit(params),
  'ordered_sender.order_ack': (params) => sender.acknowledged(params),
  'ordered_sender.discard': (params) => sender.discard(params),
  'ordered_sender.receiver_lost_state': () => ({}),
  'ordered_sender.restart': () => sender.restart(),
  'ordered_sender.advance_clock': ({ seconds }) => sender.advance(seconds),
  'transaction.configure': ({ queues, lists }) => {
    transactions = new Transactions();
    for (const queue of queues) transactions.queues.set(queue.name, queue);
    for (const { name, elements } of lists ?? []) transactions.lists.set(name, elements);
    return {};
  },
  'transaction.begin': () => {
    transactions.open.set(++transactions.begun, []);
    return { transaction: transactions.begun };
  },
  'transaction.send': ({ transaction, ...send }) => {
    transactions.open.get(transaction).push(send);
    return {};
  },
  'transaction.commit': (params) => transactions.commit(params),
  'transaction.abort': ({ transaction }) => {
    transactions.open.delete(transaction);
    return {};
  },
  'transaction.fail_queue': ({ queue, failing }) => {
    if (failing) transactions.failing.add(queue);
    else transactions.failing.delete(queue);
    return {};
  },
  'transaction.deliver': () => transactions.deliver(),
  'transaction.state': () => transactions.state(),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  const operation = operations[method];
  const answer = operation
    ? { jsonrpc: '2.0', id, result: operation(params) }
    : { jsonrpc: '2.0', id, error: { code: -32601, message: `no method ${method}` } };
  process.stdout.write(`${JSON.stringify(answer)}\n`, () => {
    if (method === 'shutdown') process.exit(0);
  });
});
