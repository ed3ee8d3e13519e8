/* One call of the IUT protocol: its parameters, taken one by one, and where its result goes. */
#ifndef CALL_H
#define CALL_H

#include "guid.h"
#include "json.h"
#include "text.h"

enum error_code {
    PARSE_ERROR = -32700,
    INVALID_REQUEST = -32600,
    METHOD_NOT_FOUND = -32601,
    INVALID_PARAMS = -32602,
    ROUTING_FAILED = -32010,
};

struct call {
    struct iut *iut;
    const struct json *params;
    struct arena *arena; /* emptied when the call is over */
    struct text *result; /* the members of the result, without its braces */
    enum error_code code;
    char complaint[160];
};

/* What performs a call: false where it has failed, and then with code and complaint. */
typedef bool operation(struct call *call);

/* Make the call fail; always false. */
__attribute__((format(printf, 3, 4))) bool call_fails(struct call *call, enum error_code code, const char *format, ...);

/* A parameter, of the call or of an object among its parameters. False, and the call fails, where it is missing or
   of another type. */
bool take_text(struct call *call, const struct json *object, const char *name, const char **text);
bool take_boolean(struct call *call, const struct json *object, const char *name, bool *value);
bool take_natural(struct call *call, const struct json *object, const char *name, uint64_t most, uint64_t *value);
bool take_guid(struct call *call, const struct json *object, const char *name, struct guid *guid);
bool take_array(struct call *call, const struct json *object, const char *name, const struct json **array);

/* An array of GUIDs, added to a list; where it may be missing, the list stays as it is. */
bool take_guids(struct call *call, const struct json *object, const char *name, bool required, struct guid_list *guids);

/* A name that is text or a number, as JSON: two of them are the same name where their texts are equal. */
bool take_key(struct call *call, const char *name, const char **key);

/* Seconds as nanoseconds. */
bool take_seconds(struct call *call, int64_t *nanoseconds);

/* Octets in hexadecimal, at most `most`. */
bool take_datagram(struct call *call, uint8_t *octets, size_t most, size_t *length);

/* Write a GUID as a JSON string. */
void write_guid(struct text *text, const struct guid *guid);

#endif
