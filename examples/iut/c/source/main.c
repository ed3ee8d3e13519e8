/* mqsample [stdio] | discovery-server OPTIONS | discovery-client OPTIONS */
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "memory.h"
#include "rpc.h"
#include "udp_client.h"
#include "udp_server.h"

enum { NETWORKS_MOST = 64, USAGE = 4 };

static const char HELP[] =
    "usage: mqsample [stdio]\n"
    "       mqsample discovery-server --enterprise GUID --site GUID [--host 127.0.0.1] [--port 1801]\n"
    "           [--connected-network GUID]... [--directory-server NAME]...\n"
    "       mqsample discovery-client --enterprise GUID --site GUID --network ADDRESS[/PREFIX]...\n"
    "           [--port 1801] [--broadcast limited|directed]\n";

struct options {
    struct udp_server server;
    struct guid enterprise, site;
    bool has_enterprise, has_site, directed;
    const char *host;
    uint16_t port;
    struct udp_network networks[NETWORKS_MOST];
    size_t network_count;
};

static bool refuse(const char *name, const char *value, const char *wanted)
{
    fprintf(stderr, "mqsample: %s %s: must be %s\n", name, value, wanted);
    return false;
}

static bool take_guid_option(const char *name, const char *value, struct guid *guid)
{
    return guid_read(guid, value) || refuse(name, value, "a GUID, 8-4-4-4-12");
}

static bool take_port(struct options *options, const char *value)
{
    char *end;
    unsigned long port = strtoul(value, &end, 10);
    options->port = (uint16_t)port;
    return (*value && !*end && port <= 65535) || refuse("--port", value, "0 to 65535");
}

/* ADDRESS or ADDRESS/PREFIX, cut in two where it stands. */
static bool take_network(struct options *options, char *value)
{
    char *slash = strchr(value, '/'), *end = "";
    long prefix = slash ? strtol(slash + 1, &end, 10) : 24;
    if (slash)
        *slash = 0;
    if (*end || prefix < 1 || prefix > 32 || options->network_count == NETWORKS_MOST)
        return refuse("--network", value, "ADDRESS or ADDRESS/PREFIX, and there are at most 64");
    options->networks[options->network_count++] = (struct udp_network){value, (int)prefix};
    return true;
}

static bool take_option(struct options *options, const char *name, char *value)
{
    if (strcmp(name, "--enterprise") == 0)
        return options->has_enterprise = take_guid_option(name, value, &options->enterprise);
    if (strcmp(name, "--site") == 0)
        return options->has_site = take_guid_option(name, value, &options->site);
    if (strcmp(name, "--port") == 0)
        return take_port(options, value);
    if (strcmp(name, "--network") == 0)
        return take_network(options, value);
    if (strcmp(name, "--host") == 0) {
        options->host = value;
        return true;
    }
    if (strcmp(name, "--broadcast") == 0) {
        options->directed = strcmp(value, "directed") == 0;
        return options->directed || strcmp(value, "limited") == 0 || refuse(name, value, "limited or directed");
    }
    if (strcmp(name, "--connected-network") == 0) {
        struct guid network;
        bool taken = take_guid_option(name, value, &network);
        if (taken)
            guid_list_add(&options->server.discovery.connected_networks, network);
        return taken;
    }
    if (strcmp(name, "--directory-server") == 0)
        return discovery_server_add(&options->server.discovery, value, true, false) ||
               refuse(name, value, "a name without a comma");
    return refuse(name, value, "an option that there is");
}

static bool take_options(struct options *options, char **arguments)
{
    for (; arguments[0]; arguments += 2)
        if (!arguments[1]) {
            fprintf(stderr, "mqsample: %s: a value is missing\n", arguments[0]);
            return false;
        } else if (!take_option(options, arguments[0], arguments[1])) {
            return false;
        }
    if (!options->has_enterprise || !options->has_site)
        fputs("mqsample: --enterprise and --site are required\n", stderr);
    return options->has_enterprise && options->has_site;
}

static void end_well(int signal)
{
    (void)signal;
    _exit(0);
}

static int serve(struct options *options)
{
    struct udp_server *server = &options->server;
    server->discovery.enterprise = options->enterprise;
    server->discovery.site = options->site;
    const char *complaint = udp_server_listen(server, options->host, options->port);
    if (complaint) {
        fprintf(stderr, "mqsample: cannot listen on %s:%d: %s\n", options->host, options->port, complaint);
        return USAGE;
    }
    signal(SIGTERM, end_well);
    signal(SIGINT, end_well);
    printf("listening on %s:%d\n", options->host, udp_server_port(server));
    fflush(stdout);
    while (server->listening) {
        struct pollfd ready = {.fd = server->socket, .events = POLLIN};
        if (poll(&ready, 1, -1) > 0)
            udp_server_serve(server);
    }
    fputs("mqsample: the socket cannot be opened again\n", stderr);
    return 1;
}

static int search(struct options *options)
{
    if (options->network_count == 0) {
        fputs("mqsample: --network is required\n", stderr);
        return USAGE;
    }
    return udp_client_search(options->enterprise, options->site, options->networks, options->network_count,
                             options->port, options->directed);
}

static bool asks_for_help(char **arguments)
{
    for (; *arguments; arguments++)
        if (strcmp(*arguments, "--help") == 0 || strcmp(*arguments, "-h") == 0)
            return true;
    return false;
}

int main(int count, char **arguments)
{
    if (asks_for_help(arguments)) {
        fputs(HELP, stdout);
        return 0;
    }
    static struct options options = {.host = "127.0.0.1", .port = 1801};
    const char *role = count > 1 ? arguments[1] : "stdio";
    bool server = strcmp(role, "discovery-server") == 0, client = strcmp(role, "discovery-client") == 0;
    if (strcmp(role, "stdio") == 0)
        return rpc_serve();
    if (!server && !client) {
        fputs(HELP, stderr);
        return USAGE;
    }
    int status = USAGE;
    if (take_options(&options, arguments + 2))
        status = server ? serve(&options) : search(&options);
    udp_server_clear(&options.server);
    return status;
}
