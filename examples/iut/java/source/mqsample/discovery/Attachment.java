package mqsample.discovery;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;

/** One of the computer's own IPv4 addresses and the broadcast address of its network. */
public record Attachment(InetAddress address, InetAddress broadcast) {
    /** Reads ADDRESS/PREFIX, or ADDRESS alone where an interface of the computer has it. */
    public static Attachment of(String text) {
        String[] parts = text.split("/", 2);
        if (!parts[0].matches("[0-9]+(\\.[0-9]+){3}")) {
            throw refused(text);
        }
        try {
            InetAddress address = InetAddress.getByName(parts[0]);
            int prefix = parts.length == 2 ? Integer.parseInt(parts[1]) : prefixOf(address);
            if (prefix < 0 || prefix > 32) {
                throw refused(text);
            }
            return new Attachment(address, broadcast(address.getAddress(), prefix));
        } catch (IOException | NumberFormatException wrong) {
            throw refused(text);
        }
    }

    private static int prefixOf(InetAddress address) throws IOException {
        NetworkInterface owner = NetworkInterface.getByInetAddress(address);
        if (owner != null) {
            for (InterfaceAddress own : owner.getInterfaceAddresses()) {
                if (own.getAddress().equals(address)) {
                    return own.getNetworkPrefixLength();
                }
            }
        }
        return -1;
    }

    private static InetAddress broadcast(byte[] octets, int prefix) throws IOException {
        for (int bit = prefix; bit < 32; bit++) {
            octets[bit / 8] |= (byte) (0x80 >>> bit % 8);
        }
        return Inet4Address.getByAddress(octets);
    }

    private static IllegalArgumentException refused(String text) {
        return new IllegalArgumentException(text + " is no own IPv4 address with a prefix, such as 192.0.2.7/24");
    }
}
