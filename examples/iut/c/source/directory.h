/* The directory as a router reads it: objects of MS-MQDMPR 3.1.1 in the order in which they are enumerated. */
#ifndef DIRECTORY_H
#define DIRECTORY_H

#include "call.h"

struct site {
    struct guid identifier;
    struct guid_list site_gates;
};

struct routing_link {
    struct guid site1, site2;
    uint64_t actual_cost;
};

struct queue_manager {
    struct guid identifier;
    bool routing_server;
    struct guid_list sites, in_routing_servers, out_routing_servers;
};

enum object_type { SITE, ROUTING_LINK, QUEUE_MANAGER, OBJECT_TYPES };

struct directory {
    struct site *sites;
    struct routing_link *routing_links;
    struct queue_manager *queue_managers;
    size_t counts[OBJECT_TYPES];
    bool fails[OBJECT_TYPES]; /* reading objects of this type meets an error */
};

/* Replace the content by that of an enterprise document; what fails, fails on. */
bool directory_take(struct call *call, const char *name, struct directory *directory);
void directory_clear(struct directory *directory);

/* GetDirectoryData (MS-MQBR 3.1.5.9): how many objects of a type there are; 0, as where there are none, if it fails. */
size_t get_directory_data(const struct directory *directory, enum object_type type);

#endif
