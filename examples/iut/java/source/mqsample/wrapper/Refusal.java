package mqsample.wrapper;

/** An error answer. */
final class Refusal extends RuntimeException {
    static final int NO_JSON = -32700;
    static final int NOT_OFFERED = -32601;
    static final int INVALID_PARAMS = -32602;
    static final int FAILED = -32000;
    static final int NO_ROUTE = -32010;

    private static final long serialVersionUID = 1L;

    final int code;

    Refusal(int code, String message) {
        super(message);
        this.code = code;
    }
}
