package mqsample.json;

/** What was read is no JSON, or has not the members that it needs. */
public final class JsonException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public JsonException(String message) {
        super(message);
    }
}
