#include "ordered_receiver.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

static const int64_t order_ack_timeout = 500 * INT64_C(1000000);
static const int64_t maximum_order_ack_delay = 10 * INT64_C(1000000000);

void ordered_receiver_clear(struct ordered_receiver *receiver)
{
    for (size_t i = 0; i < receiver->count; i++)
        free(receiver->streams[i].name);
    free(receiver->streams);
    receiver->streams = NULL;
    receiver->count = 0;
}

static struct incoming_stream *find(const struct ordered_receiver *receiver, const char *name)
{
    for (size_t i = 0; i < receiver->count; i++)
        if (strcmp(receiver->streams[i].name, name) == 0)
            return &receiver->streams[i];
    return NULL;
}

static struct incoming_stream *find_or_begin(struct ordered_receiver *receiver, const char *name)
{
    struct incoming_stream *stream = find(receiver, name);
    if (stream)
        return stream;
    receiver->streams = room_for_one(receiver->streams, receiver->count, sizeof *receiver->streams);
    stream = &receiver->streams[receiver->count++];
    *stream = (struct incoming_stream){.name = must_copy(name), .last_order_ack_time = receiver->now};
    return stream;
}

/* A message that arrives, accepted or not, is acknowledged 500 ms later; those that follow put that off, but not once
   the last acknowledgment is 10 s old. */
static void schedule_order_ack(const struct ordered_receiver *receiver, struct incoming_stream *stream)
{
    bool overdue = receiver->now - stream->last_order_ack_time >= maximum_order_ack_delay;
    if (stream->timer_runs && overdue)
        return;
    stream->timer_runs = true;
    stream->order_ack_timer = receiver->now + order_ack_timeout;
}

bool ordered_receiver_receive(struct ordered_receiver *receiver, const char *name, const uint64_t *sequence_id,
                              uint64_t sequence, uint64_t previous)
{
    struct incoming_stream *stream = find_or_begin(receiver, name);
    uint64_t id = sequence_id ? *sequence_id : stream->sequence_id;
    bool accepted = id == stream->sequence_id ? sequence > stream->last_accepted && previous <= stream->last_accepted
                                              : id > stream->sequence_id && previous == 0;
    schedule_order_ack(receiver, stream);
    if (accepted) {
        stream->sequence_id = id;
        stream->last_accepted = sequence;
    }
    return accepted;
}

uint64_t ordered_receiver_order_ack(const struct ordered_receiver *receiver, const char *name)
{
    const struct incoming_stream *stream = find(receiver, name);
    return stream ? stream->last_accepted : 0;
}

void ordered_receiver_restart(struct ordered_receiver *receiver)
{
    for (size_t i = 0; i < receiver->count; i++) {
        receiver->streams[i].timer_runs = false;
        receiver->streams[i].last_order_ack_time = receiver->now;
    }
}

static struct incoming_stream *next_to_acknowledge(const struct ordered_receiver *receiver)
{
    struct incoming_stream *next = NULL;
    for (size_t i = 0; i < receiver->count; i++) {
        struct incoming_stream *stream = &receiver->streams[i];
        if (stream->timer_runs && (!next || stream->order_ack_timer < next->order_ack_timer))
            next = stream;
    }
    return next;
}

void ordered_receiver_advance_clock(struct ordered_receiver *receiver, int64_t nanoseconds, void *context,
                                    void (*acknowledge)(void *context, const char *stream, uint64_t sequence))
{
    struct incoming_stream *stream;
    int64_t end = receiver->now + nanoseconds;
    while ((stream = next_to_acknowledge(receiver)) && stream->order_ack_timer <= end) {
        stream->timer_runs = false;
        stream->last_order_ack_time = stream->order_ack_timer;
        acknowledge(context, stream->name, stream->last_accepted);
    }
    receiver->now = end;
}
