/* An implementation for tests of containers: says who it is in answer to anything, and misbehaves as its argument says.
 *
 * unruly [BEHAVIOUR]: "silent" never answers, "dies" ends at once, "hungry" takes memory without end, "talkative" writes
 * to its standard error without end, "endless" writes a line without end, "flood" writes lines without end, "escapes"
 * dies with a terminal escape as its last words, "look" tells what it may do, "later-BEHAVIOUR" misbehaves after its
 * first answer, "stays" does not end when it should, "serves" answers datagrams on UDP port 1801, "searches" broadcasts
 * one datagram on each of its networks. Built with cc -static.
 */
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void fill(FILE *stream, const char *text)
{
    for (;;)
        fputs(text, stream);
}

static void show(const char *path, const char *only)
{
    char line[512];
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        if (!only || !strncmp(line, only, strlen(only)))
            fputs(line, stderr);
    if (file)
        fclose(file);
}

static void look(void)
{
    fprintf(stderr, "uid %d\n", (int)getuid());
    show("/proc/self/status", "CapEff");
    show("/proc/self/status", "CapBnd");
    show("/proc/self/status", "NoNewPrivs");
    fprintf(stderr, "root %s\n", open("/file", O_CREAT | O_WRONLY, 0600) < 0 ? strerror(errno) : "writable");
    fprintf(stderr, "tmp %s\n", open("/tmp/file", O_CREAT | O_WRONLY, 0600) < 0 ? strerror(errno) : "writable");
    show("/proc/net/dev", NULL);
    if (getenv("COLOUR"))
        fprintf(stderr, "colour %s\n", getenv("COLOUR"));
    fflush(stderr);
}

static void serve(void)
{
    struct sockaddr_in here = {.sin_family = AF_INET, .sin_port = htons(1801)}, there;
    int server = socket(AF_INET, SOCK_DGRAM, 0);
    bind(server, (struct sockaddr *)&here, sizeof here);
    for (;;) {
        char octets[2048] = {0};
        socklen_t size = sizeof there;
        recvfrom(server, octets, sizeof octets, 0, (struct sockaddr *)&there, &size);
        octets[1] = 2;
        memcpy(octets + 4, octets + 20, 16);
        memset(octets + 20, 0, 28);
        sendto(server, octets, 48, 0, (struct sockaddr *)&there, size);
    }
}

static void search(void)
{
    char octets[52] = {0, 1};
    struct ifaddrs *each;
    for (getifaddrs(&each); each; each = each->ifa_next) {
        int sender = socket(AF_INET, SOCK_DGRAM, 0), on = 1;
        struct sockaddr_in *to = (struct sockaddr_in *)each->ifa_broadaddr;
        if (!each->ifa_addr || each->ifa_addr->sa_family != AF_INET || !(each->ifa_flags & IFF_BROADCAST))
            continue;
        to->sin_port = htons(1801);
        setsockopt(sender, SOL_SOCKET, SO_BROADCAST, &on, sizeof on);
        bind(sender, each->ifa_addr, sizeof *to);
        sendto(sender, octets, sizeof octets, 0, (struct sockaddr *)to, sizeof *to);
    }
    exit(0);
}

static void misbehave(const char *how)
{
    if (!strcmp(how, "silent") || !strcmp(how, "stays"))
        for (;;)
            pause();
    if (!strcmp(how, "dies"))
        fputs("cannot open the directory\n", stderr), exit(3);
    if (!strcmp(how, "escapes"))
        fputs("\033]0;owned\007\033[2J\342\200\256 bye\n", stderr), exit(3);
    if (!strcmp(how, "hungry"))
        for (;;)
            memset(malloc(1 << 20), 1, 1 << 20);
    if (!strcmp(how, "talkative"))
        fill(stderr, "so much to say, so little time\n");
    if (!strcmp(how, "endless"))
        fill(stdout, "and another word ");
    if (!strcmp(how, "flood"))
        fill(stdout, "{\"jsonrpc\":\"2.0\"}\n");
    if (!strcmp(how, "look"))
        look();
    if (!strcmp(how, "serves"))
        serve();
    if (!strcmp(how, "searches"))
        search();
}

static int answer(const char *line)
{
    const char *id = strstr(line, "\"id\":");
    if (!id)
        return 0;
    printf("{\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":", atoi(id + 5));
    printf("{\"protocol\":1,\"name\":\"unruly\",\"version\":\"1\",\"roles\":[\"router\"],\"capabilities\":[]}}\n");
    fflush(stdout);
    return strstr(line, "\"shutdown\"") != NULL;
}

int main(int count, char **words)
{
    static char line[1 << 20];
    const char *how = count > 1 ? words[1] : "";
    int later = !strncmp(how, "later-", 6), stays = !strcmp(how, "stays");
    if (stays)
        signal(SIGTERM, SIG_IGN);
    if (!later && !stays)
        misbehave(how);
    while (fgets(line, sizeof line, stdin)) {
        int over = answer(line);
        if (over && !stays)
            return 0;
        if (later)
            misbehave(how + 6);
    }
    if (stays)
        misbehave(how);
    return 0;
}
