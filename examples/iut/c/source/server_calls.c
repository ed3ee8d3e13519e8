/* The methods of the role discovery_server. */
#include "iut.h"

#include <string.h>

static bool configure(struct call *call)
{
    struct udp_server *server = &call->iut->server;
    const struct json *servers;
    udp_server_clear(server);
    if (!take_guid(call, call->params, "enterprise", &server->discovery.enterprise) ||
        !take_guid(call, call->params, "site", &server->discovery.site) ||
        !take_guids(call, call->params, "connected_networks", true, &server->discovery.connected_networks) ||
        !take_array(call, call->params, "directory_servers", &servers))
        return false;
    for (const struct json *item = servers->first; item; item = item->next) {
        const char *name;
        bool ip, ipx;
        if (!take_text(call, item, "name", &name) || !take_boolean(call, item, "ip", &ip) ||
            !take_boolean(call, item, "ipx", &ipx))
            return false;
        discovery_server_add(&server->discovery, name, ip, ipx); /* one with an impossible name is left out */
    }
    server->listening = true;
    server->sockets_opened = 1;
    return true;
}

static bool receive(struct call *call)
{
    static uint8_t datagram[DATAGRAM_SIZE], reply[DATAGRAM_SIZE];
    const char *network;
    size_t length;
    if (!take_text(call, call->params, "network", &network) ||
        !take_datagram(call, datagram, sizeof datagram - 1, &length))
        return false;
    if (strcmp(network, "ip") != 0)
        return call_fails(call, METHOD_NOT_FOUND, "network: only IP is offered");
    size_t replied = udp_server_answer(&call->iut->server, datagram, length, reply);
    text_add(call->result, "\"replies\":[");
    if (replied)
        text_hex(call->result, reply, replied);
    text_add(call->result, "]");
    return true;
}

static bool listen_there(struct call *call)
{
    struct udp_server *server = &call->iut->server;
    const char *host;
    uint64_t port;
    if (!take_text(call, call->params, "host", &host) || !take_natural(call, call->params, "port", 65535, &port))
        return false;
    const char *complaint = udp_server_listen(server, host, (uint16_t)port);
    if (complaint)
        return call_fails(call, INVALID_PARAMS, "host: cannot listen there: %s", complaint);
    text_add(call->result, "\"host\":");
    text_string(call->result, host);
    text_add(call->result, ",\"port\":%d", udp_server_port(server));
    return true;
}

static bool fail_next_send(struct call *call)
{
    call->iut->server.fail_next_send = true;
    return true;
}

static bool fail_next_open(struct call *call)
{
    call->iut->server.fail_next_open = true;
    return true;
}

static bool state(struct call *call)
{
    text_add(call->result, "\"listening\":%s,\"sockets_opened\":%u", call->iut->server.listening ? "true" : "false",
             call->iut->server.sockets_opened);
    return true;
}

const struct method server_methods[] = {
    {"discovery_server.configure",      configure     },
    {"discovery_server.receive",        receive       },
    {"discovery_server.listen",         listen_there  },
    {"discovery_server.fail_next_send", fail_next_send},
    {"discovery_server.fail_next_open", fail_next_open},
    {"discovery_server.state",          state         },
    {NULL,                              NULL          },
};
