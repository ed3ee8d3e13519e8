package mqsample.transactions;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The target queues and the distribution lists that lead to them. */
final class Destinations {
    private final Map<String, TransactionManager.Queue> queues = new HashMap<>();
    private final Map<String, List<String>> lists = new HashMap<>();

    Destinations(List<TransactionManager.Queue> queues, List<TransactionManager.DistributionList> lists) {
        queues.forEach(queue -> this.queues.put(queue.name(), queue));
        lists.forEach(list -> this.lists.put(list.name(), list.elements()));
    }

    TransactionManager.Queue queue(String name) {
        return queues.get(name);
    }

    /** The queues that a destination leads to, each of them once, however many ways lead there. */
    Collection<String> targets(List<String> destination) {
        Set<String> seen = new LinkedHashSet<>();
        Deque<String> waiting = new ArrayDeque<>(destination);
        while (!waiting.isEmpty()) {
            String name = waiting.remove();
            if (!queues.containsKey(name) && !lists.containsKey(name)) {
                throw new IllegalArgumentException("'" + name + "' is neither a queue nor a distribution list");
            }
            if (seen.add(name)) {
                waiting.addAll(lists.getOrDefault(name, List.of()));
            }
        }
        seen.retainAll(queues.keySet());
        return seen;
    }
}
