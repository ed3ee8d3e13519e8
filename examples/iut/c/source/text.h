/* Text that grows, and the parts of JSON that are written into it. */
#ifndef TEXT_H
#define TEXT_H

#include <stddef.h>
#include <stdint.h>

struct text {
    char *characters; /* ends with a zero once anything was added */
    size_t length, capacity;
};

void text_clear(struct text *text); /* keeps the memory */
void text_free(struct text *text);

/* As printf. */
__attribute__((format(printf, 2, 3))) void text_add(struct text *text, const char *format, ...);

/* A comma, unless this is the first member after a bracket or a brace. */
void text_comma(struct text *text);

/* A JSON string; what is not ASCII is escaped, so that any UTF-16 survives. */
void text_string(struct text *text, const char *utf8);

/* Octets as a JSON string of hexadecimal digits. */
void text_hex(struct text *text, const uint8_t *octets, size_t length);

/* What a hexadecimal digit stands for, -1 where the character is none. */
int digit_value(char character);

#endif
