/* A JSON reader (RFC 8259) with limits, for lines that somebody else wrote. */
#ifndef JSON_H
#define JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "memory.h"
#include "text.h"

enum { JSON_DEPTH = 64, JSON_VALUES = 1000000 };

enum json_kind { JSON_NULL, JSON_BOOLEAN, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT };

struct json {
    enum json_kind kind;
    bool boolean;
    bool natural;       /* a number without sign, fraction and exponent that 64 bits hold: */
    uint64_t integer;   /* that number */
    double number;      /* any number, to the precision of a double */
    const char *text;   /* of a string: UTF-8 without a zero in it */
    const char *name;   /* of a member of an object */
    struct json *first; /* element or member of an array or object */
    struct json *next;  /* in the array or object that holds this value */
};

/* The value that a line holds, in `arena`; NULL and a complaint where it holds none, or more than the limits allow. */
struct json *json_read(const char *line, size_t length, struct arena *arena, const char **complaint);

/* A member of an object, NULL where it has none of that name. */
const struct json *json_member(const struct json *object, const char *name);

/* Write a string, a natural number or null, such as the id of a request, as it was read. */
void json_write(struct text *text, const struct json *value);

#endif
