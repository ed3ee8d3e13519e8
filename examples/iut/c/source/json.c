#include "mqsample.h"

#include <stdlib.h>
#include <string.h>

enum { DEPTH_MOST = 64 };

static const char *skip_space(const char *at)
{
    return at + strspn(at, " \t\r\n");
}

/* The code unit of an escape, -1 for none; at stands behind the backslash. */
static long escape(const char **at)
{
    static const char kinds[] = "\"\\/bfnrt", units[] = "\"\\/\b\f\n\r\t";
    char kind = *(*at)++, digits[5] = "";
    const char *found = kind ? strchr(kinds, kind) : NULL;
    if (kind != 'u')
        return found ? units[found - kinds] : -1;
    memcpy(digits, *at, strspn(*at, HEX) < 4 ? 0 : 4);
    *at += strlen(digits);
    return *digits ? strtol(digits, NULL, 16) : -1;
}

/* Read a string to behind its closing quote; false for no string, and with a text also for what that cannot hold. */
static bool read_string(const char **at, char *text, size_t room)
{
    if (*(*at)++ != '"')
        return false;
    for (size_t length = 0; **at != '"'; length++) {
        bool escaped = **at == '\\';
        long unit = escaped ? (++*at, escape(at)) : (signed char)*(*at)++;
        if (unit < (escaped ? 0 : ' '))
            return false; /* also for what is not ASCII: the harness escapes it */
        if (text && (unit == 0 || unit > 127 || length + 1 >= room))
            return false;
        if (text)
            text[length] = (char)unit, text[length + 1] = 0;
    }
    ++*at;
    return true;
}

static const char *skip_string(const char *at)
{
    return read_string(&at, NULL, 0) ? at : NULL;
}

static const char *skip_items(const char *at, char close, int depth)
{
    at = skip_space(at + 1);
    if (*at == close)
        return at + 1;
    for (;; at = skip_space(at + 1)) {
        if (close == '}') {
            at = skip_string(at);
            if (!at || *(at = skip_space(at)) != ':')
                return NULL;
            at = skip_space(at + 1);
        }
        at = depth < DEPTH_MOST ? json_end(at, depth + 1) : NULL;
        if (!at || (*(at = skip_space(at)) != ',' && *at != close))
            return NULL;
        if (*at == close)
            return at + 1;
    }
}

const char *json_end(const char *at, int depth)
{
    static const char *const words[] = {"true", "false", "null"};
    if (*at == '{' || *at == '[')
        return skip_items(at, *at == '{' ? '}' : ']', depth);
    if (*at == '"')
        return skip_string(at);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strncmp(at, words[i], strlen(words[i])) == 0)
            return at + strlen(words[i]);
    size_t digits = strspn(at, "+-.0123456789eE"); /* no more is asked of numbers: none is needed but ids */
    return digits ? at + digits : NULL;
}

bool json_valid(const char *line, size_t length)
{
    const char *end = json_end(skip_space(line), 0);
    return end && skip_space(end) == line + length;
}

const char *json_first(const char *array)
{
    const char *at = array && *array == '[' ? skip_space(array + 1) : "]";
    return *at == ']' ? NULL : at;
}

const char *json_next(const char *element)
{
    return *(element = skip_space(json_end(element, 0))) == ',' ? skip_space(element + 1) : NULL;
}

const char *json_member(const char *object, const char *name)
{
    char known[64];
    const char *at = object && *object == '{' ? skip_space(object + 1) : "}";
    for (; at && *at != '}'; at = json_next(at)) {
        bool is_it = json_ascii(at, known, sizeof known) && strcmp(known, name) == 0;
        at = skip_space(skip_space(json_end(at, 0)) + 1);
        if (is_it)
            return at;
    }
    return NULL;
}

bool json_ascii(const char *string, char *text, size_t room)
{
    *text = 0;
    return string && read_string(&string, text, room);
}
