// The sending end of exactly-once in-order delivery, on a clock that begins with zero and counts microseconds.

const SECOND = 1_000_000;
// MS-MQQB 3.1.6.5: how long to wait for an order acknowledgment; the last interval repeats.
const RESEND_INTERVALS = [30, 30, 30, 300, 300, 300, 1_800, 1_800, 1_800, 21_600].map((seconds) => seconds * SECOND);

/** Messages of one stream that nobody has acknowledged, in order, each with the number that it keeps for good. */
class Stream {
  #queue = [];
  #lastSequence = 0;
  #interval = 0;
  resendAt = null;

  add(message) {
    this.#lastSequence += 1;
    this.#queue.push({ message, sequence: this.#lastSequence });
  }

  /**
   * The whole queue. Each message is linked to the one before it in the queue, the first to none: so links lead past
   * whatever was discarded, and a receiver that lost its numbers accepts the first.
   */
  transmission() {
    return this.#queue.map((each, at) => ({ ...each, previous: at === 0 ? 0 : this.#queue[at - 1].sequence }));
  }

  /** Begin the wait for an acknowledgment anew, if there is anything to wait for. */
  wait(now) {
    if (this.#queue.length > 0) this.resendAt = now + RESEND_INTERVALS[this.#interval];
  }

  lengthenWait() {
    this.#interval = Math.min(this.#interval + 1, RESEND_INTERVALS.length - 1);
  }

  startOver(now) {
    this.#interval = 0;
    this.wait(now);
  }

  /** Keep some of the messages only; whether any went. */
  keep(wanted) {
    const before = this.#queue.length;
    this.#queue = this.#queue.filter(wanted);
    if (this.#queue.length === 0) {
      this.resendAt = null;
      this.#interval = 0;
    }
    return this.#queue.length < before;
  }
}

export class OrderedSender {
  #now = 0;
  #streams = new Map();

  /** Take on a message; its numbers as they are now. */
  enqueue(name, message) {
    const stream = this.#stream(name);
    stream.add(message);
    return stream.transmission().at(-1);
  }

  /** All that would be sent now, in order; the wait for an acknowledgment begins where none runs. */
  transmit(name) {
    const stream = this.#stream(name);
    if (stream.resendAt === null) stream.wait(this.#now);
    return stream.transmission();
  }

  /** An order acknowledgment arrives: everything up to its number is there. One that says nothing new is nothing. */
  orderAck(name, acknowledged) {
    const stream = this.#stream(name);
    const progress = stream.keep(({ sequence }) => sequence > acknowledged);
    if (progress && stream.resendAt !== null) stream.wait(this.#now);
  }

  /** A message expired before it was acknowledged. */
  discard(name, expired) {
    this.#stream(name).keep(({ message }) => message !== expired);
  }

  /** Nothing to do: the first message of the queue is always one that a new receiver accepts. */
  receiverLostState(name) {
    this.#stream(name);
  }

  /** A crash that queue and numbers outlive; what is in the queue waits for an acknowledgment anew. */
  restart() {
    for (const stream of this.#streams.values()) stream.startOver(this.#now);
  }

  /** Time passes; what is sent again meanwhile, in order, each with its stream. */
  advanceClock(microseconds) {
    const until = this.#now + microseconds;
    const resent = [];
    for (let next = this.#nextDue(until); next !== null; next = this.#nextDue(until)) {
      const [name, stream] = next;
      this.#now = stream.resendAt;
      stream.lengthenWait();
      stream.wait(this.#now);
      resent.push(...stream.transmission().map((each) => ({ stream: name, ...each })));
    }
    this.#now = until;
    return resent;
  }

  /** The stream whose wait ends first, of those whose wait ends until then. */
  #nextDue(until) {
    const due = [...this.#streams].filter(([, { resendAt }]) => resendAt !== null && resendAt <= until);
    return due.sort(([, one], [, other]) => one.resendAt - other.resendAt)[0] ?? null;
  }

  #stream(name) {
    if (!this.#streams.has(name)) this.#streams.set(name, new Stream());
    return this.#streams.get(name);
  }
}
