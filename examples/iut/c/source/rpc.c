#include "rpc.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "iut.h"

enum { LINE_MOST = 16 << 20, CHUNK = 65536 };

static const struct method *const tables[] = {common_methods, router_methods,   server_methods,
                                              client_methods, delivery_methods, transaction_methods};

struct input {
    char *octets;
    size_t length, capacity;
};

static operation *find_method(const char *name)
{
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        for (const struct method *method = tables[i]; method->name; method++)
            if (strcmp(method->name, name) == 0)
                return method->perform;
    return NULL;
}

static bool perform(struct call *call, const struct json *request)
{
    const struct json *method = json_member(request, "method");
    if (!method || method->kind != JSON_STRING)
        return call_fails(call, INVALID_REQUEST, "method: must be text");
    operation *found = find_method(method->text);
    if (!found)
        return call_fails(call, METHOD_NOT_FOUND, "this method is not offered");
    call->params = json_member(request, "params");
    return found(call);
}

static void answer(struct iut *iut, const char *line, size_t length, struct arena *arena, struct text *reply)
{
    struct text result = {0};
    struct call call = {.iut = iut, .result = &result, .arena = arena};
    const char *complaint = NULL;
    const struct json *request = json_read(line, length, arena, &complaint);
    bool done = request ? perform(&call, request) : call_fails(&call, PARSE_ERROR, "no JSON: %s", complaint);
    text_add(reply, "{\"jsonrpc\":\"2.0\",\"id\":");
    json_write(reply, json_member(request, "id"));
    if (done) {
        text_add(reply, ",\"result\":{%s}}\n", result.length ? result.characters : "");
    } else {
        text_add(reply, ",\"error\":{\"code\":%d,\"message\":", call.code);
        text_string(reply, call.complaint);
        text_add(reply, "}}\n");
    }
    text_free(&result);
}

/* Answer the lines that are complete and keep the rest. */
static void answer_lines(struct iut *iut, struct input *input, struct text *reply)
{
    struct arena arena = {0};
    char *line = input->octets, *end;
    while (!iut->over && (end = memchr(line, '\n', input->length - (size_t)(line - input->octets)))) {
        text_clear(reply);
        answer(iut, line, (size_t)(end - line), &arena, reply);
        fwrite(reply->characters, 1, reply->length, stdout);
        fflush(stdout);
        arena_clear(&arena);
        line = end + 1;
    }
    input->length -= (size_t)(line - input->octets);
    memmove(input->octets, line, input->length);
}

/* Read what has come; false at the end of input, and where a line is longer than the protocol allows. */
static bool read_more(struct input *input)
{
    if (input->length > LINE_MOST) {
        fputs("mqsample: a line of more than 16 MiB\n", stderr);
        return false;
    }
    if (input->capacity - input->length < CHUNK) {
        input->capacity = 2 * input->capacity + CHUNK;
        input->octets = must_resize(input->octets, input->capacity);
    }
    ssize_t count = read(STDIN_FILENO, input->octets + input->length, input->capacity - input->length);
    if (count > 0)
        input->length += (size_t)count;
    return count > 0 || (count < 0 && errno == EINTR);
}

int rpc_serve(void)
{
    struct iut iut = {0};
    struct input input = {0};
    struct text reply = {0};
    bool more = true;
    while (more && !iut.over) {
        bool serving = iut.server.socket != NO_SOCKET;
        struct pollfd ready[] = {
            {.fd = STDIN_FILENO,                     .events = POLLIN},
            {.fd = serving ? iut.server.socket : -1, .events = POLLIN}
        };
        if (poll(ready, 2, -1) < 0)
            continue;
        if (ready[1].revents)
            udp_server_serve(&iut.server);
        if (ready[0].revents && (more = read_more(&input)))
            answer_lines(&iut, &input, &reply);
    }
    iut_reset(&iut);
    text_free(&reply);
    free(input.octets);
    return iut.over ? 0 : 1;
}
