/* What every implementation answers. */
#include "iut.h"

void iut_reset(struct iut *iut)
{
    router_clear(&iut->router);
    udp_server_clear(&iut->server);
    discovery_client_clear(&iut->client);
    ordered_receiver_clear(&iut->receiver);
    iut->receiver.now = 0;
    ordered_sender_clear(&iut->sender);
    transactional_sender_clear(&iut->transactions);
}

static bool initialize(struct call *call)
{
    uint64_t protocol;
    if (!take_natural(call, call->params, "protocol", UINT32_MAX, &protocol))
        return false;
    if (protocol != 1)
        return call_fails(call, INVALID_PARAMS, "protocol: version 1 is the one that is spoken here");
    text_add(call->result,
             "\"protocol\":1,\"name\":\"sample in C\",\"version\":\"1\",\"vendor\":\"mqconform\","
             "\"roles\":[\"router\",\"discovery_server\",\"discovery_client\",\"ordered_receiver\",\"ordered_sender\","
             "\"transaction\"],"
             "\"capabilities\":[\"virtual-clock\",\"procedures\",\"directory-faults\",\"udp\",\"send-faults\","
             "\"restart\",\"sequences\"],"
             "\"specs\":{\"MQBR\":\"18.0\",\"MQSD\":\"13.0\"}");
    return true;
}

static bool reset(struct call *call)
{
    iut_reset(call->iut);
    return true;
}

static bool stop(struct call *call)
{
    call->iut->over = true;
    return true;
}

const struct method common_methods[] = {
    {"initialize", initialize},
    {"reset",      reset     },
    {"shutdown",   stop      },
    {NULL,         NULL      },
};
