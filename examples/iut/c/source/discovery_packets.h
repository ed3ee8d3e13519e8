/* The two packets of MS-MQSD 13.0, section 2.2, as they travel over IP. */
#ifndef DISCOVERY_PACKETS_H
#define DISCOVERY_PACKETS_H

#include "guid.h"

enum {
    DATAGRAM_SIZE = 65536,       /* more than any UDP datagram holds */
    REQUEST_SIZE = 52,           /* TopologyClientRequest without the fields that only IPX has */
    REPLY_HEADER_SIZE = 32,      /* TopologyServerReply up to DirectoryServiceServerSize */
    CONNECTED_NETWORKS_MOST = 32 /* ConnectedNetworkCount is 1 to 32 */
};

/* TopologyClientRequest (2.2.2) */
struct topology_client_request {
    struct guid enterprise_id, request_id, site_id;
};

void request_write(const struct topology_client_request *request, uint8_t octets[REQUEST_SIZE]);

/* False for what is no TopologyClientRequest. */
bool request_read(struct topology_client_request *request, const uint8_t *octets, size_t length);

struct directory_server {
    char *name; /* UTF-8 */
    bool ip, ipx;
};

/* TopologyServerReply (2.2.3) of a server; servers is NULL in a reply to a client of the server's own site. */
struct topology_server_reply {
    struct guid correlation_id;
    const struct guid_list *connected_networks;
    struct guid responding_site_id;
    const struct directory_server *servers;
    size_t server_count;
};

/* Write a reply of at most DATAGRAM_SIZE octets and return its length; 0 where it does not fit. */
size_t reply_write(const struct topology_server_reply *reply, uint8_t octets[DATAGRAM_SIZE]);

/* TopologyServerReply (2.2.3) as a client finds it, with places in the datagram. */
struct received_reply {
    struct guid correlation_id;
    uint32_t connected_network_count, directory_service_server_size;
    const uint8_t *connected_network_array, *directory_service_server_array;
};

/* False for a datagram that is improperly formatted: one that breaks a rule of 2.2.3 for what is sent over IP. */
bool reply_read(struct received_reply *reply, const uint8_t *octets, size_t length);

struct guid guid_at(const uint8_t *octets);

#endif
