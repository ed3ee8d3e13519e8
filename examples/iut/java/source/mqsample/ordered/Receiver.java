package mqsample.ordered;

import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Filters the messages of any number of streams, so that each is accepted once and in order. It has a clock of its own that
 * stands still until it is advanced.
 */
public final class Receiver {
    private static final Duration ORDER_ACK_TIMEOUT = Duration.ofMillis(500);
    private static final Duration MAXIMUM_ORDER_ACK_DELAY = Duration.ofSeconds(10);

    /** An order acknowledgment: every message of the stream up to this number was accepted. */
    public record OrderAck(Object stream, long sequence) {}

    /** What is known of a stream. Sequence id and last accepted number have to be stored. */
    private static final class Incoming {
        final Object stream;
        BigInteger sequenceId = BigInteger.ZERO;
        long lastAccepted;

        Duration lastAckTime; // null until a message came since the receiver started
        Duration ackDue; // null while the timer does not run

        Incoming(Object stream) {
            this.stream = stream;
        }

        boolean isDue(Duration now) {
            return ackDue != null && ackDue.compareTo(now) <= 0;
        }
    }

    private final Map<Object, Incoming> streams = new LinkedHashMap<>();
    private Duration now = Duration.ZERO;

    /** Says whether the next message of the stream's current sequence is accepted. */
    public boolean receive(Object stream, long sequence, long previous) {
        return receive(stream, known(stream).sequenceId, sequence, previous);
    }

    /**
     * Says whether a message is accepted: it is in order and no copy, or begins a newer sequence (MS-MQQB 3.1.5.8.6). Only
     * what is accepted moves the last accepted number.
     */
    public boolean receive(Object stream, BigInteger sequenceId, long sequence, long previous) {
        Incoming known = known(stream);
        scheduleOrderAck(known);
        int age = sequenceId.compareTo(known.sequenceId);
        boolean inOrder = sequence > known.lastAccepted && previous <= known.lastAccepted;
        boolean accepted = age == 0 && inOrder || age > 0 && previous == 0;
        if (accepted) {
            known.sequenceId = sequenceId;
            known.lastAccepted = sequence;
        }
        return accepted;
    }

    /** The number that an order acknowledgment would carry. */
    public long lastAccepted(Object stream) {
        Incoming known = streams.get(stream);
        return known == null ? 0 : known.lastAccepted;
    }

    /** A crash after which the numbers are gone. */
    public void loseState() {
        streams.clear();
    }

    /** A crash after which the numbers are found in the store; the timers are gone. */
    public void restart() {
        for (Incoming known : streams.values()) {
            known.lastAckTime = null;
            known.ackDue = null;
        }
    }

    /** Lets time pass and gives the order acknowledgments that go out meanwhile. */
    public List<OrderAck> advanceClock(Duration passed) {
        now = now.plus(passed);
        List<OrderAck> acks = new ArrayList<>();
        for (Optional<Incoming> next = nextDue(); next.isPresent(); next = nextDue()) {
            Incoming known = next.get();
            known.lastAckTime = known.ackDue;
            known.ackDue = null;
            acks.add(new OrderAck(known.stream, known.lastAccepted));
        }
        return acks;
    }

    /**
     * Is for every arrival, accepted or not: starts the timer, and puts a running one off as long as the last
     * acknowledgment is not too old (MS-MQQB 3.1.1.6.2).
     */
    private void scheduleOrderAck(Incoming known) {
        if (known.lastAckTime == null) {
            known.lastAckTime = now;
        }
        boolean tooOld = now.minus(known.lastAckTime).compareTo(MAXIMUM_ORDER_ACK_DELAY) >= 0;
        if (known.ackDue == null || !tooOld) {
            known.ackDue = now.plus(ORDER_ACK_TIMEOUT);
        }
    }

    private Optional<Incoming> nextDue() {
        return streams.values().stream()
                .filter(known -> known.isDue(now))
                .min(Comparator.comparing(known -> known.ackDue));
    }

    private Incoming known(Object stream) {
        return streams.computeIfAbsent(stream, Incoming::new);
    }
}
