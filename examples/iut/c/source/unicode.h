/* UTF-8 and UTF-16. A surrogate without its partner passes, as three octets: names in packets may hold one. */
#ifndef UNICODE_H
#define UNICODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NO_CHARACTER = 0x110000 };

/* The code point at *at, which moves behind it; NO_CHARACTER for octets that are no UTF-8. */
uint32_t utf8_next(const char **at);

/* Write a code point as UTF-8, four octets at most, and return how many. */
size_t utf8_put(char *at, uint32_t code);

/* A code point as one or two units of UTF-16, NO_CHARACTER as U+FFFD; returns how many. */
int utf16_units(uint32_t code, uint16_t units[2]);

static inline bool is_high_surrogate(uint32_t code)
{
    return code >= 0xD800 && code < 0xDC00;
}

static inline bool is_low_surrogate(uint32_t code)
{
    return code >= 0xDC00 && code < 0xE000;
}

static inline uint32_t join_surrogates(uint32_t high, uint32_t low)
{
    return 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
}

#endif
