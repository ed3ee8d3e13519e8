#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "unicode.h"

void text_clear(struct text *text)
{
    text->length = 0;
}

void text_free(struct text *text)
{
    free(text->characters);
    *text = (struct text){0};
}

static void reserve(struct text *text, size_t more)
{
    size_t needed = text->length + more + 1;
    if (needed <= text->capacity)
        return;
    text->capacity = needed < 256 ? 256 : 2 * needed;
    text->characters = must_resize(text->characters, text->capacity);
}

void text_add(struct text *text, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    reserve(text, (size_t)length);
    vsnprintf(text->characters + text->length, (size_t)length + 1, format, again);
    text->length += (size_t)length;
    va_end(again);
    va_end(arguments);
}

void text_comma(struct text *text)
{
    char last = text->length ? text->characters[text->length - 1] : '[';
    if (last != '[' && last != '{')
        text_add(text, ",");
}

void text_string(struct text *text, const char *utf8)
{
    text_add(text, "\"");
    while (*utf8) {
        uint16_t units[2];
        uint32_t code = utf8_next(&utf8);
        int count = utf16_units(code, units);
        if (code >= ' ' && code < 127 && code != '"' && code != '\\')
            text_add(text, "%c", (int)code);
        else
            for (int i = 0; i < count; i++)
                text_add(text, "\\u%04x", units[i]);
    }
    text_add(text, "\"");
}

void text_hex(struct text *text, const uint8_t *octets, size_t length)
{
    static const char digits[] = "0123456789abcdef";
    reserve(text, 2 * length + 2);
    char *at = text->characters + text->length;
    *at++ = '"';
    for (size_t i = 0; i < length; i++) {
        *at++ = digits[octets[i] >> 4];
        *at++ = digits[octets[i] & 15];
    }
    *at++ = '"';
    *at = 0;
    text->length += 2 * length + 2;
}

int digit_value(char character)
{
    if (character >= '0' && character <= '9')
        return character - '0';
    char letter = (char)(character | 0x20);
    return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}
