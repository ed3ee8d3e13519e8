/* The sending end of exactly-once in-order delivery: numbers, links and resends (MS-MQQB 3.1.7.1.3 and 3.1.6.5). */
#ifndef ORDERED_SENDER_H
#define ORDERED_SENDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct outgoing_message {
    char *name;
    uint64_t sequence; /* never changes */
};

struct outgoing_stream {
    char *name;
    uint64_t next_sequence;
    struct outgoing_message *queue; /* what is neither acknowledged nor discarded, in order */
    size_t count;
    bool timer_runs;
    int64_t resend_time; /* when the wait for the order acknowledgment ends, by the sender's clock */
    size_t resend_index; /* which interval of the schedule is waited for */
};

struct ordered_sender {
    struct outgoing_stream *streams;
    size_t count;
    int64_t now; /* nanoseconds */
};

/* Where transmitted messages go. */
typedef void transmit_message(void *context, const char *stream, const char *message, uint64_t sequence,
                              uint64_t previous);

void ordered_sender_clear(struct ordered_sender *sender);
struct outgoing_stream *ordered_sender_stream(struct ordered_sender *sender, const char *name);

/* Append a message to the queue and return its number. */
uint64_t ordered_sender_enqueue(struct outgoing_stream *stream, const char *message);

/* The number that the message at a place of the queue is linked to: zero for the first one. */
uint64_t ordered_sender_previous(const struct outgoing_stream *stream, size_t place);

/* (Re)transmit the whole queue. */
void ordered_sender_transmit(struct ordered_sender *sender, struct outgoing_stream *stream, void *context,
                             transmit_message *transmit);

void ordered_sender_order_ack(struct ordered_sender *sender, struct outgoing_stream *stream, uint64_t sequence);
void ordered_sender_discard(struct outgoing_stream *stream, const char *message);

/* A crash after which queue and numbers are found in the store again. */
void ordered_sender_restart(struct ordered_sender *sender);

/* Let time pass; what is sent again meanwhile is told, in order. */
void ordered_sender_advance_clock(struct ordered_sender *sender, int64_t nanoseconds, void *context,
                                  transmit_message *transmit);

#endif
