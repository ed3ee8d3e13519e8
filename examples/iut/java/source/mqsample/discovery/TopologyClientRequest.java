package mqsample.discovery;

import java.nio.ByteBuffer;
import java.util.UUID;

/** MS-MQSD 2.2.2, without the fields that only IPX has. */
public record TopologyClientRequest(UUID enterpriseId, UUID requestId, UUID siteId) {
    private static final int SIZE = 4 + 3 * Octets.GUID_SIZE;

    byte[] toPacket() {
        ByteBuffer packet = Octets.packet(SIZE, Octets.CLIENT_REQUEST);
        Octets.putGuid(packet, enterpriseId);
        Octets.putGuid(packet, requestId);
        Octets.putGuid(packet, siteId);
        return packet.array();
    }

    /** Ignores Version, Reserved and what follows SiteID (2.2.1, 3.2.5.1). */
    static TopologyClientRequest fromPacket(byte[] octets) throws MalformedPacketException {
        ByteBuffer packet = Octets.open(octets, Octets.CLIENT_REQUEST, SIZE);
        UUID enterpriseId = Octets.getGuid(packet);
        UUID requestId = Octets.getGuid(packet);
        return new TopologyClientRequest(enterpriseId, requestId, Octets.getGuid(packet));
    }
}
