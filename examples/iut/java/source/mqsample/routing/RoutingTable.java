package mqsample.routing;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import mqsample.routing.Directory.RoutingLink;
import mqsample.routing.Directory.Site;

/**
 * The RoutingTable of a gate (3.1.1.2). A site that cannot be reached has no row, and the row of the gate's own site leads
 * to itself.
 */
public record RoutingTable(List<Row> rows) {
    static final RoutingTable EMPTY = new RoutingTable(List.of());

    /** The site to send to on the way to another. */
    public record Row(UUID destinationSite, UUID nextHopSite) {}

    private record Edge(UUID to, long cost) {}

    /** A way from the root to a site; nextHop is the first site on it. */
    private record Way(UUID site, UUID nextHop, long cost) {}

    /** Finds the least-cost paths from the site root to all others (3.1.3.1), in the order of sites. */
    static RoutingTable from(UUID root, List<Site> sites, List<RoutingLink> links) {
        Map<UUID, UUID> nextHops = nextHops(root, edges(sites, links));
        return new RoutingTable(sites.stream()
                .map(Site::identifier)
                .filter(nextHops::containsKey)
                .map(site -> new Row(site, nextHops.get(site)))
                .toList());
    }

    /** Makes two edges of each link, one a direction. A link with an end that is no site of the enterprise is no edge. */
    private static Map<UUID, List<Edge>> edges(List<Site> sites, List<RoutingLink> links) {
        Set<UUID> known = sites.stream().map(Site::identifier).collect(Collectors.toSet());
        Map<UUID, List<Edge>> edges = new HashMap<>();
        for (RoutingLink link : links) {
            UUID one = link.site1Identifier();
            UUID other = link.site2Identifier();
            if (known.contains(one) && known.contains(other)) {
                edges.computeIfAbsent(one, site -> new ArrayList<>()).add(new Edge(other, link.actualCost()));
                edges.computeIfAbsent(other, site -> new ArrayList<>()).add(new Edge(one, link.actualCost()));
            }
        }
        return edges;
    }

    /** Dijkstra's algorithm. Of routes with the same cost, the one that comes out of the queue first stays. */
    private static Map<UUID, UUID> nextHops(UUID root, Map<UUID, List<Edge>> edges) {
        Map<UUID, UUID> nextHops = new HashMap<>();
        PriorityQueue<Way> waiting = new PriorityQueue<>(Comparator.comparingLong(Way::cost));
        waiting.add(new Way(root, root, 0));
        while (!waiting.isEmpty()) {
            Way reached = waiting.remove();
            if (nextHops.putIfAbsent(reached.site(), reached.nextHop()) != null) {
                continue;
            }
            for (Edge edge : edges.getOrDefault(reached.site(), List.of())) {
                UUID nextHop = reached.site().equals(root) ? edge.to() : reached.nextHop();
                waiting.add(new Way(edge.to(), nextHop, reached.cost() + edge.cost()));
            }
        }
        return nextHops;
    }
}
