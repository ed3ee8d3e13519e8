/* Messages sent within transactions, and the computers that host the target queues. */
#ifndef TRANSACTION_H
#define TRANSACTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct names {
    char **items;
    size_t count;
};

struct copy {
    char *message;
    char *administration_queue; /* NULL where there is none */
};

struct copies {
    struct copy *items;
    size_t count;
};

struct target_queue {
    char *name, *machine;
    bool transactional, failing;
    struct copies outgoing; /* wait for this queue */
    struct copies taken_in; /* reached it */
};

/* A dead-letter queue or an administration queue: what came, in order. */
struct mailbox {
    char *name;
    struct letter {
        char *message, *queue; /* and the target queue that it was meant for */
    } *letters;
    size_t count;
};

struct mailboxes {
    struct mailbox *items;
    size_t count;
};

struct distribution_list {
    char *name;
    struct names elements;
};

struct transactional_message {
    struct copy copy;
    struct names destination;
};

struct transaction {
    uint64_t number;
    struct transactional_message *messages;
    size_t count;
};

struct transactional_sender {
    struct target_queue *queues;
    size_t queue_count;
    struct distribution_list *lists;
    size_t list_count;
    struct transaction *open; /* transactions that were neither committed nor aborted */
    size_t open_count;
    uint64_t last_number;
    struct mailboxes dead_letters;    /* by computer: its transactional dead-letter queue */
    struct mailboxes acknowledgments; /* by administration queue: the negative ones that came */
};

void transactional_sender_clear(struct transactional_sender *sender);
void names_add(struct names *names, const char *name);
void names_clear(struct names *names);
void transactional_sender_add_queue(struct transactional_sender *sender, const char *name, const char *machine,
                                    bool transactional);
/* A distribution list; its elements are taken over. */
void transactional_sender_add_list(struct transactional_sender *sender, const char *name, struct names elements);
struct target_queue *transactional_sender_queue(const struct transactional_sender *sender, const char *name);

uint64_t transaction_begin(struct transactional_sender *sender);
/* NULL where no such transaction is open. */
struct transaction *transaction_find(const struct transactional_sender *sender, uint64_t number);

/* Send within a transaction; the destination is taken over. */
void transaction_send(struct transaction *transaction, const char *message, struct names destination,
                      const char *administration_queue);

/* False where the transaction aborts because one of its outgoing queues fails. Either way it is over. */
bool transaction_commit(struct transactional_sender *sender, struct transaction *transaction);
void transaction_abort(struct transactional_sender *sender, struct transaction *transaction);

/* Every copy that waits in an outgoing queue reaches its computer. */
void transactional_sender_deliver(struct transactional_sender *sender);

#endif
