package mqsample.discovery;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * An entry of DirectoryServiceServerArray (MS-MQSD 2.2.3): a name of UTF-16 code units, and the protocols by which the
 * server is reached.
 */
public record DirectoryServer(String name, boolean ip, boolean ipx) {
    private static final char DELIMITER = ',';
    private static final char END_OF_LIST = 0;

    /** Refuses names that no reply can carry. */
    public DirectoryServer {
        if (name.isEmpty() || name.indexOf(DELIMITER) >= 0 || name.indexOf(END_OF_LIST) >= 0) {
            throw new IllegalArgumentException("the name of a directory server is empty or has a comma or null character");
        }
    }

    /** Two flags and a name for each, commas between them, a null character at the end; nothing for no servers. */
    static byte[] toArray(List<DirectoryServer> servers) {
        StringBuilder characters = new StringBuilder();
        for (DirectoryServer server : servers) {
            characters.append(characters.isEmpty() ? "" : DELIMITER);
            characters.append(server.ip ? '1' : '0').append(server.ipx ? '1' : '0').append(server.name);
        }
        if (!servers.isEmpty()) {
            characters.append(END_OF_LIST);
        }
        ByteBuffer array = ByteBuffer.allocate(2 * characters.length()).order(ByteOrder.LITTLE_ENDIAN);
        array.asCharBuffer().append(characters);
        return array.array();
    }

    /** Takes a comma or a null character for the end of an entry (3.1.7.1). */
    static List<DirectoryServer> fromArray(byte[] octets) throws MalformedPacketException {
        if (octets.length % 2 != 0) {
            throw new MalformedPacketException("half a character");
        }
        List<DirectoryServer> servers = new ArrayList<>();
        String rest = ByteBuffer.wrap(octets).order(ByteOrder.LITTLE_ENDIAN).asCharBuffer().toString();
        while (!rest.isEmpty()) {
            int end = endOfEntry(rest);
            servers.add(fromEntry(rest.substring(0, end)));
            rest = rest.substring(end + 1);
        }
        return servers;
    }

    private static int endOfEntry(String rest) throws MalformedPacketException {
        for (int end = 0; end < rest.length(); end++) {
            if (rest.charAt(end) == DELIMITER || rest.charAt(end) == END_OF_LIST) {
                return end;
            }
        }
        throw new MalformedPacketException("the end of the list of directory servers is missing");
    }

    private static DirectoryServer fromEntry(String entry) throws MalformedPacketException {
        if (entry.length() < 3 || !isFlag(entry.charAt(0)) || !isFlag(entry.charAt(1))) {
            throw new MalformedPacketException("an entry without two flags and a name");
        }
        return new DirectoryServer(entry.substring(2), entry.charAt(0) == '1', entry.charAt(1) == '1');
    }

    private static boolean isFlag(char character) {
        return character == '0' || character == '1';
    }
}
