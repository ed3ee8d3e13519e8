#include "udp_client.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "client_calls.h"
#include "memory.h"

struct search {
    struct discovery_client client;
    const struct udp_network *networks;
    struct pollfd *sockets; /* one for each network */
    size_t count;
    uint16_t port;
    bool directed;
    int64_t asked; /* the time up to which the client knows it */
    bool over, success;
};

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

/* A socket bound to this computer's address on a network: it broadcasts there, and replies come to it. */
static int open_socket(const struct udp_network *network)
{
    struct sockaddr_in here = {.sin_family = AF_INET};
    int yes = 1;
    if (inet_pton(AF_INET, network->address, &here.sin_addr) != 1) {
        errno = EINVAL;
        return -1;
    }
    int opened = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (opened >= 0 && setsockopt(opened, SOL_SOCKET, SO_BROADCAST, &yes, sizeof yes) == 0 &&
        bind(opened, (struct sockaddr *)&here, sizeof here) == 0)
        return opened;
    int error = errno;
    if (opened >= 0)
        close(opened);
    errno = error;
    return -1;
}

static struct sockaddr_in broadcast_address(const struct search *search, const struct udp_network *network)
{
    struct sockaddr_in everybody = {.sin_family = AF_INET, .sin_port = htons(search->port)};
    everybody.sin_addr.s_addr = htonl(INADDR_BROADCAST);
    if (search->directed && network->prefix > 0) {
        struct in_addr own;
        inet_pton(AF_INET, network->address, &own);
        everybody.sin_addr.s_addr = own.s_addr | htonl((uint32_t)(UINT64_C(0xFFFFFFFF) >> network->prefix));
    }
    return everybody;
}

static void print(void (*write)(struct text *text, const void *context), const void *context)
{
    struct text line = {0};
    write(&line, context);
    puts(line.characters);
    fflush(stdout);
    text_free(&line);
}

struct sending {
    const char *network;
    const uint8_t *datagram;
    size_t length;
};

static void write_sending(struct text *text, const void *context)
{
    const struct sending *sending = context;
    write_send(text, sending->network, sending->datagram, sending->length);
}

static void send_on(void *context, const char *network, const uint8_t *datagram, size_t length)
{
    struct search *search = context;
    for (size_t i = 0; i < search->count; i++)
        if (strcmp(search->networks[i].address, network) == 0) {
            struct sockaddr_in there = broadcast_address(search, &search->networks[i]);
            if (sendto(search->sockets[i].fd, datagram, length, 0, (struct sockaddr *)&there, sizeof there) < 0)
                fprintf(stderr, "mqsample: cannot broadcast from %s: %s\n", network, strerror(errno));
            break;
        }
    print(write_sending, &(struct sending){network, datagram, length});
}

static void write_end(struct text *text, const void *context)
{
    write_complete(text, *(const bool *)context);
}

static void end_search(void *context, bool success)
{
    struct search *search = context;
    search->over = true;
    search->success = success;
    print(write_end, &success);
}

static void write_outcome(struct text *text, const void *context)
{
    const struct search *search = context;
    text_add(text, "{\"result\":\"%s\",", search->success ? "success" : "failure");
    write_client_state(text, &search->client);
    text_add(text, "}");
}

/* Tell the client what time it is. */
static void let_time_pass(struct search *search, const struct client_output *output)
{
    int64_t time = now();
    discovery_client_advance_clock(&search->client, time - search->asked, output);
    search->asked = time;
}

/* Hand over the datagrams that have come. */
static void receive(struct search *search, const struct client_output *output)
{
    static uint8_t datagram[DATAGRAM_SIZE];
    for (size_t i = 0; i < search->count; i++) {
        if (!search->sockets[i].revents)
            continue;
        ssize_t length = recv(search->sockets[i].fd, datagram, sizeof datagram, MSG_DONTWAIT);
        if (length >= 0)
            discovery_client_receive(&search->client, search->networks[i].address, datagram, (size_t)length, output);
    }
}

static void run(struct search *search)
{
    struct client_output output = {search, send_on, end_search};
    search->asked = now();
    discovery_client_start(&search->client, &output);
    while (!search->over) {
        int64_t left = search->client.wait_for_response_timer - (now() - search->asked);
        int milliseconds = left > 0 ? (int)((left + 999999) / 1000000) : 0;
        int ready = poll(search->sockets, search->count, milliseconds);
        let_time_pass(search, &output); /* what is due comes before what has just come */
        if (ready > 0)
            receive(search, &output);
    }
    print(write_outcome, search);
}

int udp_client_search(struct guid enterprise, struct guid site, const struct udp_network *networks, size_t count,
                      uint16_t port, bool directed)
{
    struct search search = {.networks = networks, .count = count, .port = port, .directed = directed};
    int status = 0;
    discovery_client_initialize(&search.client, enterprise, site);
    search.sockets = must_allocate(count * sizeof *search.sockets);
    for (size_t i = 0; i < count; i++) {
        search.sockets[i] = (struct pollfd){.fd = open_socket(&networks[i]), .events = POLLIN};
        network_list_add(&search.client.networks, networks[i].address, false);
        if (search.sockets[i].fd < 0) {
            fprintf(stderr, "mqsample: --network %s: %s\n", networks[i].address, strerror(errno));
            status = 4;
        }
    }
    if (status == 0) {
        run(&search);
        status = search.success ? 0 : 1;
    }
    for (size_t i = 0; i < count; i++)
        if (search.sockets[i].fd >= 0)
            close(search.sockets[i].fd);
    free(search.sockets);
    discovery_client_clear(&search.client);
    return status;
}
