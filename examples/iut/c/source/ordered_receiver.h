/* The receiving end of exactly-once in-order delivery: what it accepts and when it acknowledges (MS-MQQB 3.1.5.8.6). */
#ifndef ORDERED_RECEIVER_H
#define ORDERED_RECEIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct incoming_stream {
    char *name;
    uint64_t sequence_id;   /* of the sequence whose messages are accepted */
    uint64_t last_accepted; /* number of the last accepted message, zero in a new stream */
    bool timer_runs;
    int64_t order_ack_timer;     /* when it fires, by the receiver's clock */
    int64_t last_order_ack_time; /* when an acknowledgment went out last, at first when the stream began */
};

struct ordered_receiver {
    struct incoming_stream *streams;
    size_t count;
    int64_t now; /* nanoseconds */
};

void ordered_receiver_clear(struct ordered_receiver *receiver);

/* Whether a message is accepted; without an id of a sequence it belongs to the current one. */
bool ordered_receiver_receive(struct ordered_receiver *receiver, const char *stream, const uint64_t *sequence_id,
                              uint64_t sequence, uint64_t previous);

/* The number that an order acknowledgment would carry now. */
uint64_t ordered_receiver_order_ack(const struct ordered_receiver *receiver, const char *stream);

/* A crash after which the numbers are found in the store again: timers are lost, numbers are not. */
void ordered_receiver_restart(struct ordered_receiver *receiver);

/* Let time pass; each order acknowledgment that goes out meanwhile is told, in order. */
void ordered_receiver_advance_clock(struct ordered_receiver *receiver, int64_t nanoseconds, void *context,
                                    void (*acknowledge)(void *context, const char *stream, uint64_t sequence));

#endif
