#include "udp_server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void close_socket(struct udp_server *server)
{
    if (server->socket != NO_SOCKET)
        close(server->socket);
    server->socket = NO_SOCKET;
}

void udp_server_clear(struct udp_server *server)
{
    close_socket(server);
    discovery_server_clear(&server->discovery);
    *server = (struct udp_server){0};
}

static bool open_socket(struct udp_server *server)
{
    struct sockaddr_in here = {.sin_family = AF_INET, .sin_port = htons(server->port)};
    socklen_t size = sizeof here;
    here.sin_addr.s_addr = server->address;
    server->socket = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (server->socket < 0 || bind(server->socket, (struct sockaddr *)&here, sizeof here) < 0 ||
        getsockname(server->socket, (struct sockaddr *)&here, &size) < 0) {
        int error = errno;
        if (server->socket < 0)
            server->socket = NO_SOCKET;
        close_socket(server);
        errno = error;
        return false;
    }
    server->port = ntohs(here.sin_port); /* opened anew, it is the same one */
    return true;
}

const char *udp_server_listen(struct udp_server *server, const char *host, uint16_t port)
{
    struct in_addr address;
    if (inet_pton(AF_INET, strcmp(host, "localhost") == 0 ? "127.0.0.1" : host, &address) != 1)
        return "no IPv4 address";
    close_socket(server);
    server->address = address.s_addr;
    server->port = port;
    if (!open_socket(server))
        return strerror(errno);
    server->listening = true;
    server->sockets_opened++;
    return NULL;
}

uint16_t udp_server_port(const struct udp_server *server)
{
    return server->port;
}

/* After a network error in sending: close the socket and open it again, or stop where that cannot be done. */
static void reopen(struct udp_server *server)
{
    bool real = server->socket != NO_SOCKET;
    close_socket(server);
    server->listening = !server->fail_next_open && (!real || open_socket(server));
    server->sockets_opened += server->listening;
    server->fail_next_open = false;
}

/* Whether this send meets the network error that the harness has asked for. */
static bool send_fails(struct udp_server *server)
{
    bool fails = server->fail_next_send;
    server->fail_next_send = false;
    return fails;
}

size_t udp_server_answer(struct udp_server *server, const uint8_t *datagram, size_t length,
                         uint8_t reply[DATAGRAM_SIZE])
{
    size_t replied = server->listening ? discovery_server_receive(&server->discovery, datagram, length, reply) : 0;
    if (replied == 0 || !send_fails(server))
        return replied;
    reopen(server);
    return 0;
}

void udp_server_serve(struct udp_server *server)
{
    static uint8_t datagram[DATAGRAM_SIZE], reply[DATAGRAM_SIZE];
    struct sockaddr_in sender;
    socklen_t size = sizeof sender;
    ssize_t length =
        recvfrom(server->socket, datagram, sizeof datagram, MSG_DONTWAIT, (struct sockaddr *)&sender, &size);
    if (length < 0)
        return; /* it was taken back, or an earlier reply found nobody */
    size_t replied = discovery_server_receive(&server->discovery, datagram, (size_t)length, reply);
    if (replied == 0)
        return;
    if (send_fails(server) || sendto(server->socket, reply, replied, 0, (struct sockaddr *)&sender, size) < 0)
        reopen(server);
}
