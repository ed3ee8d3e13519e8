package mqsample.wrapper;

import java.io.IOException;
import java.util.Map;
import mqsample.json.JsonObject;

/** A part that the harness can try: the operations that it offers, on a state of its own. */
interface Role {
    /** What a result says that says nothing. */
    Map<String, Object> NOTHING = Map.of();

    /** Takes the params of a request and gives the result. */
    interface Operation {
        Map<String, ?> perform(JsonObject params) throws IOException;
    }

    /** Makes everything as freshly started. */
    void reset();

    Map<String, Operation> operations();
}
