// The receiving end of exactly-once in-order delivery, on a clock that begins with zero and counts microseconds.

const ORDER_ACK_TIMEOUT = 500_000; // MS-MQQB 3.1.1.3.1
const MAXIMUM_ORDER_ACK_DELAY = 10_000_000;

export class OrderedReceiver {
  #now = 0;
  #streams = new Map();

  /** Whether the message is accepted. Without sequence ids a stream is one sequence for ever. */
  receive(name, { sequence, previous, sequenceId = null }) {
    const stream = this.#stream(name);
    this.#scheduleAcknowledgment(stream);
    const current = sequenceId ?? stream.sequenceId;
    if (current < stream.sequenceId) return false;
    // A newer sequence begins at zero, whatever was accepted of the older one.
    const lastAccepted = current === stream.sequenceId ? stream.lastAccepted : 0;
    if (sequence <= lastAccepted || previous > lastAccepted) return false;
    stream.sequenceId = current;
    stream.lastAccepted = sequence;
    return true;
  }

  /** The number that an order acknowledgment would carry now. */
  orderAck(name) {
    return this.#streams.get(name)?.lastAccepted ?? 0;
  }

  /** A crash after which no number can be recovered. */
  loseState() {
    this.#streams.clear();
  }

  /** A crash that the stored numbers outlive, and the timers do not. */
  restart() {
    for (const stream of this.#streams.values()) {
      stream.ackDueAt = null;
      stream.lastAckAt = this.#now;
    }
  }

  /** Time passes; the order acknowledgments `{ stream, sequence }` that go out meanwhile, in order. */
  advanceClock(microseconds) {
    this.#now += microseconds;
    const due = [...this.#streams].filter(([, { ackDueAt }]) => ackDueAt !== null && ackDueAt <= this.#now);
    due.sort(([, one], [, other]) => one.ackDueAt - other.ackDueAt);
    return due.map(([name, stream]) => {
      stream.lastAckAt = stream.ackDueAt;
      stream.ackDueAt = null;
      return { stream: name, sequence: stream.lastAccepted };
    });
  }

  #stream(name) {
    if (!this.#streams.has(name)) {
      this.#streams.set(name, { sequenceId: 0n, lastAccepted: 0, lastAckAt: this.#now, ackDueAt: null });
    }
    return this.#streams.get(name);
  }

  /** MS-MQQB 3.1.1.6.2, for accepted and rejected messages alike. */
  #scheduleAcknowledgment(stream) {
    const recently = this.#now - stream.lastAckAt < MAXIMUM_ORDER_ACK_DELAY;
    if (stream.ackDueAt === null || recently) stream.ackDueAt = this.#now + ORDER_ACK_TIMEOUT;
  }
}
