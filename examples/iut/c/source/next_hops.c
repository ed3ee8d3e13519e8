/* GetNextHops and what it calls (MS-MQBR 3.1.5.1 to 3.1.5.3). */
#include "router.h"

static void add(struct guid_list *next_hops, const struct guid *hop)
{
    if (hop) /* a hop that was not found leaves the list as it is, and an empty list is no route */
        guid_list_add(next_hops, *hop);
}

static void set(struct guid_list *next_hops, const struct guid_list *servers)
{
    for (size_t i = 0; i < servers->count; i++)
        guid_list_add(next_hops, servers->items[i]);
}

/* The destination itself, unless servers are appointed that take in its messages. */
static void set_destination(struct guid_list *next_hops, const struct queue_manager *destination)
{
    if (destination->in_routing_servers.count)
        set(next_hops, &destination->in_routing_servers);
    else
        add(next_hops, &destination->identifier);
}

/* The site to which a site gate hands messages for a queue manager, NULL where the routing table knows none. */
static const struct guid *next_site(const struct routing_table *table, const struct queue_manager *destination)
{
    const struct guid *found = NULL;
    for (size_t i = 0; i < table->count; i++)
        if (guid_list_has(&destination->sites, &table->rows[i].destination_site))
            found = &table->rows[i].next_hop_site; /* of several rows the last one counts */
    return found;
}

/* The part that routing servers and site gates have in common; whether it has settled the matter. */
static bool get_next_hops_within_sites(const struct queue_manager *source, const struct queue_manager *destination,
                                       struct guid_list *next_hops)
{
    if (guid_list_has(&destination->in_routing_servers, &source->identifier))
        add(next_hops, &destination->identifier);
    else if (guid_lists_meet(&source->sites, &destination->sites))
        set_destination(next_hops, destination);
    else
        return false;
    return true;
}

static void get_next_hops_for_site_gate(const struct router *router, const struct queue_manager *source,
                                        const struct queue_manager *destination, struct guid_list *next_hops)
{
    if (get_next_hops_within_sites(source, destination, next_hops))
        return;
    const struct guid *site = next_site(&router->routing_table, destination);
    if (site)
        add(next_hops, get_site_gate_for_site(&router->directory, *site));
}

static void get_next_hops_for_router(const struct router *router, const struct queue_manager *source,
                                     const struct queue_manager *destination, struct guid_list *next_hops)
{
    if (is_site_gate(&router->directory, source->identifier))
        get_next_hops_for_site_gate(router, source, destination, next_hops);
    else if (!get_next_hops_within_sites(source, destination, next_hops))
        add(next_hops, get_site_gate(&router->directory, source->identifier));
}

bool get_next_hops(const struct router *router, struct guid source_id, struct guid destination_id,
                   struct guid_list *next_hops)
{
    const struct directory *directory = &router->directory;
    const struct queue_manager *source = get_queue_manager(directory, source_id);
    const struct queue_manager *destination = get_queue_manager(directory, destination_id);
    if (!source || !destination)
        return false;
    if (source->routing_server)
        get_next_hops_for_router(router, source, destination, next_hops);
    else if (source->out_routing_servers.count)
        set(next_hops, &source->out_routing_servers);
    else if (guid_lists_meet(&source->sites, &destination->sites))
        set_destination(next_hops, destination);
    else
        add(next_hops, get_routing_server(directory, source_id));
    return next_hops->count > 0;
}
