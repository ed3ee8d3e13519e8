/* A discovery server of another house: MS-MQSD 3.2 in C over UDP, and nothing but that.
 *
 * discovery_server BEHAVIOUR SITE NETWORKS FLAGSNAME...
 *
 * SITE and NETWORKS are hexadecimal octets as they travel, FLAGSNAME is an entry of the list such as 10nt4pec. It
 * prints the port it has bound on 127.0.0.1 and serves until it is ended. BEHAVIOUR is "right", one that conforms
 * as well ("other-port", "rising-order"), or a fault. Nothing of it is taken from the reference model.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { REQUEST_ID = 20, SITE_ID = 36, PLAIN_REQUEST = 52, MAX = 65536 };

static const char *behaviour;
static unsigned char site[16], networks[32 * 16];
static size_t network_count;
static char **entries;
static int entry_count;

static int is(const char *what) { return strcmp(behaviour, what) == 0; }

static size_t from_hex(const char *text, unsigned char *octets, size_t room)
{
    size_t n = 0;
    unsigned int octet;
    while (n < room && sscanf(text + 2 * n, "%2x", &octet) == 1)
        octets[n++] = (unsigned char)octet;
    return n;
}

static unsigned char *put_integer(unsigned char *at, size_t value)
{
    for (int shift = 0; shift < 32; shift += 8)
        *at++ = (unsigned char)(value >> (is("big-endian") ? 24 - shift : shift));
    return at;
}

static unsigned char *put(unsigned char *at, const void *octets, size_t n)
{
    memcpy(at, octets, n);
    return at + n;
}

static unsigned char *put_characters(unsigned char *at, const char *text)
{
    for (; *text; text++) {
        *at++ = (unsigned char)*text;
        if (!is("one-octet-characters"))
            *at++ = 0;
    }
    return at;
}

static int by_octets(const void *one, const void *other) { return memcmp(one, other, 16); }

/* 2.2.3: DirectoryServiceServerArray */
static size_t list(unsigned char *array)
{
    unsigned char *at = array;
    for (int n = 0; n < entry_count; n++) {
        if (n)
            at = put_characters(at, is("semicolons") ? ";" : ",");
        at = put_characters(at, entries[n]);
    }
    *at++ = 0;
    *at++ = 0;
    return (size_t)(at - array);
}

/* 3.2.5.1; returns the length of the reply, 0 for none */
static size_t answer(const unsigned char *request, size_t length, unsigned char *reply)
{
    static unsigned char array[MAX];
    unsigned char *at = reply;
    if (length < PLAIN_REQUEST && is("dies-at-short"))
        abort();
    if (length < PLAIN_REQUEST || request[1] != 1 || (is("version-checked") && request[0] != 0))
        return 0;
    int foreign = memcmp(request + SITE_ID, site, is("half-a-site") ? 8 : 16) != 0;
    size_t size = foreign ? list(array) : 0;
    at = put(at, "\0\2\0\0", 4);
    at = put(at, is("id-of-site") ? request + SITE_ID : request + REQUEST_ID, 16);
    at = put_integer(at, network_count);
    at = put_integer(at, 0);
    at = put_integer(at, size);
    at = put(at, networks, 16 * network_count);
    if (foreign) {
        at = put(at, site, 16);
        at = put(at, array, size);
    }
    return (size_t)(at - reply);
}

static int open_port(struct sockaddr_in *address)
{
    socklen_t size = sizeof *address;
    int opened = socket(AF_INET, SOCK_DGRAM, 0);
    memset(address, 0, sizeof *address);
    address->sin_family = AF_INET;
    address->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (opened < 0 || bind(opened, (struct sockaddr *)address, size))
        exit(70);
    if (getsockname(opened, (struct sockaddr *)address, &size))
        exit(70);
    return opened;
}

int main(int argc, char **argv)
{
    static unsigned char request[MAX], reply[4 * MAX];
    struct sockaddr_in own, other, client, first = {0};
    if (argc < 5)
        return 64;
    behaviour = argv[1];
    from_hex(argv[2], site, sizeof site);
    network_count = from_hex(argv[3], networks, sizeof networks) / 16;
    entries = argv + 4;
    entry_count = argc - 4;
    if (is("rising-order"))
        qsort(networks, network_count, 16, by_octets);
    int listening = open_port(&own), talking = is("other-port") ? open_port(&other) : listening;
    printf("%d\n", ntohs(own.sin_port));
    fflush(stdout);
    for (;;) {
        socklen_t size = sizeof client;
        ssize_t length = recvfrom(listening, request, sizeof request, 0, (struct sockaddr *)&client, &size);
        if (length < 0)
            continue;
        size_t octets = answer(request, (size_t)length, reply);
        if (!octets)
            continue;
        if (is("to-first-client") && !first.sin_port)
            first = client;
        if (is("to-first-client"))
            client = first;
        for (int times = is("twice") ? 2 : 1; times; times--)
            sendto(talking, reply, octets, 0, (struct sockaddr *)&client, size);
    }
}
