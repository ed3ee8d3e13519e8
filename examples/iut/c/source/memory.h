/* Memory of the sample: arrays that grow, and arenas whose content goes all at once. */
#ifndef MEMORY_H
#define MEMORY_H

#include <stddef.h>

/* As malloc and realloc, but end the program where there is no memory. */
void *must_allocate(size_t octets);
void *must_resize(void *block, size_t octets);
char *must_copy(const char *text);

/* Make room for one more item after `count` of `size` octets each. */
void *room_for_one(void *items, size_t count, size_t size);

struct arena {
    struct block *blocks;
};

/* Memory that is zero, aligned for anything, and freed by arena_clear alone. */
void *arena_take(struct arena *arena, size_t octets);
void arena_clear(struct arena *arena);

#endif
