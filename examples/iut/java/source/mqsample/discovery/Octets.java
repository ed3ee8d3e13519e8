package mqsample.discovery;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.UUID;

/** What the packets have in common: little-endian integers, and GUIDs as MS-DTYP 2.3.4 has them. */
final class Octets {
    static final int GUID_SIZE = 16;
    static final byte CLIENT_REQUEST = 1;
    static final byte SERVER_REPLY = 2;

    private Octets() {}

    /** Makes a packet that begins with a TopologyPacketHeader (2.2.1): Version and Reserved are zero. */
    static ByteBuffer packet(int size, byte type) {
        return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN).put((byte) 0).put(type).putShort((short) 0);
    }

    /** Opens a packet behind its header; Version and Reserved are ignored. */
    static ByteBuffer open(byte[] packet, byte type, int smallest) throws MalformedPacketException {
        if (packet.length < smallest || packet[1] != type) {
            throw new MalformedPacketException("too short, or of another type");
        }
        return ByteBuffer.wrap(packet).order(ByteOrder.LITTLE_ENDIAN).position(4);
    }

    /** The first three parts of a GUID are little-endian. */
    static void putGuid(ByteBuffer packet, UUID guid) {
        long high = guid.getMostSignificantBits();
        packet.putInt((int) (high >>> 32)).putShort((short) (high >>> 16)).putShort((short) high);
        packet.putLong(Long.reverseBytes(guid.getLeastSignificantBits()));
    }

    static UUID getGuid(ByteBuffer packet) {
        long first = packet.getInt();
        long second = packet.getShort() & 0xffffL;
        long third = packet.getShort() & 0xffffL;
        return new UUID(first << 32 | second << 16 | third, Long.reverseBytes(packet.getLong()));
    }
}
