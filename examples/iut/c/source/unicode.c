#include "unicode.h"

enum { REPLACEMENT = 0xFFFD };

/* How many octets follow the first one of a character; 0 after none that may be first. */
static int octets_after(uint8_t first)
{
    if (first >= 0xF0)
        return first < 0xF5 ? 3 : 0;
    if (first >= 0xE0)
        return 2;
    return first >= 0xC2 ? 1 : 0;
}

uint32_t utf8_next(const char **at)
{
    static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
    uint8_t first = (uint8_t)*(*at)++;
    if (first < 0x80)
        return first;
    int more = octets_after(first);
    if (!more)
        return NO_CHARACTER;
    uint32_t code = first & (0x3Fu >> more);
    for (int i = 0; i < more; i++) {
        if (((uint8_t)**at & 0xC0) != 0x80)
            return NO_CHARACTER;
        code = code << 6 | ((uint8_t)*(*at)++ & 0x3F);
    }
    return code < least[more] || code > 0x10FFFF ? NO_CHARACTER : code;
}

size_t utf8_put(char *at, uint32_t code)
{
    if (code < 0x80) {
        *at = (char)code;
        return 1;
    }
    static const uint8_t lead[] = {0, 0xC0, 0xE0, 0xF0};
    size_t more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    for (size_t i = more; i > 0; i--, code >>= 6)
        at[i] = (char)(0x80 | (code & 0x3F));
    at[0] = (char)(lead[more] | code);
    return more + 1;
}

int utf16_units(uint32_t code, uint16_t units[2])
{
    if (code < 0x10000) {
        units[0] = (uint16_t)code;
        return 1;
    }
    if (code >= NO_CHARACTER) {
        units[0] = REPLACEMENT;
        return 1;
    }
    units[0] = (uint16_t)(0xD800 + ((code - 0x10000) >> 10));
    units[1] = (uint16_t)(0xDC00 + (code & 0x3FF));
    return 2;
}
