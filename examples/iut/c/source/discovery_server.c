#include "mqsample.h"

#include <stdio.h>
#include <string.h>

enum { CLIENT_REQUEST = 1, SERVER_REPLY = 2, REQUEST_SIZE = 52, REPLY_HEADER_SIZE = 32 };

bool guid_read(uint8_t guid[GUID_SIZE], const char *text)
{
    static const uint8_t digits[GUID_SIZE] = {6, 4, 2, 0, 11, 9, 16, 14, 19, 21, 24, 26, 28, 30, 32, 34};
    if (strlen(text) != 36 || text[8] != '-' || text[13] != '-' || text[18] != '-' || text[23] != '-')
        return false;
    for (int i = 0; i < GUID_SIZE; i++)
        if (strspn(text + digits[i], HEX) < 2 || sscanf(text + digits[i], "%2hhx", guid + i) != 1)
            return false;
    return true;
}

bool add_network(struct discovery_server *server, const char *guid)
{
    size_t count = server->network_count;
    bool added = count < NETWORKS_MOST && guid_read(server->networks + count * GUID_SIZE, guid);
    server->network_count += added;
    return added;
}

static void put(struct discovery_server *server, char character)
{
    server->list[server->list_size++] = (uint8_t)character;
    server->list[server->list_size++] = 0;
}

bool add_directory_server(struct discovery_server *server, const char *name, bool ip, bool ipx)
{
    size_t length = strlen(name);
    if (length == 0 || server->list_size + 2 * (length + 3) > LIST_MOST || strchr(name, ','))
        return false;
    if (server->list_size) {
        server->list_size -= 2; /* a comma in place of the 0 */
        put(server, ',');
    }
    put(server, ip ? '1' : '0');
    put(server, ipx ? '1' : '0');
    for (size_t i = 0; i <= length; i++)
        put(server, name[i]);
    return true;
}

size_t receive_request(const struct discovery_server *server, const uint8_t *datagram, size_t length,
                       uint8_t reply[DATAGRAM_SIZE])
{
    if (length < REQUEST_SIZE || datagram[1] != CLIENT_REQUEST || server->network_count == 0)
        return 0; /* Version, Reserved and what follows SiteID are not looked at */
    bool own_site = memcmp(datagram + 36, server->site, GUID_SIZE) == 0;
    size_t size = own_site ? 0 : server->list_size, networks = server->network_count * GUID_SIZE;
    uint8_t *end = reply + REPLY_HEADER_SIZE + networks;
    memset(reply, 0, REPLY_HEADER_SIZE); /* ConnectedNetworkMask stays zero over IP */
    reply[1] = SERVER_REPLY;
    memcpy(reply + 4, datagram + 20, GUID_SIZE); /* CorrelationID is RequestID */
    reply[20] = (uint8_t)server->network_count;
    reply[28] = (uint8_t)size; /* as the count: four octets, the lowest first, and the two highest are 0 */
    reply[29] = (uint8_t)(size >> 8);
    memcpy(reply + REPLY_HEADER_SIZE, server->networks, networks);
    if (size) { /* RespondingSiteID is left out together with the list */
        memcpy(end, server->site, GUID_SIZE);
        memcpy(end + GUID_SIZE, server->list, size);
        end += GUID_SIZE + size;
    }
    return (size_t)(end - reply);
}
