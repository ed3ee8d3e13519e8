package mqsample.json;

import java.util.Collection;
import java.util.Map;
import java.util.UUID;

/** Writes maps, collections, texts, GUIDs, numbers, booleans and null as JSON, in ASCII and without line ends. */
public final class JsonWriter {
    private final StringBuilder out = new StringBuilder();

    private JsonWriter() {}

    public static String write(Object value) {
        JsonWriter writer = new JsonWriter();
        writer.value(value);
        return writer.out.toString();
    }

    private void value(Object value) {
        if (value instanceof Map<?, ?> map) {
            object(map);
        } else if (value instanceof Collection<?> collection) {
            array(collection);
        } else if (value instanceof String || value instanceof UUID) {
            string(value.toString());
        } else {
            out.append(value);
        }
    }

    private void object(Map<?, ?> map) {
        String before = "{";
        for (Map.Entry<?, ?> member : map.entrySet()) {
            out.append(before);
            string(member.getKey().toString());
            out.append(": ");
            value(member.getValue());
            before = ", ";
        }
        out.append(map.isEmpty() ? "{}" : "}");
    }

    private void array(Collection<?> collection) {
        String before = "[";
        for (Object element : collection) {
            out.append(before);
            value(element);
            before = ", ";
        }
        out.append(collection.isEmpty() ? "[]" : "]");
    }

    private void string(String text) {
        out.append('"');
        for (char unit : text.toCharArray()) {
            if (unit < ' ' || unit > '~' || unit == '"' || unit == '\\') {
                out.append(String.format("\\u%04x", (int) unit));
            } else {
                out.append(unit);
            }
        }
        out.append('"');
    }
}
