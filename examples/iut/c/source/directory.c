#include "directory.h"

#include <stdlib.h>

#include "memory.h"

static const uint64_t most_cost = UINT32_MAX; /* MS-MQDMPR 3.1.1.8 has 999,999; what is beyond is not refused */

void directory_clear(struct directory *directory)
{
    for (size_t i = 0; i < directory->counts[SITE]; i++)
        guid_list_free(&directory->sites[i].site_gates);
    for (size_t i = 0; i < directory->counts[QUEUE_MANAGER]; i++) {
        guid_list_free(&directory->queue_managers[i].sites);
        guid_list_free(&directory->queue_managers[i].in_routing_servers);
        guid_list_free(&directory->queue_managers[i].out_routing_servers);
    }
    free(directory->sites);
    free(directory->routing_links);
    free(directory->queue_managers);
    *directory = (struct directory){0};
}

static bool take_sites(struct call *call, const struct json *document, struct directory *directory)
{
    const struct json *array;
    if (!take_array(call, document, "sites", &array))
        return false;
    for (const struct json *item = array->first; item; item = item->next) {
        size_t *count = &directory->counts[SITE];
        directory->sites = room_for_one(directory->sites, *count, sizeof *directory->sites);
        struct site *site = &directory->sites[(*count)++];
        *site = (struct site){0};
        if (!take_guid(call, item, "id", &site->identifier) ||
            !take_guids(call, item, "site_gates", true, &site->site_gates))
            return false;
    }
    return true;
}

static bool take_routing_links(struct call *call, const struct json *document, struct directory *directory)
{
    const struct json *array;
    if (!take_array(call, document, "routing_links", &array))
        return false;
    for (const struct json *item = array->first; item; item = item->next) {
        size_t *count = &directory->counts[ROUTING_LINK];
        directory->routing_links = room_for_one(directory->routing_links, *count, sizeof *directory->routing_links);
        struct routing_link *link = &directory->routing_links[(*count)++];
        if (!take_guid(call, item, "site1", &link->site1) || !take_guid(call, item, "site2", &link->site2) ||
            !take_natural(call, item, "cost", most_cost, &link->actual_cost))
            return false;
    }
    return true;
}

static bool take_queue_managers(struct call *call, const struct json *document, struct directory *directory)
{
    const struct json *array;
    if (!take_array(call, document, "queue_managers", &array))
        return false;
    for (const struct json *item = array->first; item; item = item->next) {
        size_t *count = &directory->counts[QUEUE_MANAGER];
        directory->queue_managers = room_for_one(directory->queue_managers, *count, sizeof *directory->queue_managers);
        struct queue_manager *machine = &directory->queue_managers[(*count)++];
        *machine = (struct queue_manager){0};
        if (!take_guid(call, item, "id", &machine->identifier) ||
            !take_guids(call, item, "sites", true, &machine->sites) ||
            !take_boolean(call, item, "routing_server", &machine->routing_server) ||
            !take_guids(call, item, "in_routing_servers", false, &machine->in_routing_servers) ||
            !take_guids(call, item, "out_routing_servers", false, &machine->out_routing_servers))
            return false;
    }
    return true;
}

bool directory_take(struct call *call, const char *name, struct directory *directory)
{
    const struct json *document = json_member(call->params, name);
    struct directory read = {0};
    if (!take_sites(call, document, &read) || !take_routing_links(call, document, &read) ||
        !take_queue_managers(call, document, &read)) {
        directory_clear(&read);
        return false;
    }
    for (int type = 0; type < OBJECT_TYPES; type++)
        read.fails[type] = directory->fails[type];
    directory_clear(directory);
    *directory = read;
    return true;
}

size_t get_directory_data(const struct directory *directory, enum object_type type)
{
    return directory->fails[type] ? 0 : directory->counts[type];
}
