package mqsample.json;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;

/** A JSON object, whose members are taken by name and type; a member that is missing or of another type is refused. */
public final class JsonObject {
    private static final Pattern GUID = Pattern.compile("[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}");

    private final Map<String, Object> members;

    public JsonObject(Map<String, Object> members) {
        this.members = members;
    }

    /** Says whether there is such a member and it is not null. */
    public boolean has(String name) {
        return members.get(name) != null;
    }

    /** A member as it was read, or null. */
    public Object any(String name) {
        return members.get(name);
    }

    public String text(String name) {
        return as(String.class, name, members.get(name));
    }

    /** A text, or something else where there is none. */
    public String text(String name, String otherwise) {
        return has(name) ? text(name) : otherwise;
    }

    public boolean flag(String name) {
        return as(Boolean.class, name, members.get(name));
    }

    /** A boolean that is false where there is none. */
    public boolean flagOrFalse(String name) {
        return has(name) && flag(name);
    }

    public BigInteger integer(String name) {
        return as(BigInteger.class, name, members.get(name));
    }

    public long number(String name) {
        return integer(name).longValueExact();
    }

    /** Seconds, which may have decimals. */
    public Duration duration(String name) {
        BigDecimal seconds = new BigDecimal(as(Number.class, name, members.get(name)).toString());
        if (seconds.signum() < 0) {
            throw new JsonException("'" + name + "' is less than zero");
        }
        long nanoseconds = seconds.remainder(BigDecimal.ONE).movePointRight(9).longValue();
        return Duration.ofSeconds(seconds.longValue(), nanoseconds);
    }

    /** A GUID in the form 8-4-4-4-12, in either case. */
    public UUID guid(String name) {
        return guidOf(text(name));
    }

    public JsonObject object(String name) {
        return as(JsonObject.class, name, members.get(name));
    }

    /** An array of objects, empty where there is none. */
    public List<JsonObject> objects(String name) {
        return elements(JsonObject.class, name);
    }

    /** An array of texts, empty where there is none. */
    public List<String> texts(String name) {
        return elements(String.class, name);
    }

    /** An array of GUIDs, empty where there is none. */
    public List<UUID> guids(String name) {
        return texts(name).stream().map(JsonObject::guidOf).toList();
    }

    /** Reads a GUID in the form 8-4-4-4-12, in either case. */
    public static UUID guidOf(String text) {
        if (!GUID.matcher(text).matches()) {
            throw new JsonException("'" + text + "' is no GUID of the form 8-4-4-4-12");
        }
        return UUID.fromString(text);
    }

    private <T> List<T> elements(Class<T> type, String name) {
        List<T> elements = new ArrayList<>();
        if (has(name)) {
            for (Object element : as(List.class, name, members.get(name))) {
                elements.add(as(type, name, element));
            }
        }
        return elements;
    }

    private static <T> T as(Class<T> type, String name, Object value) {
        if (!type.isInstance(value)) {
            throw new JsonException("'" + name + "' is missing or no " + type.getSimpleName());
        }
        return type.cast(value);
    }
}
