/* GUIDs in the form in which packets carry them (MS-DTYP 2.3.4.2). */
#ifndef GUID_H
#define GUID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GUID_TEXT = 37 };

struct guid {
    uint8_t octets[16];
};

struct guid_list {
    struct guid *items;
    size_t count;
};

/* From the form 8-4-4-4-12, in either case; false where the text has another. */
bool guid_read(struct guid *guid, const char *text);
void guid_write(const struct guid *guid, char text[GUID_TEXT]);
struct guid guid_random(void);
bool guid_equal(const struct guid *one, const struct guid *other);

void guid_list_add(struct guid_list *list, struct guid guid);
void guid_list_free(struct guid_list *list);
bool guid_list_has(const struct guid_list *list, const struct guid *guid);
bool guid_lists_meet(const struct guid_list *one, const struct guid_list *other);

#endif
