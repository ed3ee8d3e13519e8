#include "transaction.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

void names_add(struct names *names, const char *name)
{
    names->items = room_for_one(names->items, names->count, sizeof *names->items);
    names->items[names->count++] = must_copy(name);
}

void names_clear(struct names *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->items[i]);
    free(names->items);
    *names = (struct names){0};
}

static struct copy copy_of(const char *message, const char *administration_queue)
{
    return (struct copy){must_copy(message), administration_queue ? must_copy(administration_queue) : NULL};
}

static void copies_add(struct copies *copies, struct copy copy)
{
    copies->items = room_for_one(copies->items, copies->count, sizeof *copies->items);
    copies->items[copies->count++] = copy;
}

static void copy_clear(struct copy *copy)
{
    free(copy->message);
    free(copy->administration_queue);
}

static void copies_clear(struct copies *copies)
{
    for (size_t i = 0; i < copies->count; i++)
        copy_clear(&copies->items[i]);
    free(copies->items);
    *copies = (struct copies){0};
}

static void mailbox_add(struct mailboxes *boxes, const char *name, const char *message, const char *queue)
{
    size_t at = 0;
    while (at < boxes->count && strcmp(boxes->items[at].name, name) != 0)
        at++;
    if (at == boxes->count) {
        boxes->items = room_for_one(boxes->items, boxes->count, sizeof *boxes->items);
        boxes->items[boxes->count++] = (struct mailbox){.name = must_copy(name)};
    }
    struct mailbox *box = &boxes->items[at];
    box->letters = room_for_one(box->letters, box->count, sizeof *box->letters);
    box->letters[box->count++] = (struct letter){must_copy(message), must_copy(queue)};
}

static void mailboxes_clear(struct mailboxes *boxes)
{
    for (size_t i = 0; i < boxes->count; i++) {
        for (size_t j = 0; j < boxes->items[i].count; j++) {
            free(boxes->items[i].letters[j].message);
            free(boxes->items[i].letters[j].queue);
        }
        free(boxes->items[i].letters);
        free(boxes->items[i].name);
    }
    free(boxes->items);
}

static void transaction_clear(struct transaction *transaction)
{
    for (size_t i = 0; i < transaction->count; i++) {
        copy_clear(&transaction->messages[i].copy);
        names_clear(&transaction->messages[i].destination);
    }
    free(transaction->messages);
}

void transactional_sender_clear(struct transactional_sender *sender)
{
    for (size_t i = 0; i < sender->queue_count; i++) {
        struct target_queue *queue = &sender->queues[i];
        free(queue->name);
        free(queue->machine);
        copies_clear(&queue->outgoing);
        copies_clear(&queue->taken_in);
    }
    for (size_t i = 0; i < sender->list_count; i++) {
        free(sender->lists[i].name);
        names_clear(&sender->lists[i].elements);
    }
    for (size_t i = 0; i < sender->open_count; i++)
        transaction_clear(&sender->open[i]);
    mailboxes_clear(&sender->dead_letters);
    mailboxes_clear(&sender->acknowledgments);
    free(sender->queues);
    free(sender->lists);
    free(sender->open);
    *sender = (struct transactional_sender){.last_number = sender->last_number};
}

void transactional_sender_add_queue(struct transactional_sender *sender, const char *name, const char *machine,
                                    bool transactional)
{
    sender->queues = room_for_one(sender->queues, sender->queue_count, sizeof *sender->queues);
    sender->queues[sender->queue_count++] =
        (struct target_queue){.name = must_copy(name), .machine = must_copy(machine), .transactional = transactional};
}

void transactional_sender_add_list(struct transactional_sender *sender, const char *name, struct names elements)
{
    sender->lists = room_for_one(sender->lists, sender->list_count, sizeof *sender->lists);
    sender->lists[sender->list_count++] = (struct distribution_list){must_copy(name), elements};
}

