package mqsample.routing;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import mqsample.routing.Directory.QueueManager;
import mqsample.routing.Directory.RoutingLink;
import mqsample.routing.Directory.Site;

/**
 * Reads objects of the directory, as GetDirectoryData (3.1.5.9): no objects and a failed query give the same answer. What
 * was read before an error is dropped, so that it makes no difference at which read a query fails.
 *
 * <p>This is the place for your LDAP queries.
 */
final class DirectoryReader {
    private final Set<String> failing = new HashSet<>();
    private Directory content = new Directory(List.of(), List.of(), List.of());
    private Map<UUID, QueueManager> byIdentifier = Map.of();

    void change(Directory changed) {
        content = changed;
        byIdentifier = new HashMap<>();
        changed.queueManagers().forEach(machine -> byIdentifier.putIfAbsent(machine.identifier(), machine));
    }

    void fail(String objectType, boolean fails) {
        if (fails) {
            failing.add(objectType);
        } else {
            failing.remove(objectType);
        }
    }

    List<Site> sites() {
        return unlessFailing("Site", content.sites());
    }

    List<RoutingLink> routingLinks() {
        return unlessFailing("RoutingLink", content.routingLinks());
    }

    List<QueueManager> queueManagers() {
        return unlessFailing("QueueManager", content.queueManagers());
    }

    /** GetQueueManager (3.1.5.4); the first of several with one identifier counts. */
    Optional<QueueManager> queueManager(UUID identifier) {
        return failing.contains("QueueManager") ? Optional.empty() : Optional.ofNullable(byIdentifier.get(identifier));
    }

    private <T> List<T> unlessFailing(String objectType, List<T> objects) {
        return failing.contains(objectType) ? List.of() : objects;
    }
}
