package mqsample.json;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads JSON (RFC 8259): objects become {@link JsonObject}, arrays {@link List}, numbers {@link BigInteger} or
 * {@link BigDecimal}, and strings keep every UTF-16 code unit.
 */
public final class JsonReader {
    private static final int DEEPEST = 200;
    private static final String ESCAPES = "\"\\/bfnrt";
    private static final String ESCAPED = "\"\\/\b\f\n\r\t";

    private final String text;
    private int position;
    private int depth;

    private JsonReader(String text) {
        this.text = text;
    }

    /** Reads one value, which has to be all of the text. */
    public static Object read(String text) {
        JsonReader reader = new JsonReader(text);
        Object value = reader.value();
        if (reader.peek() != 0) {
            throw reader.wrong("the end");
        }
        return value;
    }

    private Object value() {
        if (++depth > DEEPEST) {
            throw new JsonException("no JSON that is read here: it is nested more than " + DEEPEST + " deep");
        }
        Object value = switch (peek()) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> string();
            case 't' -> word("true", Boolean.TRUE);
            case 'f' -> word("false", Boolean.FALSE);
            case 'n' -> word("null", null);
            default -> number();
        };
        depth--;
        return value;
    }

    private JsonObject object() {
        Map<String, Object> members = new LinkedHashMap<>();
        expect('{');
        if (!skip('}')) {
            do {
                peek();
                String name = string();
                expect(':');
                members.put(name, value());
            } while (skip(','));
            expect('}');
        }
        return new JsonObject(members);
    }

    private List<Object> array() {
        List<Object> elements = new ArrayList<>();
        expect('[');
        if (!skip(']')) {
            do {
                elements.add(value());
            } while (skip(','));
            expect(']');
        }
        return elements;
    }

    private String string() {
        StringBuilder string = new StringBuilder();
        expect('"');
        for (char next = take(); next != '"'; next = take()) {
            if (next < ' ') {
                throw wrong("an escape in place of a control character");
            }
            string.append(next == '\\' ? escaped() : next);
        }
        return string.toString();
    }

    private char escaped() {
        char kind = take();
        if (kind == 'u') {
            int unit = 0;
            for (int digit = 0; digit < 4; digit++) {
                unit = unit * 16 + hexadecimal(take());
            }
            return (char) unit;
        }
        if (ESCAPES.indexOf(kind) < 0) {
            throw wrong("an escape");
        }
        return ESCAPED.charAt(ESCAPES.indexOf(kind));
    }

    private int hexadecimal(char digit) {
        int value = digit < 128 ? Character.digit(digit, 16) : -1;
        if (value < 0) {
            throw wrong("a hexadecimal digit");
        }
        return value;
    }

    private Number number() {
        int begin = position;
        while (position < text.length() && "+-.eE0123456789".indexOf(text.charAt(position)) >= 0) {
            position++;
        }
        String number = text.substring(begin, position);
        if (!number.matches("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?")) {
            throw wrong("a value");
        }
        return number.matches("-?[0-9]+") ? new BigInteger(number) : new BigDecimal(number);
    }

    private Object word(String word, Object value) {
        if (!text.startsWith(word, position)) {
            throw wrong("a value");
        }
        position += word.length();
        return value;
    }

    /** The next character that is no white space, or 0 at the end. */
    private char peek() {
        while (position < text.length() && " \t\r\n".indexOf(text.charAt(position)) >= 0) {
            position++;
        }
        return position < text.length() ? text.charAt(position) : 0;
    }

    private char take() {
        if (position >= text.length()) {
            throw wrong("more");
        }
        return text.charAt(position++);
    }

    private boolean skip(char wanted) {
        boolean found = peek() == wanted;
        if (found) {
            position++;
        }
        return found;
    }

    private void expect(char wanted) {
        if (!skip(wanted)) {
            throw wrong("'" + wanted + "'");
        }
    }

    private JsonException wrong(String wanted) {
        return new JsonException("no JSON: " + wanted + " is missing at character " + position);
    }
}
