/* The implementation that is driven by calls, and the methods by which. Put your own in place of ours here. */
#ifndef IUT_H
#define IUT_H

#include "call.h"
#include "discovery_client.h"
#include "ordered_receiver.h"
#include "ordered_sender.h"
#include "router.h"
#include "transaction.h"
#include "udp_server.h"

struct iut {
    struct router router;
    struct udp_server server;
    struct discovery_client client;
    struct ordered_receiver receiver;
    struct ordered_sender sender;
    struct transactional_sender transactions;
    bool over; /* after `shutdown` */
};

/* As freshly started. */
void iut_reset(struct iut *iut);

struct method {
    const char *name; /* NULL after the last one of a table */
    operation *perform;
};

extern const struct method common_methods[], router_methods[], server_methods[], client_methods[], delivery_methods[],
    transaction_methods[];

#endif
