package mqsample;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads JSON (RFC 8259): objects become {@link Map}, arrays {@link List}, numbers {@link BigDecimal}, and strings keep
 * every UTF-16 code unit.
 */
final class Json {
    private static final int DEEPEST = 64;
    private static final String ESCAPES = "\"\\/bfnrt";
    private static final String ESCAPED = "\"\\/\b\f\n\r\t";

    /** What was read is no JSON. */
    static final class Malformed extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    private final String text;
    private int position;
    private int depth;

    private Json(String text) {
        this.text = text;
    }

    /** Reads one value, which has to be all of the text. */
    static Object read(String text) {
        Json reader = new Json(text);
        Object value = reader.value();
        require(reader.peek() == 0 && reader.position == text.length());
        return value;
    }

    private Object value() {
        require(++depth <= DEEPEST);
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

    private Map<String, Object> object() {
        Map<String, Object> members = new HashMap<>();
        require(skip('{'));
        while (!skip('}')) {
            require(members.isEmpty() || skip(','));
            peek();
            String name = string();
            require(skip(':'));
            members.put(name, value());
        }
        return members;
    }

    private List<Object> array() {
        List<Object> elements = new ArrayList<>();
        require(skip('['));
        while (!skip(']')) {
            require(elements.isEmpty() || skip(','));
            elements.add(value());
        }
        return elements;
    }

    private String string() {
        StringBuilder string = new StringBuilder();
        require(take() == '"');
        for (char next = take(); next != '"'; next = take()) {
            require(next >= ' ');
            string.append(next == '\\' ? escaped() : next);
        }
        return string.toString();
    }

    private char escaped() {
        char kind = take();
        if (kind != 'u') {
            require(ESCAPES.indexOf(kind) >= 0);
            return ESCAPED.charAt(ESCAPES.indexOf(kind));
        }
        int end = Math.min(position + 4, text.length());
        String digits = text.substring(position, end);
        require(digits.matches("[0-9a-fA-F]{4}"));
        position = end;
        return (char) Integer.parseInt(digits, 16);
    }

    private BigDecimal number() {
        int begin = position;
        while (position < text.length() && "+-.eE0123456789".indexOf(text.charAt(position)) >= 0) {
            position++;
        }
        String number = text.substring(begin, position);
        require(number.matches("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]{1,9})?"));
        return new BigDecimal(number);
    }

    private Object word(String word, Object value) {
        require(text.startsWith(word, position));
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
        require(position < text.length());
        return text.charAt(position++);
    }

    private boolean skip(char wanted) {
        boolean found = peek() == wanted;
        position += found ? 1 : 0;
        return found;
    }

    private static void require(boolean wellFormed) {
        if (!wellFormed) {
            throw new Malformed();
        }
    }
}
