/* The methods of the role transaction. */
#include "iut.h"

#include <inttypes.h>

static bool take_names(struct call *call, const struct json *object, const char *name, struct names *names)
{
    const struct json *array;
    if (!take_array(call, object, name, &array))
        return false;
    for (const struct json *item = array->first; item; item = item->next) {
        if (item->kind != JSON_STRING) {
            names_clear(names);
            return call_fails(call, INVALID_PARAMS, "%s: must be an array of names", name);
        }
        names_add(names, item->text);
    }
    return true;
}

static bool take_lists(struct call *call)
{
    const struct json *lists;
    if (!json_member(call->params, "lists"))
        return true;
    if (!take_array(call, call->params, "lists", &lists))
        return false;
    for (const struct json *item = lists->first; item; item = item->next) {
        const char *name;
        struct names elements = {0};
        if (!take_text(call, item, "name", &name) || !take_names(call, item, "elements", &elements))
            return false;
        transactional_sender_add_list(&call->iut->transactions, name, elements);
    }
    return true;
}

static bool configure(struct call *call)
{
    const struct json *queues;
    transactional_sender_clear(&call->iut->transactions);
    if (!take_array(call, call->params, "queues", &queues))
        return false;
    for (const struct json *item = queues->first; item; item = item->next) {
        const char *name, *machine;
        bool transactional;
        if (!take_text(call, item, "name", &name) || !take_text(call, item, "machine", &machine) ||
            !take_boolean(call, item, "transactional", &transactional))
            return false;
        transactional_sender_add_queue(&call->iut->transactions, name, machine, transactional);
    }
    return take_lists(call);
}

static bool begin(struct call *call)
{
    text_add(call->result, "\"transaction\":%" PRIu64, transaction_begin(&call->iut->transactions));
    return true;
}

static bool take_transaction(struct call *call, struct transaction **transaction)
{
    uint64_t number;
    if (!take_natural(call, call->params, "transaction", UINT64_MAX, &number))
        return false;
    *transaction = transaction_find(&call->iut->transactions, number);
    return *transaction || call_fails(call, INVALID_PARAMS, "transaction: none of this number is open");
}

static bool send(struct call *call)
{
    struct transaction *transaction;
    const char *message, *administration_queue = NULL;
    struct names destination = {0};
    if (!take_transaction(call, &transaction) || !take_key(call, "message", &message))
        return false;
    if (json_member(call->params, "administration_queue") &&
        !take_text(call, call->params, "administration_queue", &administration_queue))
        return false;
    if (!take_names(call, call->params, "destination", &destination))
        return false;
    transaction_send(transaction, message, destination, administration_queue);
    return true;
}

static bool commit(struct call *call)
{
    struct transaction *transaction;
    if (!take_transaction(call, &transaction))
        return false;
    bool committed = transaction_commit(&call->iut->transactions, transaction);
    text_add(call->result, "\"committed\":%s", committed ? "true" : "false");
    return true;
}

static bool give_up(struct call *call)
{
    struct transaction *transaction;
    if (!take_transaction(call, &transaction))
        return false;
    transaction_abort(&call->iut->transactions, transaction);
    return true;
}

static bool fail_queue(struct call *call)
{
    const char *name;
    bool failing;
    if (!take_text(call, call->params, "queue", &name) || !take_boolean(call, call->params, "failing", &failing))
        return false;
    struct target_queue *queue = transactional_sender_queue(&call->iut->transactions, name);
    if (!queue)
        return call_fails(call, INVALID_PARAMS, "queue: no target queue has this name");
    queue->failing = failing;
    return true;
}

static bool deliver(struct call *call)
{
    transactional_sender_deliver(&call->iut->transactions);
    return true;
}

static void write_copies(struct text *text, const struct transactional_sender *sender, bool outgoing)
{
    for (size_t i = 0; i < sender->queue_count; i++) {
        text_comma(text);
        text_string(text, sender->queues[i].name);
        text_add(text, ":[");
        const struct copies *copies = outgoing ? &sender->queues[i].outgoing : &sender->queues[i].taken_in;
        for (size_t j = 0; j < copies->count; j++) {
            text_comma(text);
            text_add(text, "%s", copies->items[j].message);
        }
        text_add(text, "]");
    }
}

static void write_dead_letters(struct text *text, const struct mailboxes *boxes)
{
    for (size_t i = 0; i < boxes->count; i++) {
        text_comma(text);
        text_string(text, boxes->items[i].name);
        text_add(text, ":[");
        for (size_t j = 0; j < boxes->items[i].count; j++) {
            text_comma(text);
            text_add(text, "%s", boxes->items[i].letters[j].message);
        }
        text_add(text, "]");
    }
}

static void write_acknowledgments(struct text *text, const struct mailboxes *boxes)
{
    for (size_t i = 0; i < boxes->count; i++) {
        text_comma(text);
        text_string(text, boxes->items[i].name);
        text_add(text, ":[");
        for (size_t j = 0; j < boxes->items[i].count; j++) {
            text_comma(text);
            text_add(text, "{\"message\":%s,\"queue\":", boxes->items[i].letters[j].message);
            text_string(text, boxes->items[i].letters[j].queue);
            text_add(text, ",\"class\":\"not_transactional_queue\"}");
        }
        text_add(text, "]");
    }
}

static bool state(struct call *call)
{
    const struct transactional_sender *sender = &call->iut->transactions;
    text_add(call->result, "\"outgoing\":{");
    write_copies(call->result, sender, true);
    text_add(call->result, "},\"queues\":{");
    write_copies(call->result, sender, false);
    text_add(call->result, "},\"dead_letters\":{");
    write_dead_letters(call->result, &sender->dead_letters);
    text_add(call->result, "},\"acknowledgments\":{");
    write_acknowledgments(call->result, &sender->acknowledgments);
    text_add(call->result, "}");
    return true;
}

const struct method transaction_methods[] = {
    {"transaction.configure",  configure },
    {"transaction.begin",      begin     },
    {"transaction.send",       send      },
    {"transaction.commit",     commit    },
    {"transaction.abort",      give_up   },
    {"transaction.fail_queue", fail_queue},
    {"transaction.deliver",    deliver   },
    {"transaction.state",      state     },
    {NULL,                     NULL      },
};
