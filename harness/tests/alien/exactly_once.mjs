// Both ends of exactly-once delivery, of another house: written from the published page alone, spoken to over stdin
// and stdout (IUT protocol, version 1). Nothing of it is taken from the reference model. One argument may name a fault.

import { createInterface } from 'node:readline';

const FAULTS = [
  'accepts-duplicates', 'rejects-legal-gaps', 'compares-previous-for-equality', 'acknowledges-next-number',
  'shares-state-across-streams', 'renumbers-on-discard', 'never-relinks', 'first-previous-not-zero',
  'discards-beyond-acknowledgment', 'rejects-after-lost-state',
  'window-moves-on-rejection', 'accepts-gaps', 'keeps-acknowledged', 'sends-discarded', 'acknowledges-late',
];
const fault = process.argv[2] ?? '';
if (fault && !FAULTS.includes(fault)) {
  console.error(`no fault ${fault}; there are ${FAULTS.join(', ')}`);
  process.exit(64);
}
const is = (name) => fault === name;

class Receiver {
  lasts = new Map();
  lost = 0;
  before = new Map();

  key(stream) {
    return is('shares-state-across-streams') ? '' : stream;
  }

  receive({ stream, sequence, previous }) {
    const key = this.key(stream);
    const last = this.lasts.get(key) ?? 0;
    const accepted = this.fits(sequence, previous, last);
    if (accepted || is('window-moves-on-rejection')) {
      this.before.set(key, last);
      this.lasts.set(key, sequence);
    }
    return { accepted };
  }

  fits(sequence, previous, last) {
    if (sequence <= last && !(is('accepts-duplicates') && sequence === last)) return false;
    if (is('rejects-after-lost-state') && this.lost && last === 0 && sequence > 1) return false;
    if (is('rejects-legal-gaps') && last > 0 && sequence !== last + 1) return false;
    if (is('compares-previous-for-equality')) return previous === last;
    return previous <= last || is('accepts-gaps') || (is('accepts-duplicates') && sequence === last);
  }

  acknowledgment({ stream }) {
    const last = this.lasts.get(this.key(stream)) ?? 0;
    if (is('acknowledges-late')) return { sequence: this.before.get(stream) ?? 0 };
    return { sequence: is('acknowledges-next-number') ? last + 1 : last };
  }

  lose() {
    this.lasts.clear();
    this.before.clear();
    this.lost += 1;
    return {};
  }
}

class Sender {
  streams = new Map();

  of(stream) {
    if (!this.streams.has(stream)) this.streams.set(stream, { queue: [], given: 0, acknowledged: 0 });
    return this.streams.get(stream);
  }

  enqueue({ stream, message }) {
    const its = this.of(stream);
    its.given += 1;
    const before = its.queue.at(-1)?.sequence ?? (is('first-previous-not-zero') ? its.given - 1 : 0);
    its.queue.push({ message, sequence: its.given, previous: before });
    return { sequence: its.given, previous: before };
  }

  transmit({ stream }) {
    const its = this.of(stream);
    let before = is('first-previous-not-zero') ? its.acknowledged : 0;
    const messages = its.queue.map((one) => {
      const previous = is('never-relinks') ? one.previous : before;
      before = one.sequence;
      return { message: one.message, sequence: one.sequence, previous };
    });
    return { messages };
  }

  acknowledged({ stream, sequence }) {
    const its = this.of(stream);
    its.acknowledged = Math.max(its.acknowledged, sequence);
    const limit = is('discards-beyond-acknowledgment') ? its.acknowledged + 1 : its.acknowledged;
    if (!is('keeps-acknowledged')) its.queue = its.queue.filter((one) => one.sequence > limit);
    return {};
  }

  discard({ stream, message }) {
    const its = this.of(stream);
    if (is('sends-discarded')) return {};
    const place = its.queue.findIndex((one) => one.message === message);
    if (place < 0) return {};
    its.queue.splice(place, 1);
    if (is('renumbers-on-discard')) {
      for (const one of its.queue.slice(place)) one.sequence -= 1;
      its.given -= 1;
    }
    return {};
  }
}

let receiver = new Receiver();
let sender = new Sender();

const operations = {
  initialize: () => ({
    protocol: 1, name: 'exactly once in JavaScript', version: '1',
    roles: ['ordered_receiver', 'ordered_sender'], capabilities: [],
  }),
  reset: () => {
    receiver = new Receiver();
    sender = new Sender();
    return {};
  },
  shutdown: () => ({}),
  'ordered_receiver.receive': (params) => receiver.receive(params),
  'ordered_receiver.order_ack': (params) => receiver.acknowledgment(params),
  'ordered_receiver.lose_state': () => receiver.lose(),
  'ordered_sender.enqueue': (params) => sender.enqueue(params),
  'ordered_sender.transmit': (params) => sender.transmit(params),
  'ordered_sender.order_ack': (params) => sender.acknowledged(params),
  'ordered_sender.discard': (params) => sender.discard(params),
  'ordered_sender.receiver_lost_state': () => ({}),
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
