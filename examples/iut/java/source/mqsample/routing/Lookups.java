package mqsample.routing;

import java.util.Optional;
import java.util.UUID;
import mqsample.routing.Directory.QueueManager;
import mqsample.routing.Directory.Site;

/** The procedures of MS-MQBR that look gates and routing servers up in the directory. */
public final class Lookups {
    private final DirectoryReader directory;

    Lookups(DirectoryReader directory) {
        this.directory = directory;
    }

    /** GetRoutingServer (3.1.5.5): the first routing server that shares a site with the machine. */
    public Optional<UUID> routingServer(UUID machine) {
        return directory.queueManager(machine).flatMap(source -> directory.queueManagers().stream()
                .filter(QueueManager::routingServer)
                .filter(source::sharesSiteWith)
                .map(QueueManager::identifier)
                .findFirst());
    }

    /** GetSiteGate (3.1.5.6): a gate of the machine's first site; a further site of the machine is not asked. */
    public Optional<UUID> siteGate(UUID machine) {
        return directory.queueManager(machine).flatMap(source -> directory.sites().stream()
                .filter(site -> source.siteIdentifierList().contains(site.identifier()))
                .findFirst()
                .flatMap(Lookups::oneOfTheGates));
    }

    /** GetSiteGateForSite (3.1.5.7): a gate of the site. */
    public Optional<UUID> siteGateForSite(UUID identifier) {
        return directory.sites().stream()
                .filter(site -> site.identifier().equals(identifier))
                .findFirst()
                .flatMap(Lookups::oneOfTheGates);
    }

    /** IsSiteGate (3.1.5.8): whether the machine is a gate of one of its sites. */
    public boolean isSiteGate(UUID machine) {
        return siteOfGate(machine).isPresent();
    }

    /** The first site for which the machine is a gate. */
    Optional<Site> siteOfGate(UUID machine) {
        return directory.queueManager(machine)
                .filter(QueueManager::routingServer)
                .flatMap(source -> directory.sites().stream()
                        .filter(site -> source.siteIdentifierList().contains(site.identifier()))
                        .filter(site -> site.siteGateCollection().contains(machine))
                        .findFirst());
    }

    /** The text leaves open which one. */
    private static Optional<UUID> oneOfTheGates(Site site) {
        return site.siteGateCollection().stream().findFirst();
    }
}
