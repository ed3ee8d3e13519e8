package mqsample.wrapper;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.Map;
import mqsample.json.JsonException;
import mqsample.json.JsonObject;
import mqsample.json.JsonReader;
import mqsample.json.JsonWriter;

/** JSON-RPC 2.0, one request a line. */
final class JsonRpc {
    private final Map<String, Role.Operation> operations;

    JsonRpc(Map<String, Role.Operation> operations) {
        this.operations = operations;
    }

    /** Answers until shutdown or the end of the input. Nothing else may write to out. */
    void serve(BufferedReader in, PrintStream out) throws IOException {
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (line.isBlank()) {
                continue;
            }
            Map<String, Object> answer = new LinkedHashMap<>();
            answer.put("jsonrpc", "2.0");
            answer.put("id", null);
            boolean last = answer(line, answer);
            out.print(JsonWriter.write(answer) + '\n');
            out.flush();
            if (last) {
                return;
            }
        }
    }

    /** Completes the answer and says whether it is the last one. */
    private boolean answer(String line, Map<String, Object> answer) {
        try {
            JsonObject request = request(line);
            answer.put("id", request.any("id"));
            answer.put("result", perform(request));
            return "shutdown".equals(request.any("method"));
        } catch (Refusal refusal) {
            answer.put("error", error(refusal.code, refusal));
        } catch (JsonException | ArithmeticException wrong) {
            answer.put("error", error(Refusal.INVALID_PARAMS, wrong));
        } catch (IOException | IllegalArgumentException failed) {
            answer.put("error", error(Refusal.FAILED, failed));
        }
        return false;
    }

    private static JsonObject request(String line) {
        try {
            if (JsonReader.read(line) instanceof JsonObject request) {
                return request;
            }
        } catch (JsonException wrong) {
            throw new Refusal(Refusal.NO_JSON, wrong.getMessage());
        }
        throw new Refusal(Refusal.NO_JSON, "a request is a JSON object");
    }

    private Map<String, ?> perform(JsonObject request) throws IOException {
        String method = request.text("method");
        Role.Operation operation = operations.get(method);
        if (operation == null) {
            throw new Refusal(Refusal.NOT_OFFERED, method + " is not offered");
        }
        return operation.perform(request.has("params") ? request.object("params") : new JsonObject(Map.of()));
    }

    private static Map<String, Object> error(int code, Exception exception) {
        return Map.of("code", code, "message", String.valueOf(exception.getMessage()));
    }
}
