/* The discovery client on sockets and by the real clock. */
#ifndef UDP_CLIENT_H
#define UDP_CLIENT_H

#include "discovery_client.h"

struct udp_network {
    const char *address; /* this computer's own on the network */
    int prefix;          /* of the subnet: 24 of 10.0.0.0/24 */
};

/* Search once, telling each effect and last what came of it as a line of JSON each; the exit status. */
int udp_client_search(struct guid enterprise, struct guid site, const struct udp_network *networks, size_t count,
                      uint16_t port, bool directed);

#endif
