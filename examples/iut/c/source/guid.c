#include "guid.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "memory.h"
#include "text.h"

/* Where each octet of the text stands in a packet: the first three numbers are little-endian there. */
static const int place[16] = {3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15};

bool guid_read(struct guid *guid, const char *text)
{
    if (strlen(text) != GUID_TEXT - 1)
        return false;
    int digits = 0;
    *guid = (struct guid){0};
    for (int i = 0; i < GUID_TEXT - 1; i++) {
        if (i == 8 || i == 13 || i == 18 || i == 23) {
            if (text[i] != '-')
                return false;
            continue;
        }
        int value = digit_value(text[i]);
        if (value < 0)
            return false;
        uint8_t *octet = &guid->octets[place[digits++ / 2]];
        *octet = (uint8_t)(*octet << 4 | value);
    }
    return true;
}

void guid_write(const struct guid *guid, char text[GUID_TEXT])
{
    for (int i = 0; i < 16; i++)
        text += sprintf(text, i == 4 || i == 6 || i == 8 || i == 10 ? "-%02x" : "%02x", guid->octets[place[i]]);
}

struct guid guid_random(void)
{
    struct guid guid;
    while (getrandom(guid.octets, sizeof guid.octets, 0) < 0)
        if (errno != EINTR)
            abort();
    guid.octets[place[6]] = (guid.octets[place[6]] & 0x0F) | 0x40; /* version 4 of RFC 4122 */
    guid.octets[place[8]] = (guid.octets[place[8]] & 0x3F) | 0x80;
    return guid;
}

bool guid_equal(const struct guid *one, const struct guid *other)
{
    return memcmp(one->octets, other->octets, sizeof one->octets) == 0;
}

void guid_list_add(struct guid_list *list, struct guid guid)
{
    list->items = room_for_one(list->items, list->count, sizeof guid);
    list->items[list->count++] = guid;
}

void guid_list_free(struct guid_list *list)
{
    free(list->items);
    *list = (struct guid_list){0};
}

bool guid_list_has(const struct guid_list *list, const struct guid *guid)
{
    for (size_t i = 0; i < list->count; i++)
        if (guid_equal(&list->items[i], guid))
            return true;
    return false;
}

bool guid_lists_meet(const struct guid_list *one, const struct guid_list *other)
{
    for (size_t i = 0; i < one->count; i++)
        if (guid_list_has(other, &one->items[i]))
            return true;
    return false;
}
