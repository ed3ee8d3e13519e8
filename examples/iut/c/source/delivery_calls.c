/* The methods of the roles ordered_receiver and ordered_sender. */
#include <inttypes.h>

#include "iut.h"

static const uint64_t most_sequence = UINT32_MAX; /* MS-MQMQ 2.2.20.5 */

static bool accept(struct call *call, const char *stream, const uint64_t *sequence_id)
{
    uint64_t sequence, previous;
    if (!take_natural(call, call->params, "sequence", most_sequence, &sequence) ||
        !take_natural(call, call->params, "previous", most_sequence, &previous))
        return false;
    bool accepted = ordered_receiver_receive(&call->iut->receiver, stream, sequence_id, sequence, previous);
    text_add(call->result, "\"accepted\":%s", accepted ? "true" : "false");
    return true;
}

static bool receive(struct call *call)
{
    const char *stream;
    return take_key(call, "stream", &stream) && accept(call, stream, NULL);
}

static bool receive_in_sequence(struct call *call)
{
    const char *stream;
    uint64_t id;
    return take_key(call, "stream", &stream) && take_natural(call, call->params, "sequence_id", UINT64_MAX, &id) &&
           accept(call, stream, &id);
}

static bool receiver_order_ack(struct call *call)
{
    const char *stream;
    if (!take_key(call, "stream", &stream))
        return false;
    uint64_t sequence = ordered_receiver_order_ack(&call->iut->receiver, stream);
    text_add(call->result, "\"sequence\":%" PRIu64, sequence);
    return true;
}

static bool lose_state(struct call *call)
{
    ordered_receiver_clear(&call->iut->receiver);
    return true;
}

static bool receiver_restart(struct call *call)
{
    ordered_receiver_restart(&call->iut->receiver);
    return true;
}

static void write_order_ack(void *context, const char *stream, uint64_t sequence)
{
    text_comma(context);
    text_add(context, "{\"stream\":%s,\"sequence\":%" PRIu64 "}", stream, sequence);
}

static bool receiver_advance_clock(struct call *call)
{
    int64_t nanoseconds;
    if (!take_seconds(call, &nanoseconds))
        return false;
    text_add(call->result, "\"order_acks\":[");
    ordered_receiver_advance_clock(&call->iut->receiver, nanoseconds, call->result, write_order_ack);
    text_add(call->result, "]");
    return true;
}

static bool take_stream(struct call *call, struct outgoing_stream **stream)
{
    const char *name;
    if (!take_key(call, "stream", &name))
        return false;
    *stream = ordered_sender_stream(&call->iut->sender, name);
    return true;
}

static bool enqueue(struct call *call)
{
    struct outgoing_stream *stream;
    const char *message;
    if (!take_stream(call, &stream) || !take_key(call, "message", &message))
        return false;
    uint64_t sequence = ordered_sender_enqueue(stream, message);
    uint64_t previous = ordered_sender_previous(stream, stream->count - 1);
    text_add(call->result, "\"sequence\":%" PRIu64 ",\"previous\":%" PRIu64, sequence, previous);
    return true;
}

static void write_message(void *context, const char *stream, const char *message, uint64_t sequence, uint64_t previous)
{
    text_comma(context);
    text_add(context, "{\"stream\":%s,\"message\":%s,\"sequence\":%" PRIu64 ",\"previous\":%" PRIu64 "}", stream,
             message, sequence, previous);
}

static bool transmit(struct call *call)
{
    struct outgoing_stream *stream;
    if (!take_stream(call, &stream))
        return false;
    text_add(call->result, "\"messages\":[");
    ordered_sender_transmit(&call->iut->sender, stream, call->result, write_message);
    text_add(call->result, "]");
    return true;
}

static bool sender_order_ack(struct call *call)
{
    struct outgoing_stream *stream;
    uint64_t sequence;
    if (!take_stream(call, &stream) || !take_natural(call, call->params, "sequence", most_sequence, &sequence))
        return false;
    ordered_sender_order_ack(&call->iut->sender, stream, sequence);
    return true;
}

static bool discard(struct call *call)
{
    struct outgoing_stream *stream;
    const char *message;
    if (!take_stream(call, &stream) || !take_key(call, "message", &message))
        return false;
    ordered_sender_discard(stream, message);
    return true;
}

/* There is nothing to do: the first message of the queue is linked to none anyway. */
static bool receiver_lost_state(struct call *call)
{
    struct outgoing_stream *stream;
    return take_stream(call, &stream);
}

static bool sender_restart(struct call *call)
{
    ordered_sender_restart(&call->iut->sender);
    return true;
}

static bool sender_advance_clock(struct call *call)
{
    int64_t nanoseconds;
    if (!take_seconds(call, &nanoseconds))
        return false;
    text_add(call->result, "\"messages\":[");
    ordered_sender_advance_clock(&call->iut->sender, nanoseconds, call->result, write_message);
    text_add(call->result, "]");
    return true;
}

const struct method delivery_methods[] = {
    {"ordered_receiver.receive",             receive               },
    {"ordered_receiver.receive_in_sequence", receive_in_sequence   },
    {"ordered_receiver.order_ack",           receiver_order_ack    },
    {"ordered_receiver.lose_state",          lose_state            },
    {"ordered_receiver.restart",             receiver_restart      },
    {"ordered_receiver.advance_clock",       receiver_advance_clock},
    {"ordered_sender.enqueue",               enqueue               },
    {"ordered_sender.transmit",              transmit              },
    {"ordered_sender.order_ack",             sender_order_ack      },
    {"ordered_sender.discard",               discard               },
    {"ordered_sender.receiver_lost_state",   receiver_lost_state   },
    {"ordered_sender.restart",               sender_restart        },
    {"ordered_sender.advance_clock",         sender_advance_clock  },
    {NULL,                                   NULL                  },
};
