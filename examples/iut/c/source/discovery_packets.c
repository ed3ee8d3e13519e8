#include "discovery_packets.h"

#include <string.h>

#include "unicode.h"

enum { CLIENT_REQUEST = 1, SERVER_REPLY = 2, GUID_SIZE = 16 };
enum { COMMA = ',', YES = '1', NO = '0', END = 0 };

static uint32_t little_endian_at(const uint8_t *octets)
{
    return octets[0] | (uint32_t)octets[1] << 8 | (uint32_t)octets[2] << 16 | (uint32_t)octets[3] << 24;
}

static void put_little_endian(uint8_t *octets, uint32_t value)
{
    for (int i = 0; i < 4; i++, value >>= 8)
        octets[i] = (uint8_t)value;
}

struct guid guid_at(const uint8_t *octets)
{
    struct guid guid;
    memcpy(guid.octets, octets, GUID_SIZE);
    return guid;
}

void request_write(const struct topology_client_request *request, uint8_t octets[REQUEST_SIZE])
{
    memset(octets, 0, REQUEST_SIZE);
    octets[1] = CLIENT_REQUEST;
    memcpy(octets + 4, request->enterprise_id.octets, GUID_SIZE);
    memcpy(octets + 20, request->request_id.octets, GUID_SIZE);
    memcpy(octets + 36, request->site_id.octets, GUID_SIZE);
}

bool request_read(struct topology_client_request *request, const uint8_t *octets, size_t length)
{
    if (length < REQUEST_SIZE || octets[1] != CLIENT_REQUEST)
        return false;
    request->enterprise_id = guid_at(octets + 4);
    request->request_id = guid_at(octets + 20);
    request->site_id = guid_at(octets + 36);
    return true;
}

struct writer {
    uint8_t *octets;
    size_t length;
    bool overflow;
};

static void put(struct writer *writer, const void *octets, size_t length)
{
    if (length > DATAGRAM_SIZE - writer->length) {
        writer->overflow = true;
        return;
    }
    memcpy(writer->octets + writer->length, octets, length);
    writer->length += length;
}

static void put_character(struct writer *writer, uint32_t code)
{
    uint16_t units[2];
    int count = utf16_units(code, units);
    for (int i = 0; i < count; i++)
        put(writer, (uint8_t[]){(uint8_t)units[i], (uint8_t)(units[i] >> 8)}, 2);
}

/* DirectoryServiceServerArray: entries with a comma between them and one null character at the end. */
static void put_servers(struct writer *writer, const struct directory_server *servers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            put_character(writer, COMMA);
        put_character(writer, servers[i].ip ? YES : NO);
        put_character(writer, servers[i].ipx ? YES : NO);
        for (const char *at = servers[i].name; *at;)
            put_character(writer, utf8_next(&at));
    }
    put_character(writer, END);
}

size_t reply_write(const struct topology_server_reply *reply, uint8_t octets[DATAGRAM_SIZE])
{
    struct writer writer = {.octets = octets, .length = REPLY_HEADER_SIZE};
    memset(octets, 0, REPLY_HEADER_SIZE); /* ConnectedNetworkMask stays zero over IP */
    octets[1] = SERVER_REPLY;
    memcpy(octets + 4, reply->correlation_id.octets, GUID_SIZE);
    put_little_endian(octets + 20, (uint32_t)reply->connected_networks->count);
    for (size_t i = 0; i < reply->connected_networks->count; i++)
        put(&writer, reply->connected_networks->items[i].octets, GUID_SIZE);
    if (reply->servers) {
        put(&writer, reply->responding_site_id.octets, GUID_SIZE);
        size_t before = writer.length;
        put_servers(&writer, reply->servers, reply->server_count);
        put_little_endian(octets + 28, (uint32_t)(writer.length - before));
    }
    return writer.overflow ? 0 : writer.length;
}

static uint32_t unit_at(const uint8_t *array, size_t index)
{
    return array[2 * index] | (uint32_t)array[2 * index + 1] << 8;
}

/* Whether an array follows its grammar: two digits and a name in each entry, a null character at the end alone. */
static bool servers_are_well_formed(const uint8_t *array, size_t size)
{
    size_t units = size / 2, entry = 0;
    if (size % 2 || unit_at(array, units - 1) != END)
        return false;
    for (size_t i = 0; i < units; i++) {
        uint32_t unit = unit_at(array, i);
        if (unit == COMMA || unit == END) {
            if (i - entry < 3 || (unit == END && i != units - 1))
                return false;
            entry = i + 1;
        } else if (i - entry < 2 && unit != YES && unit != NO) {
            return false;
        }
    }
    return true;
}

bool reply_read(struct received_reply *reply, const uint8_t *octets, size_t length)
{
    if (length < REPLY_HEADER_SIZE || octets[1] != SERVER_REPLY || little_endian_at(octets + 24) != 0)
        return false;
    size_t networks = little_endian_at(octets + 20), size = little_endian_at(octets + 28);
    if (networks < 1 || networks > CONNECTED_NETWORKS_MOST || size > length)
        return false;
    if (length != REPLY_HEADER_SIZE + networks * GUID_SIZE + (size ? GUID_SIZE + size : 0))
        return false;
    *reply = (struct received_reply){guid_at(octets + 4), (uint32_t)networks, (uint32_t)size,
                                     octets + REPLY_HEADER_SIZE, octets + length - size};
    return size == 0 || servers_are_well_formed(octets + length - size, size);
}
