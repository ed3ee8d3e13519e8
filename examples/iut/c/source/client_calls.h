/* What the discovery client shows of itself, in a result and on the last line of a search. */
#ifndef CLIENT_CALLS_H
#define CLIENT_CALLS_H

#include "discovery_client.h"
#include "text.h"

/* The members of an object: the keys of `discovery_client.state`. */
void write_client_state(struct text *text, const struct discovery_client *client);

/* An effect as an object; the context of both is the text into which they write. */
void write_send(void *context, const char *network, const uint8_t *datagram, size_t length);
void write_complete(void *context, bool success);

#endif
