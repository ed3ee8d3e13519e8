package mqsample.wrapper;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import mqsample.json.JsonObject;

/** The options of a command line, each with a value; some may come several times. */
final class Options {
    private final Map<String, List<String>> values = new HashMap<>();

    Options(List<String> arguments, Set<String> known) {
        for (int i = 0; i < arguments.size(); i += 2) {
            String name = arguments.get(i);
            if (!known.contains(name)) {
                throw new IllegalArgumentException("what is '" + name + "'? Known are " + String.join(", ", known));
            }
            if (i + 1 == arguments.size()) {
                throw new IllegalArgumentException(name + " has no value");
            }
            values.computeIfAbsent(name, none -> new ArrayList<>()).add(arguments.get(i + 1));
        }
    }

    List<String> all(String name) {
        return values.getOrDefault(name, List.of());
    }

    /** The value that came last, or something else where there is none. */
    String last(String name, String otherwise) {
        List<String> given = all(name);
        return given.isEmpty() ? otherwise : given.get(given.size() - 1);
    }

    UUID guid(String name) {
        return JsonObject.guidOf(needed(name));
    }

    String needed(String name) {
        String value = last(name, null);
        if (value == null) {
            throw new IllegalArgumentException(name + " is missing");
        }
        return value;
    }

    int port() {
        String text = last("--port", "1801");
        if (!text.matches("[0-9]{1,5}") || Integer.parseInt(text) > 65535) {
            throw new IllegalArgumentException("--port is no UDP port: " + text);
        }
        return Integer.parseInt(text);
    }
}
