package mqsample.discovery;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** What a discovery server is configured with (MS-MQSD 3.2.1.1), and what it answers with that. */
public record ServerConfiguration(
        UUID enterprise, UUID site, List<UUID> connectedNetworks, List<DirectoryServer> directoryServers) {
    /** Of a server that answers nobody. */
    public static final ServerConfiguration NONE = new ServerConfiguration(null, null, List.of(), List.of());

    /**
     * Gives the reply to a request (3.2.5.1). The server stays silent when the packet is no request, and when no reply
     * could be well-formed, which takes 1 to 32 connected networks and, for a client of another site, at least one
     * directory server. The client's enterprise is not compared: no step of 3.2.5.1 does.
     */
    public Optional<byte[]> answer(byte[] packet) {
        TopologyClientRequest request;
        try {
            request = TopologyClientRequest.fromPacket(packet);
        } catch (MalformedPacketException notForUs) {
            return Optional.empty();
        }
        boolean local = request.siteId().equals(site);
        if (connectedNetworks.isEmpty() || connectedNetworks.size() > TopologyServerReply.MOST_NETWORKS
                || !local && directoryServers.isEmpty()) {
            return Optional.empty();
        }
        List<DirectoryServer> listed = local ? List.of() : directoryServers;
        return Optional.of(new TopologyServerReply(request.requestId(), connectedNetworks, site, listed).toPacket());
    }
}
