package mqsample.discovery;

/** A packet that is not formatted as MS-MQSD 2.2 has it. */
public final class MalformedPacketException extends Exception {
    private static final long serialVersionUID = 1L;

    MalformedPacketException(String message) {
        super(message);
    }
}