struct target_queue *transactional_sender_queue(const struct transactional_sender *sender, const char *name)
{
    for (size_t i = 0; i < sender->queue_count; i++)
        if (strcmp(sender->queues[i].name, name) == 0)
            return &sender->queues[i];
    return NULL;
}

uint64_t transaction_begin(struct transactional_sender *sender)
{
    sender->open = room_for_one(sender->open, sender->open_count, sizeof *sender->open);
    sender->open[sender->open_count++] = (struct transaction){.number = ++sender->last_number};
    return sender->last_number;
}

struct transaction *transaction_find(const struct transactional_sender *sender, uint64_t number)
{
    for (size_t i = 0; i < sender->open_count; i++)
        if (sender->open[i].number == number)
            return &sender->open[i];
    return NULL;
}

void transaction_send(struct transaction *transaction, const char *message, struct names destination,
                      const char *administration_queue)
{
    transaction->messages = room_for_one(transaction->messages, transaction->count, sizeof *transaction->messages);
    transaction->messages[transaction->count++] =
        (struct transactional_message){copy_of(message, administration_queue), destination};
}

void transaction_abort(struct transactional_sender *sender, struct transaction *transaction)
{
    transaction_clear(transaction);
    *transaction = sender->open[--sender->open_count];
}

/* Mark the queues that a name leads to, through lists of lists; a list within itself is looked at once. */
static void mark(const struct transactional_sender *sender, const char *name, bool *queues, bool *lists)
{
    struct target_queue *queue = transactional_sender_queue(sender, name);
    if (queue)
        queues[queue - sender->queues] = true;
    for (size_t i = 0; i < sender->list_count && !queue; i++)
        if (!lists[i] && strcmp(sender->lists[i].name, name) == 0) {
            lists[i] = true;
            for (size_t j = 0; j < sender->lists[i].elements.count; j++)
                mark(sender, sender->lists[i].elements.items[j], queues, lists);
        }
}

/* Send a message's copies, one to each queue; without `really` only see whether each outgoing queue would take it. */
static bool send_copies(struct transactional_sender *sender, const struct transactional_message *message, bool really)
{
    bool *queues = calloc(sender->queue_count + sender->list_count + 1, sizeof *queues), sent = queues != NULL;
    for (size_t i = 0; sent && i < message->destination.count; i++)
        mark(sender, message->destination.items[i], queues, queues + sender->queue_count);
    for (size_t i = 0; sent && i < sender->queue_count; i++) {
        struct target_queue *queue = &sender->queues[i];
        if (queues[i] && queue->failing)
            sent = false;
        else if (queues[i] && really)
            copies_add(&queue->outgoing, copy_of(message->copy.message, message->copy.administration_queue));
    }
    free(queues);
    return sent;
}

bool transaction_commit(struct transactional_sender *sender, struct transaction *transaction)
{
    bool committed = true;
    for (size_t i = 0; committed && i < transaction->count; i++)
        committed = send_copies(sender, &transaction->messages[i], false);
    for (size_t i = 0; committed && i < transaction->count; i++)
        send_copies(sender, &transaction->messages[i], true);
    transaction_abort(sender, transaction);
    return committed;
}

/* A transactional message reaches a queue that is not: its copy dies on that computer, and the sender hears of it. */
static void reject(struct transactional_sender *sender, const struct target_queue *queue, struct copy *copy)
{
    mailbox_add(&sender->dead_letters, queue->machine, copy->message, queue->name);
    if (copy->administration_queue)
        mailbox_add(&sender->acknowledgments, copy->administration_queue, copy->message, queue->name);
    copy_clear(copy);
}

void transactional_sender_deliver(struct transactional_sender *sender)
{
    for (size_t i = 0; i < sender->queue_count; i++) {
        struct target_queue *queue = &sender->queues[i];
        for (size_t j = 0; j < queue->outgoing.count; j++)
            if (queue->transactional)
                copies_add(&queue->taken_in, queue->outgoing.items[j]);
            else
                reject(sender, queue, &queue->outgoing.items[j]);
        queue->outgoing.count = 0;
    }
}
