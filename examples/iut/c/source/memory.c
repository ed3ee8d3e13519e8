#include "memory.h"

#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __SANITIZE_ADDRESS__
enum { BLOCK = 0 }; /* a block for each part, so that what goes beyond one is seen */
#else
enum { BLOCK = 65536 };
#endif
enum { FIRST = 4 };

struct block {
    struct block *before;
    size_t used, size;
    alignas(max_align_t) unsigned char octets[];
};

void *must_resize(void *block, size_t octets)
{
    void *resized = realloc(block, octets ? octets : 1);
    if (!resized) {
        fputs("mqsample: out of memory\n", stderr);
        exit(1);
    }
    return resized;
}

void *must_allocate(size_t octets)
{
    return must_resize(NULL, octets);
}

char *must_copy(const char *text)
{
    size_t octets = strlen(text) + 1;
    return memcpy(must_allocate(octets), text, octets);
}

void *room_for_one(void *items, size_t count, size_t size)
{
    if (count == 0)
        return must_resize(items, FIRST * size);
    if (count >= FIRST && (count & (count - 1)) == 0)
        return must_resize(items, 2 * count * size);
    return items;
}

void *arena_take(struct arena *arena, size_t octets)
{
    octets = (octets + alignof(max_align_t) - 1) & ~(alignof(max_align_t) - 1);
    struct block *block = arena->blocks;
    if (!block || block->size - block->used < octets) {
        size_t size = octets > BLOCK ? octets : BLOCK;
        block = must_allocate(sizeof *block + size);
        *block = (struct block){.before = arena->blocks, .size = size};
        arena->blocks = block;
    }
    void *taken = block->octets + block->used;
    block->used += octets;
    return memset(taken, 0, octets);
}

void arena_clear(struct arena *arena)
{
    while (arena->blocks) {
        struct block *before = arena->blocks->before;
        free(arena->blocks);
        arena->blocks = before;
    }
}
