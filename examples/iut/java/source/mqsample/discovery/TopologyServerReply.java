package mqsample.discovery;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * MS-MQSD 2.2.3, over IP. A server of the client's own site sends no directory servers, and then the packet has no
 * RespondingSiteID either.
 */
public record TopologyServerReply(
        UUID correlationId, List<UUID> connectedNetworks, UUID respondingSiteId, List<DirectoryServer> directoryServers) {
    static final int MOST_NETWORKS = 32;
    private static final int FIXED_SIZE = 4 + Octets.GUID_SIZE + 3 * 4;

    /** Says whether DirectoryServiceServerSize is zero. */
    boolean isFromLocalSite() {
        return directoryServers.isEmpty();
    }

    byte[] toPacket() {
        byte[] servers = DirectoryServer.toArray(directoryServers);
        int siteSize = isFromLocalSite() ? 0 : Octets.GUID_SIZE;
        int size = FIXED_SIZE + connectedNetworks.size() * Octets.GUID_SIZE + siteSize + servers.length;
        ByteBuffer packet = Octets.packet(size, Octets.SERVER_REPLY);
        Octets.putGuid(packet, correlationId);
        packet.putInt(connectedNetworks.size());
        packet.putInt(0); // ConnectedNetworkMask: all zeros for IP
        packet.putInt(servers.length);
        connectedNetworks.forEach(network -> Octets.putGuid(packet, network));
        if (!isFromLocalSite()) {
            Octets.putGuid(packet, respondingSiteId);
            packet.put(servers);
        }
        return packet.array();
    }

    /** Refuses what is improperly formatted (3.1.5.2). */
    static TopologyServerReply fromPacket(byte[] octets) throws MalformedPacketException {
        ByteBuffer packet = Octets.open(octets, Octets.SERVER_REPLY, FIXED_SIZE);
        UUID correlationId = Octets.getGuid(packet);
        long count = Integer.toUnsignedLong(packet.getInt());
        packet.getInt(); // ConnectedNetworkMask
        long size = Integer.toUnsignedLong(packet.getInt());
        if (count < 1 || count > MOST_NETWORKS) {
            throw new MalformedPacketException("the number of connected networks is not between 1 and 32");
        }
        if (packet.remaining() < count * Octets.GUID_SIZE + (size == 0 ? 0 : Octets.GUID_SIZE + size)) {
            throw new MalformedPacketException("the packet ends before its arrays do");
        }
        List<UUID> networks = new ArrayList<>();
        while (networks.size() < count) {
            networks.add(Octets.getGuid(packet));
        }
        if (size == 0) {
            return new TopologyServerReply(correlationId, networks, null, List.of());
        }
        UUID respondingSiteId = Octets.getGuid(packet);
        byte[] servers = new byte[(int) size];
        packet.get(servers);
        return new TopologyServerReply(correlationId, networks, respondingSiteId, DirectoryServer.fromArray(servers));
    }
}
