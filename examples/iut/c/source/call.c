#include "call.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Seconds in a call: some ninety years, whose sums stay below 64 bits of nanoseconds. */
static const double longest = 3e9;

bool call_fails(struct call *call, enum error_code code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(call->complaint, sizeof call->complaint, format, arguments);
    va_end(arguments);
    call->code = code;
    return false;
}

static bool refuse(struct call *call, const char *name, const char *wanted)
{
    return call_fails(call, INVALID_PARAMS, "%s: must be %s", name, wanted);
}

bool take_text(struct call *call, const struct json *object, const char *name, const char **text)
{
    const struct json *value = json_member(object, name);
    if (!value || value->kind != JSON_STRING)
        return refuse(call, name, "text");
    *text = value->text;
    return true;
}

bool take_boolean(struct call *call, const struct json *object, const char *name, bool *value)
{
    const struct json *found = json_member(object, name);
    if (!found || found->kind != JSON_BOOLEAN)
        return refuse(call, name, "true or false");
    *value = found->boolean;
    return true;
}

bool take_natural(struct call *call, const struct json *object, const char *name, uint64_t most, uint64_t *value)
{
    const struct json *found = json_member(object, name);
    if (!found || !found->natural || found->integer > most)
        return refuse(call, name, "an integer of 0 or more, and within the range of its field");
    *value = found->integer;
    return true;
}

bool take_guid(struct call *call, const struct json *object, const char *name, struct guid *guid)
{
    const struct json *found = json_member(object, name);
    if (!found || found->kind != JSON_STRING || !guid_read(guid, found->text))
        return refuse(call, name, "a GUID, 8-4-4-4-12");
    return true;
}

bool take_array(struct call *call, const struct json *object, const char *name, const struct json **array)
{
    *array = json_member(object, name);
    if (!*array || (*array)->kind != JSON_ARRAY)
        return refuse(call, name, "an array");
    return true;
}

bool take_guids(struct call *call, const struct json *object, const char *name, bool required, struct guid_list *guids)
{
    const struct json *array;
    if (!required && !json_member(object, name))
        return true;
    if (!take_array(call, object, name, &array))
        return false;
    for (const struct json *item = array->first; item; item = item->next) {
        struct guid guid;
        if (item->kind != JSON_STRING || !guid_read(&guid, item->text))
            return refuse(call, name, "an array of GUIDs, 8-4-4-4-12");
        guid_list_add(guids, guid);
    }
    return true;
}

bool take_key(struct call *call, const char *name, const char **key)
{
    const struct json *found = json_member(call->params, name);
    if (!found || !(found->kind == JSON_STRING || found->natural))
        return refuse(call, name, "a name, text or an integer");
    struct text text = {0};
    json_write(&text, found);
    char *copy = arena_take(call->arena, text.length + 1);
    *key = memcpy(copy, text.characters, text.length + 1);
    text_free(&text);
    return true;
}

bool take_seconds(struct call *call, int64_t *nanoseconds)
{
    const struct json *found = json_member(call->params, "seconds");
    if (!found || found->kind != JSON_NUMBER || !(found->number >= 0 && found->number <= longest))
        return refuse(call, "seconds", "a number of 0 or more");
    *nanoseconds = (int64_t)llround(found->number * 1e9);
    return true;
}

bool take_datagram(struct call *call, uint8_t *octets, size_t most, size_t *length)
{
    const char *text = "";
    if (!take_text(call, call->params, "datagram", &text))
        return false;
    *length = strlen(text) / 2;
    bool fits = strlen(text) % 2 == 0 && *length <= most;
    for (size_t i = 0; fits && i < *length; i++) {
        int high = digit_value(text[2 * i]), low = digit_value(text[2 * i + 1]);
        fits = high >= 0 && low >= 0;
        octets[i] = (uint8_t)(16 * high + low);
    }
    return fits || refuse(call, "datagram", "octets in hexadecimal, 65,535 at most");
}

void write_guid(struct text *text, const struct guid *guid)
{
    char written[GUID_TEXT];
    guid_write(guid, written);
    text_add(text, "\"%s\"", written);
}
