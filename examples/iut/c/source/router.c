#include "router.h"

#include <stdlib.h>

static const int64_t query_timer = INT64_C(3600) * 1000000000; /* 3.1.3 */

void router_clear(struct router *router)
{
    directory_clear(&router->directory);
    free(router->routing_table.rows);
    *router = (struct router){0};
}

void router_initialize(struct router *router, struct guid local)
{
    router->local = local;
    router->initialized = true;
    router->query_timer = query_timer;
    routing_table_initialize(router);
}

void router_advance_clock(struct router *router, int64_t nanoseconds)
{
    if (!router->initialized)
        return;
    if (nanoseconds < router->query_timer) {
        router->query_timer -= nanoseconds;
        return;
    }
    /* However often it fires, the directory stays the same meanwhile: once is enough. */
    router->query_timer = query_timer - (nanoseconds - router->query_timer) % query_timer;
    routing_table_initialize(router);
}

const struct queue_manager *get_queue_manager(const struct directory *directory, struct guid machine)
{
    for (size_t i = 0; i < get_directory_data(directory, QUEUE_MANAGER); i++)
        if (guid_equal(&directory->queue_managers[i].identifier, &machine))
            return &directory->queue_managers[i];
    return NULL;
}

const struct guid *get_routing_server(const struct directory *directory, struct guid machine)
{
    const struct queue_manager *source = get_queue_manager(directory, machine);
    for (size_t i = 0; source && i < get_directory_data(directory, QUEUE_MANAGER); i++) {
        const struct queue_manager *other = &directory->queue_managers[i];
        if (other->routing_server && guid_lists_meet(&other->sites, &source->sites))
            return &other->identifier;
    }
    return NULL;
}

/* One of the site's gates: the first. */
static const struct guid *a_gate_of(const struct site *site)
{
    return site->site_gates.count ? &site->site_gates.items[0] : NULL;
}

const struct guid *get_site_gate(const struct directory *directory, struct guid machine)
{
    const struct queue_manager *source = get_queue_manager(directory, machine);
    for (size_t i = 0; source && i < get_directory_data(directory, SITE); i++)
        if (guid_list_has(&source->sites, &directory->sites[i].identifier))
            return a_gate_of(&directory->sites[i]); /* the search ends here even if this site has no gates */
    return NULL;
}

const struct guid *get_site_gate_for_site(const struct directory *directory, struct guid site)
{
    for (size_t i = 0; i < get_directory_data(directory, SITE); i++)
        if (guid_equal(&directory->sites[i].identifier, &site))
            return a_gate_of(&directory->sites[i]);
    return NULL;
}

bool is_site_gate(const struct directory *directory, struct guid machine)
{
    const struct queue_manager *source = get_queue_manager(directory, machine);
    if (!source || !source->routing_server)
        return false;
    for (size_t i = 0; i < get_directory_data(directory, SITE); i++) {
        const struct site *site = &directory->sites[i];
        if (guid_list_has(&source->sites, &site->identifier) && guid_list_has(&site->site_gates, &machine))
            return true;
    }
    return false;
}
