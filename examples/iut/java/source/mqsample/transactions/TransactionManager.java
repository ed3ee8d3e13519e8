package mqsample.transactions;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A queue manager that sends to several queues at once, to all of them or to none, together with the computers that host
 * the target queues.
 */
public final class TransactionManager {
    private static final String NOT_TRANSACTIONAL_QUEUE = "not_transactional_queue";

    /** A target and the computer that hosts it. */
    public record Queue(String name, String machine, boolean transactional) {}

    /** A distribution list of queues and lists. */
    public record DistributionList(String name, List<String> elements) {}

    /** A negative acknowledgment, in an administration queue. */
    public record Acknowledgment(Object message, String queue, String reason) {}

    /** A message with one of the queues to which a copy of it goes; the administration queue may be null. */
    private record Copy(Object message, String queue, String administrationQueue) {}

    private static final class Transaction {
        final List<Copy> copies = new ArrayList<>();
        boolean doomed; // one of the copies could not be sent
    }

    private final Destinations destinations;
    private final Set<String> failing = new HashSet<>();
    private final Map<Long, Transaction> open = new HashMap<>();
    private long begun;
    private final List<Copy> outgoing = new ArrayList<>();
    private final Map<String, List<Object>> queues = new HashMap<>();
    private final Map<String, List<Object>> deadLetters = new HashMap<>();
    private final Map<String, List<Acknowledgment>> acknowledgments = new HashMap<>();

    /** Makes empty queues. */
    public TransactionManager(List<Queue> queues, List<DistributionList> lists) {
        destinations = new Destinations(queues, lists);
    }

    /** Lets the outgoing queue for a target take no copy, or heals it. */
    public void failQueue(String queue, boolean fails) {
        if (fails) {
            failing.add(queue);
        } else {
            failing.remove(queue);
        }
    }

    public long begin() {
        begun++;
        open.put(begun, new Transaction());
        return begun;
    }

    /** Adds a copy for each queue that the destination leads to. A copy that cannot be sent dooms the transaction. */
    public void send(long transaction, Object message, List<String> destination, String administrationQueue) {
        Transaction current = underWay(transaction);
        for (String queue : destinations.targets(destination)) {
            current.doomed |= failing.contains(queue);
            current.copies.add(new Copy(message, queue, administrationQueue));
        }
    }

    /** Puts the copies into the outgoing queues, all or none, and says which. */
    public boolean commit(long transaction) {
        Transaction current = underWay(transaction);
        open.remove(transaction);
        if (current.doomed || current.copies.stream().map(Copy::queue).anyMatch(failing::contains)) {
            return false;
        }
        outgoing.addAll(current.copies);
        return true;
    }

    /** Drops what was sent within a transaction. */
    public void abort(long transaction) {
        underWay(transaction);
        open.remove(transaction);
    }

    private Transaction underWay(long transaction) {
        if (!open.containsKey(transaction)) {
            throw new IllegalArgumentException("there is no transaction " + transaction + " under way");
        }
        return open.get(transaction);
    }

    /** Lets every copy reach its computer. */
    public void deliver() {
        for (Copy copy : outgoing) {
            Queue queue = destinations.queue(copy.queue());
            if (queue.transactional()) {
                add(queues, queue.name(), copy.message());
            } else {
                refuse(queue, copy);
            }
        }
        outgoing.clear();
    }

    /**
     * What a nontransactional queue refuses goes to the computer's transactional dead-letter queue, and a negative
     * acknowledgment to the administration queue.
     */
    private void refuse(Queue queue, Copy copy) {
        add(deadLetters, queue.machine(), copy.message());
        if (copy.administrationQueue() != null) {
            Acknowledgment refusal = new Acknowledgment(copy.message(), queue.name(), NOT_TRANSACTIONAL_QUEUE);
            add(acknowledgments, copy.administrationQueue(), refusal);
        }
    }

    private static <T> void add(Map<String, List<T>> lists, String name, T added) {
        lists.computeIfAbsent(name, none -> new ArrayList<>()).add(added);
    }

    /** What waits in outgoing queues, by target queue. */
    public Map<String, List<Object>> outgoing() {
        Map<String, List<Object>> waiting = new HashMap<>();
        outgoing.forEach(copy -> add(waiting, copy.queue(), copy.message()));
        return waiting;
    }

    /** What target queues took in. */
    public Map<String, List<Object>> queues() {
        return queues;
    }

    /** What is in transactional dead-letter queues, by computer. */
    public Map<String, List<Object>> deadLetters() {
        return deadLetters;
    }

    /** What is in administration queues. */
    public Map<String, List<Acknowledgment>> acknowledgments() {
        return acknowledgments;
    }
}
