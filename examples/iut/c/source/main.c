/* mqsample [stdio]: the IUT protocol on standard input and output. mqsample discovery-server OPTIONS: a UDP server. */
#include <arpa/inet.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "mqsample.h"

enum { USAGE = 4, NO_JSON = -32700, NO_REQUEST = -32600, NOT_OFFERED = -32601, WRONG_PARAMS = -32602 };

static const char HELP[] = "usage: mqsample [stdio]\n       mqsample discovery-server --enterprise GUID --site GUID"
                           " [--host H] [--port P] [--connected-network GUID]... [--directory-server NAME]...\n";
static const char INTRODUCTION[] = "\"protocol\":1,\"name\":\"skeleton in C\",\"version\":\"1\","
                                   "\"roles\":[\"discovery_server\"],\"capabilities\":[]";
static struct discovery_server server;
static uint8_t datagram[DATAGRAM_SIZE + 1], reply[DATAGRAM_SIZE];
static char result[2 * DATAGRAM_SIZE + 20]; /* the members of an answer's result */

/* discovery_server.configure: 0 or an error code. The enterprise is not looked at: clients of each are answered. */
static int configure(const char *params)
{
    char guid[40], name[NAME_MOST];
    server = (struct discovery_server){0};
    if (!json_ascii(json_member(params, "site"), guid, sizeof guid) || !guid_read(server.site, guid))
        return WRONG_PARAMS;
    for (const char *it = json_first(json_member(params, "connected_networks")); it; it = json_next(it))
        if (!json_ascii(it, guid, sizeof guid) || !add_network(&server, guid))
            return WRONG_PARAMS;
    for (const char *it = json_first(json_member(params, "directory_servers")); it; it = json_next(it)) {
        const char *ip = json_member(it, "ip"), *ipx = json_member(it, "ipx");
        if (!ip || !ipx || !json_ascii(json_member(it, "name"), name, sizeof name) ||
            !add_directory_server(&server, name, *ip == 't', *ipx == 't'))
            return WRONG_PARAMS;
    }
    return server.network_count && server.list_size ? 0 : WRONG_PARAMS;
}

/* discovery_server.receive: 0 or an error code. */
static int receive(const char *params)
{
    static char hex[2 * DATAGRAM_SIZE + 1];
    bool whole = json_ascii(json_member(params, "datagram"), hex, sizeof hex);
    size_t digits = strlen(hex);
    if (!whole || digits % 2 || strspn(hex, HEX) != digits || !json_ascii(json_member(params, "network"), result, 9))
        return WRONG_PARAMS;
    if (strcmp(result, "ip") != 0)
        return NOT_OFFERED;
    for (size_t i = 0; i < digits; i += 2)
        sscanf(hex + i, "%2hhx", datagram + i / 2);
    size_t replied = receive_request(&server, datagram, digits / 2, reply);
    char *end = result + sprintf(result, replied ? "\"replies\":[\"" : "\"replies\":[");
    for (size_t i = 0; i < replied; i++)
        end += sprintf(end, "%02x", reply[i]);
    strcpy(end, replied ? "\"]" : "]");
    return 0;
}

/* Answer one line; false after shutdown. */
static bool answer(const char *line, size_t length)
{
    char method[64];
    bool valid = json_valid(line, length);
    const char *request = valid ? line + strspn(line, " \t\r\n") : NULL;
    const char *id = json_member(request, "id"), *params = json_member(request, "params");
    int code = *result = 0;
    if (!json_ascii(json_member(request, "method"), method, sizeof method))
        code = valid ? NO_REQUEST : NO_JSON;
    else if (strcmp(method, "discovery_server.receive") == 0)
        code = receive(params);
    else if (strcmp(method, "discovery_server.configure") == 0)
        code = configure(params);
    else if (strcmp(method, "reset") == 0)
        server = (struct discovery_server){0};
    else if (strcmp(method, "initialize") == 0)
        strcpy(result, INTRODUCTION);
    else if (strcmp(method, "shutdown") != 0)
        code = NOT_OFFERED;
    long long number = 0; /* the harness numbers its requests */
    bool numbered = id && sscanf(id, "%18lld", &number) == 1;
    printf(numbered ? "{\"jsonrpc\":\"2.0\",\"id\":%lld," : "{\"jsonrpc\":\"2.0\",\"id\":null,", number);
    if (code)
        printf("\"error\":{\"code\":%d,\"message\":\"see its code\"}}\n", code);
    else
        printf("\"result\":{%s}}\n", result);
    fflush(stdout);
    return strcmp(method, "shutdown") != 0;
}

