/* The discovery server (MS-MQSD 3.2). It knows no sockets: datagrams come in, and the reply goes out. */
#ifndef DISCOVERY_SERVER_H
#define DISCOVERY_SERVER_H

#include "discovery_packets.h"

struct discovery_server {
    struct guid enterprise, site;
    struct guid_list connected_networks;
    struct directory_server *servers;
    size_t server_count;
};

void discovery_server_clear(struct discovery_server *server);

/* A directory server of the own site; false for a name that a reply cannot hold. */
bool discovery_server_add(struct discovery_server *server, const char *name, bool ip, bool ipx);

/* Receiving a TopologyClientRequest (3.2.5.1): write the reply and return its length, 0 to stay silent. */
size_t discovery_server_receive(const struct discovery_server *server, const uint8_t *datagram, size_t length,
                                uint8_t reply[DATAGRAM_SIZE]);

#endif
