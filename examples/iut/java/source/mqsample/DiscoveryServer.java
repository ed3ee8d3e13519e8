package mqsample;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/** The discovery server of MS-MQSD 3.2 without its socket, and the packets of 2.2 as they travel over IP. */
final class DiscoveryServer {
    private static final int CLIENT_REQUEST = 1;
    private static final int SERVER_REPLY = 2;
    private static final int REQUEST_SIZE = 52;
    private static final int REPLY_HEADER_SIZE = 32;
    private static final int GUID_SIZE = 16;
    /** ConnectedNetworkCount is 1 to 32. */
    private static final int NETWORKS_MOST = 32;
    /** Octets of DirectoryServiceServerArray that always fit into a UDP datagram. */
    private static final int LIST_MOST = 64_000;

    private byte[] site = new byte[GUID_SIZE];
    private final List<byte[]> networks = new ArrayList<>();
    private final List<String> entries = new ArrayList<>();

    void setSite(String guid) {
        site = octets(guid);
    }

    void addNetwork(String guid) {
        networks.add(octets(guid));
        require(networks.size() <= NETWORKS_MOST);
    }

    void addDirectoryServer(String name, boolean ip, boolean ipx) {
        require(!name.isEmpty() && name.indexOf(',') < 0 && name.indexOf('\0') < 0);
        entries.add((ip ? "1" : "0") + (ipx ? "1" : "0") + name);
        require(list().length <= LIST_MOST);
    }

    /** Whether there is a network, without which no reply can be made, and a directory server. */
    boolean isConfigured() {
        return !networks.isEmpty() && !entries.isEmpty();
    }

    /** Receiving a TopologyClientRequest (3.2.5.1): the reply, null to stay silent. */
    byte[] receive(byte[] datagram) {
        // Version, Reserved and what follows SiteID are not looked at.
        if (datagram.length < REQUEST_SIZE || datagram[1] != CLIENT_REQUEST || networks.isEmpty()) {
            return null;
        }
        boolean ownSite = Arrays.equals(datagram, 36, 52, site, 0, GUID_SIZE);
        byte[] list = ownSite ? new byte[0] : list();
        int size = REPLY_HEADER_SIZE + GUID_SIZE * (networks.size() + (list.length > 0 ? 1 : 0)) + list.length;
        ByteBuffer reply = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
        reply.put(1, (byte) SERVER_REPLY).position(4);
        reply.put(datagram, 20, GUID_SIZE); // CorrelationID is RequestID
        reply.putInt(networks.size()).putInt(0).putInt(list.length); // ConnectedNetworkMask is zero over IP
        networks.forEach(reply::put);
        if (list.length > 0) { // RespondingSiteID is left out together with the list
            reply.put(site).put(list);
        }
        return reply.array();
    }

    /** DirectoryServiceServerArray: units of UTF-16, also those that are no text by themselves. */
    private byte[] list() {
        String text = entries.isEmpty() ? "" : String.join(",", entries) + '\0';
        ByteBuffer octets = ByteBuffer.allocate(2 * text.length()).order(ByteOrder.LITTLE_ENDIAN);
        octets.asCharBuffer().put(text);
        return octets.array();
    }

    /** From the form 8-4-4-4-12 to the octets that packets have: the first three fields with their lowest octet first. */
    static byte[] octets(String guid) {
        require(guid.matches("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"));
        UUID fields = UUID.fromString(guid);
        long high = fields.getMostSignificantBits();
        ByteBuffer octets = ByteBuffer.allocate(GUID_SIZE).order(ByteOrder.LITTLE_ENDIAN);
        octets.putInt((int) (high >> 32)).putShort((short) (high >> 16)).putShort((short) high);
        return octets.order(ByteOrder.BIG_ENDIAN).putLong(fields.getLeastSignificantBits()).array();
    }

    private static void require(boolean possible) {
        if (!possible) {
            throw new IllegalArgumentException("not what a reply can hold");
        }
    }
}
