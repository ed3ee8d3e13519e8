#ifndef MQSAMPLE_H
#define MQSAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HEX "0123456789abcdefABCDEF"

/* JSON in ASCII, as the harness writes it: a value is a pointer to its first character in a line that is valid. */

bool json_valid(const char *line, size_t length); /* one value, at most 64 levels deep */
const char *json_end(const char *at, int depth);  /* the character after a value, NULL where there is no value */
const char *json_first(const char *array);        /* NULL for an empty array, and for no array */
const char *json_next(const char *element);       /* NULL after the last */
const char *json_member(const char *object, const char *name);

/* Copy a string of ASCII characters; false for any other value, and where the room is too small. */
bool json_ascii(const char *string, char *text, size_t room);

/* The discovery server of MS-MQSD 3.2 without its socket. */

enum {
    GUID_SIZE = 16,
    NAME_MOST = 2048,
    NETWORKS_MOST = 32,    /* ConnectedNetworkCount is 1 to 32 (2.2.3) */
    DATAGRAM_SIZE = 65507, /* what a UDP datagram holds */
    LIST_MOST = 64000      /* octets of DirectoryServiceServerArray that always fit into one */
};

struct discovery_server {
    uint8_t site[GUID_SIZE], networks[NETWORKS_MOST * GUID_SIZE], list[LIST_MOST];
    size_t network_count, list_size; /* the list has a 0 at its end, and size 0 without servers */
};

/* Read 8-4-4-4-12 into the octets that packets have: the first three fields with their lowest octet first. */
bool guid_read(uint8_t guid[GUID_SIZE], const char *text);

/* Both are false for what a reply cannot hold; names are ASCII. */
bool add_network(struct discovery_server *server, const char *guid);
bool add_directory_server(struct discovery_server *server, const char *name, bool ip, bool ipx);

/* Answer a TopologyClientRequest (3.2.5.1): the length of the reply, 0 to stay silent. */
size_t receive_request(const struct discovery_server *server, const uint8_t *datagram, size_t length,
                       uint8_t reply[DATAGRAM_SIZE]);

#endif
