/* The methods of the role router. */
#include "iut.h"

#include <string.h>

static bool load_directory(struct call *call)
{
    return directory_take(call, "directory", &call->iut->router.directory);
}

static bool initialize(struct call *call)
{
    struct guid local;
    if (!take_guid(call, call->params, "local", &local))
        return false;
    router_initialize(&call->iut->router, local);
    return true;
}

static bool advance_clock(struct call *call)
{
    int64_t nanoseconds;
    if (!take_seconds(call, &nanoseconds))
        return false;
    router_advance_clock(&call->iut->router, nanoseconds);
    return true;
}

static bool next_hops(struct call *call)
{
    struct guid source, destination;
    struct guid_list hops = {0};
    if (!take_guid(call, call->params, "source", &source) ||
        !take_guid(call, call->params, "destination", &destination))
        return false;
    bool found = get_next_hops(&call->iut->router, source, destination, &hops);
    text_add(call->result, "\"next_hops\":[");
    for (size_t i = 0; i < hops.count; i++) {
        text_comma(call->result);
        write_guid(call->result, &hops.items[i]);
    }
    text_add(call->result, "]");
    guid_list_free(&hops);
    return found || call_fails(call, ROUTING_FAILED, "the routing attempt failed");
}

static bool routing_table(struct call *call)
{
    const struct routing_table *table = &call->iut->router.routing_table;
    text_add(call->result, "\"rows\":[");
    for (size_t i = 0; i < table->count; i++) {
        text_comma(call->result);
        text_add(call->result, "{\"destination_site\":");
        write_guid(call->result, &table->rows[i].destination_site);
        text_add(call->result, ",\"next_hop_site\":");
        write_guid(call->result, &table->rows[i].next_hop_site);
        text_add(call->result, "}");
    }
    text_add(call->result, "]");
    return true;
}

static bool site_gate_question(struct call *call)
{
    struct guid machine;
    if (!take_guid(call, call->params, "machine", &machine))
        return false;
    text_add(call->result, "\"value\":%d", is_site_gate(&call->iut->router.directory, machine));
    return true;
}

/* A procedure that finds a queue manager: its answer is a GUID or null. */
static bool find(struct call *call, const char *parameter,
                 const struct guid *(*procedure)(const struct directory *, struct guid))
{
    struct guid guid;
    if (!take_guid(call, call->params, parameter, &guid))
        return false;
    const struct guid *found = procedure(&call->iut->router.directory, guid);
    text_add(call->result, "\"value\":");
    if (found)
        write_guid(call->result, found);
    else
        text_add(call->result, "null");
    return true;
}

static bool routing_server(struct call *call)
{
    return find(call, "machine", get_routing_server);
}

static bool site_gate(struct call *call)
{
    return find(call, "machine", get_site_gate);
}

static bool site_gate_for_site(struct call *call)
{
    return find(call, "site", get_site_gate_for_site);
}

/* Whether reading fails at its begin or at an object makes no difference to GetDirectoryData: the whole is lost. */
static bool fail_directory(struct call *call)
{
    static const char *const types[OBJECT_TYPES] = {"Site", "RoutingLink", "QueueManager"};
    const char *name;
    if (!take_text(call, call->params, "object_type", &name))
        return false;
    const struct json *at = json_member(call->params, "at");
    for (int type = 0; type < OBJECT_TYPES; type++)
        if (strcmp(name, types[type]) == 0) {
            call->iut->router.directory.fails[type] = at && at->kind == JSON_STRING;
            return true;
        }
    return call_fails(call, INVALID_PARAMS, "object_type: must be Site, RoutingLink or QueueManager");
}

const struct method router_methods[] = {
    {"router.load_directory",         load_directory    },
    {"router.initialize",             initialize        },
    {"router.change_directory",       load_directory    },
    {"router.advance_clock",          advance_clock     },
    {"router.get_next_hops",          next_hops         },
    {"router.routing_table",          routing_table     },
    {"router.is_site_gate",           site_gate_question},
    {"router.get_routing_server",     routing_server    },
    {"router.get_site_gate",          site_gate         },
    {"router.get_site_gate_for_site", site_gate_for_site},
    {"router.fail_directory",         fail_directory    },
    {NULL,                            NULL              },
};
