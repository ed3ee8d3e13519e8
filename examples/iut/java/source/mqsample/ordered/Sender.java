package mqsample.ordered;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Keeps messages of any number of streams until they are acknowledged. It has a clock of its own that stands still until it
 * is advanced.
 */
public final class Sender {
    /** Follow one another while no order acknowledgment comes; the last one stays. */
    private static final int[] RESEND_INTERVALS = {30, 30, 30, 300, 300, 300, 1800, 1800, 1800, 21600};

    /** A message as it is sent. */
    public record Message(Object stream, Object message, long sequence, long previous) {}

    private record Queued(Object message, long sequence) {}

    /** What is known of a stream. All but the timer has to be stored. */
    private static final class Outgoing {
        final Object stream;
        long lastSequence;
        final List<Queued> waiting = new ArrayList<>(); // neither acknowledged nor discarded

        Duration resendDue; // null while the timer does not run
        int resends; // since everything was acknowledged

        Outgoing(Object stream) {
            this.stream = stream;
        }

        boolean isDue(Duration now) {
            return resendDue != null && resendDue.compareTo(now) <= 0;
        }

        /**
         * Links each message to the one that waits before it. The first has previous number zero, which suits a receiver
         * that lost its numbers as well as one that has them: what came before was acknowledged or discarded.
         */
        List<Message> messages() {
            List<Message> messages = new ArrayList<>();
            long previous = 0;
            for (Queued queued : waiting) {
                messages.add(new Message(stream, queued.message(), queued.sequence(), previous));
                previous = queued.sequence();
            }
            return messages;
        }

        /** Takes messages out. Once none is left, the intervals between resends begin with the first again. */
        boolean remove(Predicate<Queued> which) {
            boolean removed = waiting.removeIf(which);
            if (waiting.isEmpty()) {
                resendDue = null;
                resends = 0;
            }
            return removed;
        }

        void startTimer(Duration now) {
            if (!waiting.isEmpty()) {
                int interval = RESEND_INTERVALS[Math.min(resends, RESEND_INTERVALS.length - 1)];
                resendDue = now.plusSeconds(interval);
            }
        }
    }

    private final Map<Object, Outgoing> streams = new LinkedHashMap<>();
    private Duration now = Duration.ZERO;

    /** Takes on a message and gives it the number that it keeps. */
    public Message enqueue(Object stream, Object message) {
        Outgoing known = known(stream);
        int size = known.waiting.size();
        long previous = size == 0 ? 0 : known.waiting.get(size - 1).sequence();
        known.lastSequence++;
        known.waiting.add(new Queued(message, known.lastSequence));
        return new Message(stream, message, known.lastSequence, previous);
    }

    /** Gives all that waits, in order. The wait for an order acknowledgment begins with it. */
    public List<Message> transmit(Object stream) {
        Outgoing known = known(stream);
        if (known.resendDue == null) {
            known.startTimer(now);
        }
        return known.messages();
    }

    /** Releases every message up to the number. For those that are left the wait begins anew. */
    public void orderAck(Object stream, long sequence) {
        Outgoing known = known(stream);
        if (known.remove(queued -> queued.sequence() <= sequence) && known.resendDue != null) {
            known.startTimer(now);
        }
    }

    /** Takes a message that expired out of the stream. */
    public void discard(Object stream, Object message) {
        known(stream).remove(queued -> queued.message().equals(message));
    }

    /** A crash after which messages and numbers are found in the store; the waits begin again. */
    public void restart() {
        for (Outgoing known : streams.values()) {
            known.resends = 0;
            known.startTimer(now);
        }
    }

    /** Lets time pass and gives what is sent again meanwhile (MS-MQQB 3.1.6.5). */
    public List<Message> advanceClock(Duration passed) {
        now = now.plus(passed);
        List<Message> resent = new ArrayList<>();
        for (Optional<Outgoing> next = nextDue(); next.isPresent(); next = nextDue()) {
            Outgoing known = next.get();
            resent.addAll(known.messages());
            known.resends++;
            known.startTimer(known.resendDue);
        }
        return resent;
    }

    private Optional<Outgoing> nextDue() {
        return streams.values().stream()
                .filter(known -> known.isDue(now))
                .min(Comparator.comparing(known -> known.resendDue));
    }

    private Outgoing known(Object stream) {
        return streams.computeIfAbsent(stream, Outgoing::new);
    }
}
