/* The discovery client (MS-MQSD 3.1). It knows no sockets and no clock: datagrams and time come in, and what it does
   goes out through two functions. */
#ifndef DISCOVERY_CLIENT_H
#define DISCOVERY_CLIENT_H

#include "discovery_packets.h"

struct network {
    char *address;
    bool remote_access;
};

struct network_list {
    struct network *items;
    size_t count;
};

struct name_list {
    char **items;
    size_t count;
};

/* The abstract data model of 3.1.1. */
struct discovery_client {
    struct guid enterprise, site;
    struct network_list networks; /* to which the computer is connected */
    struct name_list directory_servers;
    struct guid_list connected_networks;

    struct guid request_id;
    char *last_successful_network_address;
    bool valid_last_successful_network_address;
    uint8_t *last_topology_server_reply; /* NULL where it is empty */
    size_t last_topology_server_reply_length;
    bool topology_server_reply_received;
    struct network_list network_address_list;
    size_t current_network_index; /* counted from 1 */

    bool searching;                  /* the event of 3.1.4.1 is not complete */
    int64_t wait_for_response_timer; /* nanoseconds until it fires */
};

/* Where it goes what the client does. */
struct client_output {
    void *context;
    void (*send)(void *context, const char *network, const uint8_t *datagram, size_t length);
    void (*complete)(void *context, bool success);
};

void discovery_client_clear(struct discovery_client *client);
void discovery_client_initialize(struct discovery_client *client, struct guid enterprise, struct guid site);

void network_list_add(struct network_list *list, const char *address, bool remote_access);
void network_list_clear(struct network_list *list);

/* Get Directory Server List (3.1.4.1) */
void discovery_client_start(struct discovery_client *client, const struct client_output *output);

/* Receiving a TopologyServerReply (3.1.5.2) on a network */
void discovery_client_receive(struct discovery_client *client, const char *network, const uint8_t *datagram,
                              size_t length, const struct client_output *output);

/* Let time pass: the Wait For Response Timer may fire, more than once (3.1.6.1). */
void discovery_client_advance_clock(struct discovery_client *client, int64_t nanoseconds,
                                    const struct client_output *output);

#endif
