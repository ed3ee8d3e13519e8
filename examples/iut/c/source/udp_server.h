/* The discovery server on a socket (MS-MQSD 3.2.5): what a network error does to it, and how it starts anew. */
#ifndef UDP_SERVER_H
#define UDP_SERVER_H

#include "discovery_server.h"

enum { NO_SOCKET = 0 };

struct udp_server {
    struct discovery_server discovery;
    int socket; /* NO_SOCKET while the server is driven by calls alone */
    uint32_t address;
    uint16_t port;
    bool listening;
    unsigned sockets_opened;
    bool fail_next_send, fail_next_open; /* what the harness wants to see */
};

void udp_server_clear(struct udp_server *server);

/* Serve UDP there; NULL, or what speaks against it. Port 0 is any that is free. */
const char *udp_server_listen(struct udp_server *server, const char *host, uint16_t port);
uint16_t udp_server_port(const struct udp_server *server);

/* Answer one datagram that came by a call; 0 where no reply goes out. */
size_t udp_server_answer(struct udp_server *server, const uint8_t *datagram, size_t length,
                         uint8_t reply[DATAGRAM_SIZE]);

/* Take one datagram from the socket, which has one, and answer it. */
void udp_server_serve(struct udp_server *server);

#endif
