package mqsample.routing;

import java.util.List;
import java.util.UUID;

/**
 * What the directory service holds of an enterprise. The order of each list is the order in which the directory
 * enumerates.
 */
public record Directory(List<Site> sites, List<RoutingLink> routingLinks, List<QueueManager> queueManagers) {
    /** A site with its gates in SiteGateCollection. */
    public record Site(UUID identifier, List<UUID> siteGateCollection) {}

    /** A link between two sites, in both directions. */
    public record RoutingLink(UUID site1Identifier, UUID site2Identifier, long actualCost) {}

    /** A computer that sends, routes or receives messages. */
    public record QueueManager(
            UUID identifier,
            List<UUID> siteIdentifierList,
            boolean routingServer,
            List<UUID> inRoutingServerIdentifierList,
            List<UUID> outRoutingServerIdentifierList) {
        boolean sharesSiteWith(QueueManager other) {
            return siteIdentifierList.stream().anyMatch(other.siteIdentifierList::contains);
        }
    }
}
