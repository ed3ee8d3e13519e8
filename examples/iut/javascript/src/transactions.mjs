// Sending within transactions to several destinations: the sending queue manager together with the computers that host
// the target queues, so that what became of a message can be seen.

export class QueueManager {
  outgoing = new Map();
  received = new Map();
  deadLetters = new Map();
  acknowledgments = new Map();
  #queues;
  #lists;
  #failing = new Set();
  #transactions = new Map();
  #begun = 0;

  /** `queues` are `{ name, machine, transactional }`, `lists` are `{ name, elements }` of queues and lists. */
  constructor({ queues, lists }) {
    this.#queues = new Map(queues.map((queue) => [queue.name, queue]));
    this.#lists = new Map(lists.map(({ name, elements }) => [name, elements]));
  }

  begin() {
    this.#begun += 1;
    this.#transactions.set(this.#begun, { copies: [], doomed: false });
    return this.#begun;
  }

  /** One copy for each outgoing queue that the destination leads to; one that fails dooms the transaction. */
  send(number, { message, destination, administrationQueue }) {
    const transaction = this.#open(number);
    for (const queue of this.#queuesOf(destination)) {
      transaction.doomed ||= this.#failing.has(queue);
      transaction.copies.push({ queue, message, administrationQueue });
    }
  }

  /** Whether the transaction committed: all copies go out, or none does. */
  commit(number) {
    const { copies, doomed } = this.#open(number);
    this.#transactions.delete(number);
    if (doomed || copies.some(({ queue }) => this.#failing.has(queue))) return false;
    for (const copy of copies) append(this.outgoing, copy.queue, copy);
    return true;
  }

  abort(number) {
    this.#open(number);
    this.#transactions.delete(number);
  }

  /** Let an outgoing queue refuse copies, or heal it. */
  failQueue(queue, failing) {
    if (failing) this.#failing.add(queue);
    else this.#failing.delete(queue);
  }

  /** Every waiting copy reaches its computer. */
  deliver() {
    const copies = [...this.outgoing.values()].flat();
    this.outgoing.clear();
    for (const copy of copies) this.#arrive(this.#queues.get(copy.queue), copy);
  }

  /** A transactional queue takes the message; any other rejects it, and the sender is told. */
  #arrive({ name, machine, transactional }, { message, administrationQueue }) {
    if (transactional) {
      append(this.received, name, message);
      return;
    }
    append(this.deadLetters, machine, message);
    if (administrationQueue !== null) append(this.acknowledgments, administrationQueue, { message, queue: name });
  }

  #open(number) {
    const transaction = this.#transactions.get(number);
    if (transaction === undefined) throw new RangeError(`there is no open transaction ${number}`);
    return transaction;
  }

  /** The queues behind names of queues and lists, each once, in the order in which they come up. */
  #queuesOf(names, seen = new Set()) {
    return names.flatMap((name) => {
      if (seen.has(name)) return [];
      seen.add(name);
      if (this.#lists.has(name)) return this.#queuesOf(this.#lists.get(name), seen);
      if (!this.#queues.has(name)) throw new RangeError(`there is neither a queue nor a list ${JSON.stringify(name)}`);
      return [name];
    });
  }
}

const append = (lists, key, value) => {
  if (!lists.has(key)) lists.set(key, []);
  lists.get(key).push(value);
};
