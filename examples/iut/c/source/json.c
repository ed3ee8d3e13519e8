#include "json.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "unicode.h"

struct reader {
    const char *at; /* a zero follows the last character */
    struct arena *arena;
    const char *complaint;
    int depth;
    size_t values;
};

static struct json *read_value(struct reader *reader);

static void *refuse(struct reader *reader, const char *complaint)
{
    if (!reader->complaint)
        reader->complaint = complaint;
    return NULL;
}

static void skip_space(struct reader *reader)
{
    reader->at += strspn(reader->at, " \t\r\n");
}

/* Whether `expected` comes next, after which it is behind us. */
static bool skip(struct reader *reader, char expected)
{
    skip_space(reader);
    if (*reader->at != expected)
        return false;
    reader->at++;
    return true;
}

static bool read_hexadecimal(struct reader *reader, uint32_t *code)
{
    *code = 0;
    for (int i = 0; i < 4; i++, reader->at++) {
        int value = digit_value(*reader->at);
        if (value < 0)
            return false;
        *code = *code << 4 | (uint32_t)value;
    }
    return true;
}

/* What follows a backslash; 0, which no string may hold, where it is no escape. */
static uint32_t read_escape(struct reader *reader)
{
    static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    char letter = *reader->at ? *reader->at++ : 0;
    const char *known = letter ? strchr(letters, letter) : NULL;
    if (known)
        return (uint8_t)meanings[known - letters];
    uint32_t code, low;
    if (letter != 'u' || !read_hexadecimal(reader, &code))
        return 0;
    const char *behind = reader->at;
    if (is_high_surrogate(code) && behind[0] == '\\' && behind[1] == 'u') {
        reader->at += 2;
        if (read_hexadecimal(reader, &low) && is_low_surrogate(low))
            return join_surrogates(code, low);
        reader->at = behind;
    }
    return code;
}

static const char *read_string(struct reader *reader)
{
    if (!skip(reader, '"'))
        return refuse(reader, "a string is missing");
    size_t raw = 0;
    while (reader->at[raw] && reader->at[raw] != '"')
        raw += reader->at[raw] == '\\' && reader->at[raw + 1] ? 2 : 1;
    char *text = arena_take(reader->arena, raw + 1), *end = text;
    while (*reader->at != '"') {
        uint8_t character = (uint8_t)*reader->at;
        if (character < ' ')
            return refuse(reader, "a string holds a control character or does not end");
        uint32_t code;
        if (character == '\\') {
            reader->at++;
            code = read_escape(reader);
            if (!code)
                return refuse(reader, "a string holds an escape that is none, or a zero");
        } else {
            code = utf8_next(&reader->at);
            if (code == NO_CHARACTER || is_high_surrogate(code) || is_low_surrogate(code))
                return refuse(reader, "a string holds octets that are no UTF-8");
        }
        end += utf8_put(end, code);
    }
    reader->at++;
    return text;
}

static size_t digits_at(const char *at)
{
    return strspn(at, "0123456789");
}

static struct json *read_number(struct reader *reader, struct json *value)
{
    const char *start = reader->at, *at = start;
    bool negative = *at == '-';
    at += negative;
    size_t whole = digits_at(at);
    if (whole == 0 || (whole > 1 && *at == '0'))
        return refuse(reader, "neither a value nor a number");
    at += whole;
    bool natural = !negative;
    if (*at == '.') {
        size_t fraction = digits_at(++at);
        if (!fraction)
            return refuse(reader, "a number ends with its point");
        at += fraction;
        natural = false;
    }
    if (*at == 'e' || *at == 'E') {
        at++;
        at += *at == '+' || *at == '-';
        size_t exponent = digits_at(at);
        if (!exponent)
            return refuse(reader, "a number has no exponent after its e");
        at += exponent;
        natural = false;
    }
    errno = 0;
    value->kind = JSON_NUMBER;
    value->number = strtod(start, NULL);
    errno = 0;
    value->integer = natural ? strtoull(start, NULL, 10) : 0;
    value->natural = natural && errno == 0;
    reader->at = at;
    return value;
}

static struct json *read_word(struct reader *reader, struct json *value, const char *word)
{
    if (strncmp(reader->at, word, strlen(word)) != 0)
        return refuse(reader, "a word that is no value");
    reader->at += strlen(word);
    return value;
}

/* The elements of an array or the members of an object, whose bracket is behind us. */
static struct json *read_content(struct reader *reader, struct json *value, char end)
{
    struct json **place = &value->first;
    if (++reader->depth > JSON_DEPTH)
        return refuse(reader, "nested too deeply");
    if (!skip(reader, end)) {
        do {
            const char *name = NULL;
            if (end == '}' && !((name = read_string(reader)) && skip(reader, ':')))
                return refuse(reader, "an object has no colon after a name");
            if (!(*place = read_value(reader)))
                return NULL;
            (*place)->name = name;
            place = &(*place)->next;
        } while (skip(reader, ','));
        if (!skip(reader, end))
            return refuse(reader, "an array or object does not end");
    }
    reader->depth--;
    return value;
}

static struct json *read_value(struct reader *reader)
{
    if (++reader->values > JSON_VALUES)
        return refuse(reader, "too many values");
    struct json *value = arena_take(reader->arena, sizeof *value);
    skip_space(reader);
    switch (*reader->at) {
    case '{':
    case '[':
        value->kind = *reader->at == '{' ? JSON_OBJECT : JSON_ARRAY;
        return read_content(reader, value, *reader->at++ == '{' ? '}' : ']');
    case '"':
        value->kind = JSON_STRING;
        value->text = read_string(reader);
        return value->text ? value : NULL;
    case 't':
    case 'f':
        value->kind = JSON_BOOLEAN;
        value->boolean = *reader->at == 't';
        return read_word(reader, value, value->boolean ? "true" : "false");
    case 'n':
        return read_word(reader, value, "null");
    default:
        return read_number(reader, value);
    }
}

struct json *json_read(const char *line, size_t length, struct arena *arena, const char **complaint)
{
    char *ended = arena_take(arena, length + 1);
    memcpy(ended, line, length);
    struct reader reader = {.at = ended, .arena = arena};
    struct json *value = read_value(&reader);
    skip_space(&reader);
    if (value && reader.at != ended + length)
        value = refuse(&reader, "something follows the value");
    *complaint = reader.complaint;
    return value;
}

const struct json *json_member(const struct json *object, const char *name)
{
    if (!object || object->kind != JSON_OBJECT)
        return NULL;
    for (const struct json *member = object->first; member; member = member->next)
        if (strcmp(member->name, name) == 0)
            return member;
    return NULL;
}

void json_write(struct text *text, const struct json *value)
{
    if (value && value->kind == JSON_STRING)
        text_string(text, value->text);
    else if (value && value->natural)
        text_add(text, "%" PRIu64, value->integer);
    else
        text_add(text, "null");
}
