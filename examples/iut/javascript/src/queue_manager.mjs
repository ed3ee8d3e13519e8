// A queue manager in memory: queues, readers that wait, cursors, transactions, timers, and what outlives a restart.

export const SYSTEM_QUEUES = ["system:dead_letter", "system:transactional_dead_letter", "system:journal"];

/** Microseconds between two attempts to start. */
const RETRY = 300_000_000;

/** An operation cannot be done. */
export class Failure extends Error {}

/** What a message takes of the room of a queue. */
const kilobytes = (message) => Math.floor(Buffer.byteLength(String(message.key)) / 1024) + 1;

/** Messages in the order in which they came; `room` is how many it takes, or kilobytes of them. */
class Queue {
  messages = [];
  readers = [];

  constructor({ transactional, room, inKilobytes = false }) {
    this.transactional = transactional;
    this.room = room;
    this.inKilobytes = inKilobytes;
  }

  /** Whether there is room for a message. */
  takes(message) {
    const size = this.inKilobytes ? kilobytes : () => 1;
    return this.room === null || [...this.messages, message].reduce((sum, each) => sum + size(each), 0) <= this.room;
  }

  /** The messages that an application may receive: those that no open transaction has sent or received. */
  get visible() {
    return this.messages.filter(({ sentIn, receivedIn }) => sentIn === null && receivedIn === null);
  }

  /** Remove the messages of which this is true, and return them. */
  remove(isGone) {
    const gone = this.messages.filter(isGone);
    this.messages = this.messages.filter((message) => !gone.includes(message));
    return gone;
  }
}

/** One machine. Time is what `advance` says, in microseconds. */
export class QueueManager {
  running = true;
  throttled = false;
  full = false;
  #damaged = false;
  #retries = Infinity;
  #now = 0;
  #coordinatorLost = false;
  #queues = new Map(SYSTEM_QUEUES.map((name) => [name, new Queue({ transactional: false, room: null })]));
  #handles = new Map();
  #cursors = new Map();
  #transactions = new Map();
  #ended = [];
  #numbers = 0;

  /** A number that was not used before. */
  next() {
    this.#numbers += 1;
    return this.#numbers;
  }

  // Queues

  createQueue(name, properties) {
    this.#checkRunning();
    if (this.#queues.has(name)) throw new Failure("there is a queue of this name");
    this.#queues.set(name, new Queue(properties));
  }

  queue(name) {
    this.#checkRunning();
    if (!this.#queues.has(name)) throw new Failure("there is no such queue");
    return this.#queues.get(name);
  }

  /** A queue that an application may change or send to. */
  ownQueue(name) {
    if (SYSTEM_QUEUES.includes(name)) throw new Failure("it is a queue of the queue manager's own");
    return this.queue(name);
  }

  /** Remove a queue, and tell those who wait there. */
  deleteQueue(name) {
    const { readers } = this.ownQueue(name);
    this.#queues.delete(name);
    this.#fail(readers);
  }

  /** Remove all messages that can be seen; those who wait go on waiting. */
  purge(name) {
    const queue = this.queue(name);
    const { visible } = queue;
    queue.remove((message) => visible.includes(message));
  }

  /** How many messages there are to receive. */
  count(name) {
    const queue = this.queue(name);
    this.#expire();
    return queue.visible.length;
  }

  open(name, access) {
    if (access === "send") this.ownQueue(name);
    else this.queue(name);
    const handle = this.next();
    this.#handles.set(handle, { name, access });
    return handle;
  }

  close(handle) {
    this.#handles.delete(handle);
  }

  createCursor(handle) {
    this.#opened(handle, ["receive", "peek"]);
    const cursor = this.next();
    this.#cursors.set(cursor, { at: null, passed: new Set() });
    return cursor;
  }

  closeCursor(cursor) {
    this.#cursors.delete(cursor);
  }

  /** The name of an open queue, which is there. */
  #opened(handle, accesses) {
    const opened = this.#handles.get(handle);
    if (!accesses.includes(opened?.access)) throw new Failure("the handle is not open for that");
    this.queue(opened.name);
    return opened.name;
  }

  #checkRunning() {
    if (!this.running) throw new Failure("the queue manager is stopped");
  }

