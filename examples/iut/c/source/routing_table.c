/* The routing table: Dijkstra's algorithm over the sites of the enterprise (MS-MQBR 3.1.3.1). */
#include <stdlib.h>

#include "memory.h"
#include "router.h"

static const uint64_t unreached = UINT64_MAX;
enum { NO_SITE = -1 };

struct vertex {
    uint64_t cost; /* of the least-cost path that is known */
    int next_hop;  /* the first site on it after the own one */
    bool own, settled;
};

static int site_index(const struct directory *directory, const struct guid *site)
{
    for (size_t i = 0; i < directory->counts[SITE]; i++)
        if (guid_equal(&directory->sites[i].identifier, site))
            return (int)i;
    return NO_SITE;
}

/* The current site is each site of the gate: a path begins at the nearest of them. */
static void start(const struct router *router, struct vertex *vertices, size_t sites)
{
    const struct queue_manager *local = get_queue_manager(&router->directory, router->local);
    for (size_t i = 0; i < sites; i++) {
        bool own = guid_list_has(&local->sites, &router->directory.sites[i].identifier);
        vertices[i] = (struct vertex){.cost = own ? 0 : unreached, .next_hop = own ? (int)i : NO_SITE, .own = own};
    }
}

static int nearest(const struct vertex *vertices, size_t sites)
{
    int found = NO_SITE;
    for (size_t i = 0; i < sites; i++)
        if (!vertices[i].settled && vertices[i].cost != unreached &&
            (found == NO_SITE || vertices[i].cost < vertices[found].cost))
            found = (int)i;
    return found;
}

/* Paths that lead on from `from` over an edge to `to`; of paths of equal cost the first stays. */
static void relax(struct vertex *vertices, int from, int to, uint64_t actual_cost)
{
    uint64_t cost = vertices[from].cost + actual_cost;
    if (vertices[to].settled || cost >= vertices[to].cost)
        return;
    vertices[to].cost = cost;
    vertices[to].next_hop = vertices[from].own ? to : vertices[from].next_hop;
}

/* Both ends of each link as indexes of sites; a link to an unknown site is no edge of the graph. */
static int (*edges_of(const struct directory *directory, size_t links))[2]
{
    int (*edges)[2] = must_allocate(links * sizeof *edges);
    for (size_t i = 0; i < links; i++) {
        edges[i][0] = site_index(directory, &directory->routing_links[i].site1);
        edges[i][1] = site_index(directory, &directory->routing_links[i].site2);
        if (edges[i][0] == NO_SITE || edges[i][1] == NO_SITE)
            edges[i][0] = edges[i][1] = NO_SITE;
    }
    return edges;
}

static void find_least_cost_paths(const struct directory *directory, struct vertex *vertices, size_t sites,
                                  size_t links)
{
    int (*edges)[2] = edges_of(directory, links);
    for (int from; (from = nearest(vertices, sites)) != NO_SITE;) {
        vertices[from].settled = true;
        for (size_t i = 0; i < links; i++)
            if (edges[i][0] == from || edges[i][1] == from) {
                int to = edges[i][0] == from ? edges[i][1] : edges[i][0];
                relax(vertices, from, to, directory->routing_links[i].actual_cost);
            }
    }
    free(edges);
}

void routing_table_initialize(struct router *router)
{
    const struct directory *directory = &router->directory;
    size_t sites = get_directory_data(directory, SITE), links = get_directory_data(directory, ROUTING_LINK);
    free(router->routing_table.rows);
    router->routing_table = (struct routing_table){0};
    if (!is_site_gate(directory, router->local) || sites == 0 || links == 0)
        return;
    struct vertex *vertices = must_allocate(sites * sizeof *vertices);
    start(router, vertices, sites);
    find_least_cost_paths(directory, vertices, sites, links);
    router->routing_table.rows = must_allocate(sites * sizeof *router->routing_table.rows);
    for (size_t i = 0; i < sites; i++)
        if (vertices[i].next_hop != NO_SITE)
            router->routing_table.rows[router->routing_table.count++] = (struct routing_table_row){
                directory->sites[i].identifier, directory->sites[vertices[i].next_hop].identifier};
    free(vertices);
}
