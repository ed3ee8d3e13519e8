package mqsample.routing;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import mqsample.routing.Directory.QueueManager;
import mqsample.routing.Directory.RoutingLink;
import mqsample.routing.Directory.Site;
import mqsample.routing.RoutingTable.Row;

/** One queue manager's view of the enterprise, and where it sends messages (MS-MQBR). */
public final class Router {
    /** Of the QueueManager Query Timer (3.1.3). */
    private static final Duration QUERY_INTERVAL = Duration.ofSeconds(3600);

    private final DirectoryReader directory = new DirectoryReader();
    private final Lookups lookups = new Lookups(directory);
    private Optional<UUID> local = Optional.empty();
    private RoutingTable table = RoutingTable.EMPTY;
    private Duration untilQuery = QUERY_INTERVAL;

    /** Replaces what the directory holds; the RoutingTable stays as it is until its timer fires. */
    public void changeDirectory(Directory content) {
        directory.change(content);
    }

    /** Makes queries for objects of a type fail, or heals them. */
    public void failDirectory(String objectType, boolean fails) {
        directory.fail(objectType, fails);
    }

    /** Becomes a queue manager: builds the RoutingTable and starts the timer (3.1.3). */
    public void initialize(UUID identifier) {
        local = Optional.of(identifier);
        untilQuery = QUERY_INTERVAL;
        initializeTable();
    }

    /** Lets time pass. When the timer fires, the table is initialized again (3.1.6.1). */
    public void advanceClock(Duration passed) {
        untilQuery = untilQuery.minus(passed);
        if (untilQuery.isZero() || untilQuery.isNegative()) {
            long missed = untilQuery.negated().dividedBy(QUERY_INTERVAL);
            untilQuery = untilQuery.plus(QUERY_INTERVAL.multipliedBy(missed + 1));
            initializeTable();
        }
    }

    public RoutingTable table() {
        return table;
    }

    public Lookups lookups() {
        return lookups;
    }

    /** 3.1.3.1. The root is the site for which this queue manager is a gate, the first one if there are several. */
    private void initializeTable() {
        Optional<Site> root = local.flatMap(lookups::siteOfGate);
        List<Site> sites = directory.sites();
        List<RoutingLink> links = directory.routingLinks();
        boolean empty = root.isEmpty() || sites.isEmpty() || links.isEmpty();
        table = empty ? RoutingTable.EMPTY : RoutingTable.from(root.get().identifier(), sites, links);
    }

    /**
     * GetNextHops (3.1.5.1): the queue managers to which source can send what is meant for destination. Where there are
     * none the routing attempt fails.
     */
    public List<UUID> nextHops(UUID source, UUID destination) {
        Optional<QueueManager> from = directory.queueManager(source);
        Optional<QueueManager> to = directory.queueManager(destination);
        return from.isEmpty() || to.isEmpty() ? List.of() : nextHops(from.get(), to.get());
    }

    private List<UUID> nextHops(QueueManager from, QueueManager to) {
        if (from.routingServer()) {
            return nextHopsForRouter(from, to);
        }
        if (!from.outRoutingServerIdentifierList().isEmpty()) {
            return from.outRoutingServerIdentifierList();
        }
        if (from.sharesSiteWith(to)) {
            return withinSite(to);
        }
        return lookups.routingServer(from.identifier()).stream().toList();
    }

    /**
     * GetNextHopsForRouter (3.1.5.2) and GetNextHopsForSiteGate (3.1.5.3), which differ only in where messages for other
     * sites go.
     */
    private List<UUID> nextHopsForRouter(QueueManager from, QueueManager to) {
        if (to.inRoutingServerIdentifierList().contains(from.identifier())) {
            return List.of(to.identifier());
        }
        if (from.sharesSiteWith(to)) {
            return withinSite(to);
        }
        if (lookups.isSiteGate(from.identifier())) {
            return nextSite(to).flatMap(lookups::siteGateForSite).stream().toList();
        }
        return lookups.siteGate(from.identifier()).stream().toList();
    }

    private static List<UUID> withinSite(QueueManager to) {
        List<UUID> inRoutingServers = to.inRoutingServerIdentifierList();
        return inRoutingServers.isEmpty() ? List.of(to.identifier()) : inRoutingServers;
    }

    /** The last row for one of the sites of a queue manager counts (3.1.5.3). */
    private Optional<UUID> nextSite(QueueManager to) {
        return table.rows().stream()
                .filter(row -> to.siteIdentifierList().contains(row.destinationSite()))
                .map(Row::nextHopSite)
                .reduce((before, last) -> last);
    }
}