  // Messages

  /** Take on `{ key, identity, recoverable, lasts, deadLetter, journal, acknowledgments, administration, ... }`. */
  send(handle, message, transaction) {
    const name = this.#opened(handle, ["send"]);
    const queue = this.queue(name);
    this.#expire();
    if (this.throttled) throw new Failure("memory is scarce");
    if (this.full && (message.recoverable || transaction !== null)) throw new Failure("there is no room to store it");
    if (queue.transactional !== (transaction !== null)) {
      throw new Failure("a transactional queue takes messages within transactions, and no other queue does");
    }
    this.#checkTransaction(transaction);
    if (!queue.takes(message)) throw new Failure("the queue is full");
    const expires = message.lasts === null ? Infinity : this.#now + message.lasts;
    const sent = { ...message, transactional: queue.transactional, expires, sentIn: transaction, receivedIn: null };
    queue.messages.push(sent);
    if (transaction === null) {
      this.#arrived(sent);
      this.#serve(name);
    }
  }

  /** A message shows in its queue. */
  #arrived(message) {
    if (message.journal) this.#keep("system:journal", message);
    this.#tell(message, "reach");
  }

  /** A message at the end of a queue, without wishes: a copy of one, or an acknowledgment. */
  #keep(name, message) {
    const noWishes = { deadLetter: false, journal: false, acknowledgments: [], expires: Infinity };
    this.#queues.get(name).messages.push({ ...message, ...noWishes, sentIn: null, receivedIn: null });
    this.#serve(name);
  }

  /** Send the acknowledgment that was asked for, to where it was asked for. */
  #tell({ identity, acknowledgments, administration }, what) {
    if (!acknowledgments.includes(what) || !this.#queues.has(administration)) return;
    const about = { of: identity, positive: what !== "negative" };
    this.#keep(administration, { key: "acknowledgment", identity: `acknowledgment-${this.next()}`, about });
  }

  /** A message, or a wait for one; a cursor or an identifier asks for a certain message. */
  receive(handle, { takes, wait, transaction, cursor, moves, identity }) {
    const name = this.#opened(handle, takes ? ["receive"] : ["receive", "peek"]);
    const queue = this.queue(name);
    this.#expire();
    this.#checkTransaction(transaction);
    if (queue.transactional && takes && transaction === null) {
      throw new Failure("messages of a transactional queue are received within transactions");
    }
    const any = cursor === null && identity === null;
    const message =
      cursor === null
        ? queue.visible.find((each) => any || each.identity === identity)
        : this.#atCursor(queue, cursor, moves);
    if (message !== undefined) return this.#handOut(queue, message, { takes, transaction });
    if (wait === 0 || !any) throw new Failure("there is no message");
    const operation = this.next();
    queue.readers.push({ operation, deadline: this.#now + wait, takes, transaction });
    return { pending: operation };
  }

  /** The message at a cursor, or the next one after it. */
  #atCursor(queue, number, moves) {
    const cursor = this.#cursors.get(number);
    if (cursor === undefined) throw new Failure("there is no such cursor");
    const isWanted = moves
      ? (each) => !cursor.passed.has(each)
      : (each) => cursor.at === null || cursor.at === each;
    const message = queue.visible.find(isWanted);
    if (message !== undefined) {
      cursor.at = message;
      for (const each of queue.messages.slice(0, queue.messages.indexOf(message) + 1)) cursor.passed.add(each);
    }
    return message;
  }

  #handOut(queue, message, { takes, transaction }) {
    if (takes && transaction !== null) message.receivedIn = transaction;
    else if (takes) {
      queue.remove((each) => each === message);
      this.#tell(message, "receive");
    }
    const { key, identity, correlation, responseQueue, about } = message;
    const named = { correlation, response_queue: responseQueue, acknowledgment: about };
    return { message: { message: key, id: identity, ...named } };
  }

  /** Give messages to those who wait, the first first. */
  #serve(name) {
    const queue = this.#queues.get(name);
    for (let [message] = queue.visible; queue.readers.length > 0 && message !== undefined; [message] = queue.visible) {
      const reader = queue.readers.shift();
      this.#ended.push({ operation: reader.operation, ...this.#handOut(queue, message, reader) });
    }
  }

  cancel(operation) {
    this.#endWaits((reader) => reader.operation === operation);
  }

  /** How waits ended that were not told yet. */
  outcomes() {
    return this.#ended.splice(0);
  }

  #endWaits(ends) {
    for (const queue of this.#queues.values()) {
      const ending = queue.readers.filter(ends);
      queue.readers = queue.readers.filter((reader) => !ending.includes(reader));
      this.#fail(ending);
    }
  }

  #fail(readers) {
    this.#ended.push(...readers.map(({ operation }) => ({ operation, failed: {} })));
  }

  // Transactions

  begin(kind) {
    this.#checkRunning();
    if (kind === "external" && this.#coordinatorLost) throw new Failure("there is no coordinator");
    const transaction = this.next();
    this.#transactions.set(transaction, kind);
    return transaction;
  }

  #checkTransaction(transaction) {
    if (transaction !== null && !this.#transactions.has(transaction)) throw new Failure("there is no such transaction");
  }

  /** Let all of a transaction happen. */
  commit(transaction) {
    this.#over(transaction);
    const [sent, received] = [[], []];
    for (const queue of this.#queues.values()) {
      const shown = queue.remove(({ sentIn }) => sentIn === transaction);
      for (const message of shown) message.sentIn = null;
      queue.messages.push(...shown);
      sent.push(...shown);
      received.push(...queue.remove(({ receivedIn }) => receivedIn === transaction));
    }
    for (const message of sent) this.#arrived(message);
    for (const message of received) this.#tell(message, "receive");
    this.#settle();
  }

  /** Let nothing of a transaction have happened: what it received never left its place. */
  abort(transaction) {
    this.#over(transaction);
    for (const queue of this.#queues.values()) {
      queue.remove(({ sentIn }) => sentIn === transaction);
      for (const message of queue.messages) {
        if (message.receivedIn === transaction) message.receivedIn = null;
      }
    }
    this.#settle();
  }

  /** A transaction ends, and with it the waits that are part of it. */
  #over(transaction) {
    this.#checkTransaction(transaction);
    this.#transactions.delete(transaction);
    this.#endWaits((reader) => reader.transaction === transaction);
  }

  #settle() {
    this.#expire();
    for (const name of this.#queues.keys()) this.#serve(name);
  }

  /** Without a coordinator external transactions are undone. */
  loseCoordinator(lost) {
    this.#coordinatorLost = lost;
    for (const [transaction, kind] of [...this.#transactions]) {
      if (lost && kind === "external") this.abort(transaction);
    }
  }

  // Time and restarts

  advance(microseconds) {
    this.#now += microseconds;
    if (this.#retries <= this.#now) this.start();
    if (this.running) this.#expire();
    this.#endWaits(({ deadline }) => deadline <= this.#now);
  }

  /** Remove messages whose time is up. */
  #expire() {
    for (const queue of this.#queues.values()) {
      const late = queue.visible.filter(({ expires }) => expires <= this.#now);
      for (const message of queue.remove((each) => late.includes(each))) {
        this.#tell(message, "negative");
        const kind = message.transactional ? "transactional_dead_letter" : "dead_letter";
        if (message.deadLetter) this.#keep(`system:${kind}`, message);
      }
    }
  }

  /** Forget what is not stored. */
  stop() {
    this.running = false;
    this.#retries = Infinity;
    for (const opened of [this.#handles, this.#cursors, this.#transactions]) opened.clear();
    this.#endWaits(() => true);
    for (const queue of this.#queues.values()) {
      queue.remove((each) => each.sentIn !== null || !(each.recoverable || each.transactional));
      for (const message of queue.messages) message.receivedIn = null;
    }
  }

  /** Run again, or try it later where the store cannot be read. */
  start() {
    this.running = !this.#damaged;
    this.#retries = this.#damaged ? this.#now + RETRY : Infinity;
  }

  /** Nothing can go on with a store that cannot be repaired. */
  breakStore() {
    this.stop();
    this.#damaged = true;
  }

  /** The store is as it should be, and has room. */
  mendStore() {
    this.full = false;
    this.#damaged = false;
  }
}
