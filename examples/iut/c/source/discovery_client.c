#include "discovery_client.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "unicode.h"

static const int64_t wait_for_response = INT64_C(15) * 1000000000; /* 3.1.2.1 */

void network_list_add(struct network_list *list, const char *address, bool remote_access)
{
    list->items = room_for_one(list->items, list->count, sizeof *list->items);
    list->items[list->count++] = (struct network){must_copy(address), remote_access};
}

void network_list_clear(struct network_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->items[i].address);
    free(list->items);
    *list = (struct network_list){0};
}

static void clear_directory_servers(struct name_list *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->items[i]);
    free(names->items);
    *names = (struct name_list){0};
}

static void clear_last_reply(struct discovery_client *client)
{
    free(client->last_topology_server_reply);
    client->last_topology_server_reply = NULL;
}

void discovery_client_clear(struct discovery_client *client)
{
    network_list_clear(&client->networks);
    network_list_clear(&client->network_address_list);
    clear_directory_servers(&client->directory_servers);
    guid_list_free(&client->connected_networks);
    free(client->last_successful_network_address);
    clear_last_reply(client);
    *client = (struct discovery_client){0};
}

void discovery_client_initialize(struct discovery_client *client, struct guid enterprise, struct guid site)
{
    discovery_client_clear(client);
    client->enterprise = enterprise;
    client->site = site;
}

static void complete(struct discovery_client *client, bool success, const struct client_output *output)
{
    client->searching = false;
    output->complete(output->context, success);
}

static void start_timer(struct discovery_client *client)
{
    client->wait_for_response_timer = wait_for_response;
}

static bool on_last_network(const struct discovery_client *client)
{
    return client->current_network_index == client->network_address_list.count;
}

static const char *current_network(const struct discovery_client *client)
{
    return client->network_address_list.items[client->current_network_index - 1].address;
}

/* Sending a TopologyClientRequest (3.1.5.1) */
static void send_request(struct discovery_client *client, const struct client_output *output)
{
    uint8_t datagram[REQUEST_SIZE];
    client->current_network_index++;
    clear_last_reply(client);
    start_timer(client);
    struct topology_client_request request = {client->enterprise, client->request_id, client->site};
    request_write(&request, datagram);
    output->send(output->context, current_network(client), datagram, sizeof datagram);
}

static bool any_remote_access(const struct network_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].remote_access)
            return true;
    return false;
}

void discovery_client_start(struct discovery_client *client, const struct client_output *output)
{
    struct network_list *list = &client->network_address_list;
    if (client->valid_last_successful_network_address && !any_remote_access(&client->networks)) {
        output->complete(output->context, true); /* this event; a search that is under way goes on */
        return;
    }
    network_list_clear(list); /* a network is searched once, however often the event is triggered */
    for (size_t i = 0; i < client->networks.count; i++)
        network_list_add(list, client->networks.items[i].address, client->networks.items[i].remote_access);
    client->request_id = guid_random();
    client->current_network_index = 0;
    client->topology_server_reply_received = false;
    client->searching = true;
    if (list->count > 0)
        send_request(client, output);
    else
        complete(client, false, output); /* there is nowhere to search */
}

/* Populate DirectoryServerList (3.1.7.1) */
static void populate_directory_server_list(struct discovery_client *client, const struct received_reply *reply)
{
    struct name_list *names = &client->directory_servers;
    const uint8_t *at = reply->directory_service_server_array, *end = at + reply->directory_service_server_size;
    clear_directory_servers(names);
    while (at + 6 <= end) { /* the shortest entry: two digits, a character of the name and what ends it */
        char *name = must_allocate((size_t)(end - at) * 2 + 1), *tail = name;
        for (at += 4; at < end && (at[0] | at[1] << 8) != ',' && (at[0] | at[1] << 8) != 0; at += 2) {
            uint32_t unit = at[0] | (uint32_t)at[1] << 8, low = at[2] | (uint32_t)at[3] << 8;
            bool pair = is_high_surrogate(unit) && is_low_surrogate(low);
            tail += utf8_put(tail, pair ? join_surrogates(unit, low) : unit);
            at += pair ? 2 : 0;
        }
        at += 2;
        *tail = 0;
        names->items = room_for_one(names->items, names->count, sizeof *names->items);
        names->items[names->count++] = must_resize(name, (size_t)(tail - name) + 1);
    }
}

/* Populate ConnectedNetworkIdentifierList (3.1.7.2) */
static void populate_connected_networks(struct discovery_client *client, const struct received_reply *reply)
{
    guid_list_free(&client->connected_networks);
    for (size_t i = 0; i < reply->connected_network_count; i++)
        guid_list_add(&client->connected_networks, guid_at(reply->connected_network_array + 16 * i));
}

/* Take over what LastTopologyServerReply says, nothing where it is empty, and complete the event. */
static void succeed(struct discovery_client *client, const struct client_output *output)
{
    struct received_reply last = {0};
    if (client->last_topology_server_reply)
        reply_read(&last, client->last_topology_server_reply, client->last_topology_server_reply_length);
    if (last.directory_service_server_size != 0)
        populate_directory_server_list(client, &last);
    populate_connected_networks(client, &last);
    complete(client, true, output);
}

static void remember_network(struct discovery_client *client, const char *network)
{
    free(client->last_successful_network_address);
    client->last_successful_network_address = must_copy(network);
    client->valid_last_successful_network_address = true;
}

static void remember_reply(struct discovery_client *client, const uint8_t *datagram, size_t length)
{
    clear_last_reply(client);
    client->last_topology_server_reply = memcpy(must_allocate(length), datagram, length);
    client->last_topology_server_reply_length = length;
    client->topology_server_reply_received = true;
}

void discovery_client_receive(struct discovery_client *client, const char *network, const uint8_t *datagram,
                              size_t length, const struct client_output *output)
{
    struct received_reply reply;
    if (!client->searching || strcmp(network, current_network(client)) != 0)
        return;
    if (!reply_read(&reply, datagram, length) || !guid_equal(&reply.correlation_id, &client->request_id))
        return;
    bool local = reply.directory_service_server_size == 0, last = on_last_network(client);
    if (local && !last) {
        remember_reply(client, datagram, length);
        remember_network(client, network);
        send_request(client, output);
    } else if (local) {
        remember_network(client, network);
        succeed(client, output);
    } else if (!client->last_topology_server_reply) { /* the first from another site: one of the own may follow */
        remember_reply(client, datagram, length);
        remember_network(client, network);
        start_timer(client);
    } else if (!last) {
        send_request(client, output);
    } else {
        remember_network(client, network);
        succeed(client, output);
    }
}

/* No Server Response (3.1.6.1) */
static void no_server_response(struct discovery_client *client, const struct client_output *output)
{
    if (!on_last_network(client)) {
        send_request(client, output);
    } else if (!client->last_topology_server_reply && !client->topology_server_reply_received) {
        client->valid_last_successful_network_address = false;
        complete(client, false, output);
    } else {
        succeed(client, output);
    }
}

void discovery_client_advance_clock(struct discovery_client *client, int64_t nanoseconds,
                                    const struct client_output *output)
{
    while (client->searching && nanoseconds >= client->wait_for_response_timer) {
        nanoseconds -= client->wait_for_response_timer;
        no_server_response(client, output);
    }
    if (client->searching)
        client->wait_for_response_timer -= nanoseconds;
}
