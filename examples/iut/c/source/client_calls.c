/* The methods of the role discovery_client. */
#include "client_calls.h"

#include "iut.h"

void write_send(void *context, const char *network, const uint8_t *datagram, size_t length)
{
    text_comma(context);
    text_add(context, "{\"send\":{\"network\":");
    text_string(context, network);
    text_add(context, ",\"datagram\":");
    text_hex(context, datagram, length);
    text_add(context, "}}");
}

void write_complete(void *context, bool success)
{
    text_comma(context);
    text_add(context, "{\"complete\":{\"result\":\"%s\"}}", success ? "success" : "failure");
}

void write_client_state(struct text *text, const struct discovery_client *client)
{
    text_add(text, "\"directory_servers\":[");
    for (size_t i = 0; i < client->directory_servers.count; i++) {
        text_comma(text);
        text_string(text, client->directory_servers.items[i]);
    }
    text_add(text, "],\"connected_networks\":[");
    for (size_t i = 0; i < client->connected_networks.count; i++) {
        text_comma(text);
        write_guid(text, &client->connected_networks.items[i]);
    }
    bool valid = client->valid_last_successful_network_address;
    text_add(text, "],\"valid_last_successful_network_address\":%s", valid ? "true" : "false");
    if (client->last_successful_network_address) {
        text_add(text, ",\"last_successful_network_address\":");
        text_string(text, client->last_successful_network_address);
    }
    text_add(text, ",\"request_id\":");
    write_guid(text, &client->request_id);
    text_add(text, ",\"current_network_index\":%zu", client->current_network_index);
}

static bool take_networks(struct call *call)
{
    struct network_list *networks = &call->iut->client.networks;
    const struct json *array;
    if (!take_array(call, call->params, "networks", &array))
        return false;
    network_list_clear(networks);
    for (const struct json *item = array->first; item; item = item->next) {
        const char *address;
        bool remote_access = false;
        if (!take_text(call, item, "address", &address))
            return false;
        if (json_member(item, "remote_access") && !take_boolean(call, item, "remote_access", &remote_access))
            return false;
        network_list_add(networks, address, remote_access);
    }
    return true;
}

static bool configure(struct call *call)
{
    struct guid enterprise, site;
    if (!take_guid(call, call->params, "enterprise", &enterprise) || !take_guid(call, call->params, "site", &site))
        return false;
    discovery_client_initialize(&call->iut->client, enterprise, site);
    return take_networks(call);
}

static struct client_output effects_of(struct call *call)
{
    text_add(call->result, "\"effects\":[");
    return (struct client_output){call->result, write_send, write_complete};
}

static bool start(struct call *call)
{
    struct client_output output = effects_of(call);
    discovery_client_start(&call->iut->client, &output);
    text_add(call->result, "]");
    return true;
}

static bool receive(struct call *call)
{
    static uint8_t datagram[DATAGRAM_SIZE];
    const char *network;
    size_t length;
    if (!take_text(call, call->params, "network", &network) ||
        !take_datagram(call, datagram, sizeof datagram - 1, &length))
        return false;
    struct client_output output = effects_of(call);
    discovery_client_receive(&call->iut->client, network, datagram, length, &output);
    text_add(call->result, "]");
    return true;
}

static bool advance_clock(struct call *call)
{
    int64_t nanoseconds;
    if (!take_seconds(call, &nanoseconds))
        return false;
    struct client_output output = effects_of(call);
    discovery_client_advance_clock(&call->iut->client, nanoseconds, &output);
    text_add(call->result, "]");
    return true;
}

static bool state(struct call *call)
{
    write_client_state(call->result, &call->iut->client);
    return true;
}

const struct method client_methods[] = {
    {"discovery_client.configure",       configure    },
    {"discovery_client.change_networks", take_networks},
    {"discovery_client.start",           start        },
    {"discovery_client.receive",         receive      },
    {"discovery_client.advance_clock",   advance_clock},
    {"discovery_client.state",           state        },
    {NULL,                               NULL         },
};