static void end_well(int signal)
{
    (void)signal;
    _exit(0);
}

static int refuse(const char *option, const char *value)
{
    fprintf(stderr, "mqsample: %s %s: no such option, or not its value\n%s", option, value, HELP);
    return USAGE;
}

/* Serve UDP until SIGTERM. After a network error the socket is closed and opened again (3.2.5). */
static int serve(struct sockaddr_in here, const char *host)
{
    socklen_t size = sizeof here;
    signal(SIGTERM, end_well);
    for (;;) {
        int opened = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        if (opened < 0 || bind(opened, (struct sockaddr *)&here, size) < 0)
            return refuse("--host", host);
        getsockname(opened, (struct sockaddr *)&here, &size);
        printf("listening on %s:%d\n", host, ntohs(here.sin_port));
        fflush(stdout);
        for (bool sent = true; sent;) {
            struct sockaddr_in client;
            ssize_t length = recvfrom(opened, datagram, sizeof datagram, 0, (struct sockaddr *)&client, &size);
            size_t replied = length < 0 ? 0 : receive_request(&server, datagram, (size_t)length, reply);
            sent = !replied || sendto(opened, reply, replied, 0, (struct sockaddr *)&client, size) >= 0;
        }
        close(opened);
    }
}

static int serve_as_told(char **option)
{
    struct sockaddr_in here = {.sin_family = AF_INET};
    uint8_t enterprise[GUID_SIZE];
    unsigned port = 1801;
    const char *host = "127.0.0.1";
    bool has_enterprise = false, has_site = false, taken = true;
    for (; taken && option[0] && option[1]; option += taken ? 2 : 0) {
        if (strcmp(option[0], "--enterprise") == 0)
            taken = has_enterprise = guid_read(enterprise, option[1]);
        else if (strcmp(option[0], "--site") == 0)
            taken = has_site = guid_read(server.site, option[1]);
        else if (strcmp(option[0], "--host") == 0)
            host = option[1];
        else if (strcmp(option[0], "--port") == 0)
            taken = sscanf(option[1], "%5u", &port) == 1 && port < 65536;
        else if (strcmp(option[0], "--connected-network") == 0)
            taken = add_network(&server, option[1]);
        else
            taken = !strcmp(option[0], "--directory-server") && add_directory_server(&server, option[1], true, false);
    }
    if (option[0] || !has_enterprise || !has_site)
        return refuse(option[0] ? option[0] : "--enterprise, --site", option[0] && option[1] ? option[1] : "missing");
    here.sin_port = htons((uint16_t)port);
    return inet_pton(AF_INET, host, &here.sin_addr) == 1 ? serve(here, host) : refuse("--host", host);
}

int main(int count, char **words)
{
    const char *command = count > 1 ? words[1] : "stdio";
    if (count > 1 && strcmp(words[count - 1], "--help") == 0)
        return fputs(HELP, stdout) < 0;
    if (strcmp(command, "stdio") != 0)
        return strcmp(command, "discovery-server") ? refuse(command, "") : serve_as_told(words + 2);
    static char *line;
    static size_t room;
    for (ssize_t length = 1; length > 0;)
        length = (length = getline(&line, &room, stdin)) > 0 ? answer(line, (size_t)length) : 0;
    return 0;
}
