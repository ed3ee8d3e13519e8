/* A queue manager that routes (MS-MQBR 18.0): its routing table and the procedures of section 3.1.5. */
#ifndef ROUTER_H
#define ROUTER_H

#include "directory.h"

struct routing_table_row {
    struct guid destination_site, next_hop_site;
};

struct routing_table {
    struct routing_table_row *rows;
    size_t count;
};

struct router {
    struct directory directory;
    bool initialized;
    struct guid local;
    struct routing_table routing_table;
    int64_t query_timer; /* nanoseconds until the QueueManager Query Timer fires */
};

void router_clear(struct router *router);

/* Become a queue manager: fill the routing table and start the timer (3.1.3). */
void router_initialize(struct router *router, struct guid local);

/* Let time pass: the routing table is filled anew each time the timer fires (3.1.6.1). */
void router_advance_clock(struct router *router, int64_t nanoseconds);

/* Fill the routing table (3.1.3.1); routing_table.c. */
void routing_table_initialize(struct router *router);

/* GetNextHops (3.1.5.1): false where the routing attempt fails. */
bool get_next_hops(const struct router *router, struct guid source, struct guid destination,
                   struct guid_list *next_hops);

/* GetQueueManager to IsSiteGate (3.1.5.4 to 3.1.5.8); NULL is the specification's Nothing. */
const struct queue_manager *get_queue_manager(const struct directory *directory, struct guid machine);
const struct guid *get_routing_server(const struct directory *directory, struct guid machine);
const struct guid *get_site_gate(const struct directory *directory, struct guid machine);
const struct guid *get_site_gate_for_site(const struct directory *directory, struct guid site);
bool is_site_gate(const struct directory *directory, struct guid machine);

#endif
