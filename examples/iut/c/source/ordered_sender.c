#include "ordered_sender.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

/* How long to wait for an order acknowledgment, in seconds, each time in vain. */
static const int64_t resend_schedule[] = {30, 30, 30, 300, 300, 300, 1800, 1800, 1800, 21600};
enum { LAST_INTERVAL = sizeof resend_schedule / sizeof *resend_schedule - 1 };

void ordered_sender_clear(struct ordered_sender *sender)
{
    for (size_t i = 0; i < sender->count; i++) {
        for (size_t j = 0; j < sender->streams[i].count; j++)
            free(sender->streams[i].queue[j].name);
        free(sender->streams[i].queue);
        free(sender->streams[i].name);
    }
    free(sender->streams);
    *sender = (struct ordered_sender){0};
}

struct outgoing_stream *ordered_sender_stream(struct ordered_sender *sender, const char *name)
{
    for (size_t i = 0; i < sender->count; i++)
        if (strcmp(sender->streams[i].name, name) == 0)
            return &sender->streams[i];
    sender->streams = room_for_one(sender->streams, sender->count, sizeof *sender->streams);
    struct outgoing_stream *stream = &sender->streams[sender->count++];
    *stream = (struct outgoing_stream){.name = must_copy(name), .next_sequence = 1};
    return stream;
}

uint64_t ordered_sender_enqueue(struct outgoing_stream *stream, const char *message)
{
    stream->queue = room_for_one(stream->queue, stream->count, sizeof *stream->queue);
    stream->queue[stream->count++] = (struct outgoing_message){must_copy(message), stream->next_sequence};
    return stream->next_sequence++;
}

uint64_t ordered_sender_previous(const struct outgoing_stream *stream, size_t place)
{
    return place > 0 ? stream->queue[place - 1].sequence : 0;
}

static void start_timer(struct outgoing_stream *stream, int64_t now)
{
    stream->timer_runs = true;
    stream->resend_time = now + resend_schedule[stream->resend_index] * INT64_C(1000000000);
}

static void transmit_queue(const struct outgoing_stream *stream, void *context, transmit_message *transmit)
{
    for (size_t i = 0; i < stream->count; i++) {
        uint64_t previous = ordered_sender_previous(stream, i);
        transmit(context, stream->name, stream->queue[i].name, stream->queue[i].sequence, previous);
    }
}

void ordered_sender_transmit(struct ordered_sender *sender, struct outgoing_stream *stream, void *context,
                             transmit_message *transmit)
{
    transmit_queue(stream, context, transmit);
    if (stream->count > 0 && !stream->timer_runs)
        start_timer(stream, sender->now);
}

/* Take a message out of the queue: the next one is linked to the one before it. */
static void take_out(struct outgoing_stream *stream, size_t place)
{
    free(stream->queue[place].name);
    stream->count--;
    memmove(&stream->queue[place], &stream->queue[place + 1], (stream->count - place) * sizeof *stream->queue);
    if (stream->count == 0) {
        stream->timer_runs = false;
        stream->resend_index = 0;
    }
}

void ordered_sender_order_ack(struct ordered_sender *sender, struct outgoing_stream *stream, uint64_t sequence)
{
    size_t before = stream->count;
    while (stream->count > 0 && stream->queue[0].sequence <= sequence)
        take_out(stream, 0);
    if (stream->count < before && stream->timer_runs)
        start_timer(stream, sender->now);
}

void ordered_sender_discard(struct outgoing_stream *stream, const char *message)
{
    for (size_t i = 0; i < stream->count; i++)
        if (strcmp(stream->queue[i].name, message) == 0) {
            take_out(stream, i);
            return;
        }
}

void ordered_sender_restart(struct ordered_sender *sender)
{
    for (size_t i = 0; i < sender->count; i++) {
        struct outgoing_stream *stream = &sender->streams[i];
        stream->resend_index = 0;
        if (stream->timer_runs)
            start_timer(stream, sender->now);
    }
}

static struct outgoing_stream *next_to_resend(const struct ordered_sender *sender)
{
    struct outgoing_stream *next = NULL;
    for (size_t i = 0; i < sender->count; i++) {
        struct outgoing_stream *stream = &sender->streams[i];
        if (stream->timer_runs && (!next || stream->resend_time < next->resend_time))
            next = stream;
    }
    return next;
}

void ordered_sender_advance_clock(struct ordered_sender *sender, int64_t nanoseconds, void *context,
                                  transmit_message *transmit)
{
    struct outgoing_stream *stream;
    int64_t end = sender->now + nanoseconds;
    while ((stream = next_to_resend(sender)) && stream->resend_time <= end) {
        transmit_queue(stream, context, transmit);
        stream->resend_index += stream->resend_index < LAST_INTERVAL;
        start_timer(stream, stream->resend_time);
    }
    sender->now = end;
}
