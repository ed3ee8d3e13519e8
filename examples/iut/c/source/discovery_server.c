#include "discovery_server.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

void discovery_server_clear(struct discovery_server *server)
{
    for (size_t i = 0; i < server->server_count; i++)
        free(server->servers[i].name);
    free(server->servers);
    guid_list_free(&server->connected_networks);
    *server = (struct discovery_server){0};
}

bool discovery_server_add(struct discovery_server *server, const char *name, bool ip, bool ipx)
{
    if (!*name || strchr(name, ','))
        return false;
    server->servers = room_for_one(server->servers, server->server_count, sizeof *server->servers);
    server->servers[server->server_count++] = (struct directory_server){must_copy(name), ip, ipx};
    return true;
}

size_t discovery_server_receive(const struct discovery_server *server, const uint8_t *datagram, size_t length,
                                uint8_t reply[DATAGRAM_SIZE])
{
    struct topology_client_request request;
    if (!request_read(&request, datagram, length)) /* the IPX fields of a longer one are not looked at */
        return 0;
    size_t networks = server->connected_networks.count;
    if (networks < 1 || networks > CONNECTED_NETWORKS_MOST)
        return 0; /* 2.2.3 has no reply that says so */
    /* A list without servers has size zero, and the site is left out together with it (2.2.3). */
    bool own_site = guid_equal(&request.site_id, &server->site) || server->server_count == 0;
    struct topology_server_reply made = {
        .correlation_id = request.request_id,
        .connected_networks = &server->connected_networks,
        .responding_site_id = server->site,
        .servers = own_site ? NULL : server->servers,
        .server_count = server->server_count,
    };
    return reply_write(&made, reply);
}
