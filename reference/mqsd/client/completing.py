"""How a Get Directory Server List event ends (MS-MQSD 3.1.4.1, 3.1.6.1)."""

from dataclasses import replace

from mqconform.reference.mqsd.client.events import Complete, Result
from mqconform.reference.mqsd.client.readings import Readings
from mqconform.reference.mqsd.client.readings_of_events import ListsAfterFailure
from mqconform.reference.mqsd.client.readings_of_replies import LocalReplyAlone
from mqconform.reference.mqsd.client.received_reply import ReceivedReply
from mqconform.reference.mqsd.client.transition import Transition


def complete(at: Transition, result: Result = Result.SUCCESS) -> Transition:
    """Complete the processing of the event in progress."""
    return at.to(replace(at.state, in_progress=False, kept_reply=None)).doing(Complete(result))


def complete_with(at: Transition, reply: ReceivedReply | None, readings: Readings) -> Transition:
    """Complete the event; ``reply`` is what it has learnt, and may bring no server list (register SD-55)."""
    if (reply and not reply.local) or readings.local_reply_alone is LocalReplyAlone.SUCCESS:
        return complete(at)
    if readings.local_reply_alone is LocalReplyAlone.FAILURE_FORGETTING:
        at = at.to(replace(at.state, valid_last_successful_network_address=False))
    return complete(at, Result.FAILURE)


def fail(at: Transition, readings: Readings) -> Transition:
    """Complete the event with failure, no last successful network being known (MS-MQSD 3.1.6.1 second case)."""
    state = replace(at.state, valid_last_successful_network_address=False)
    if readings.lists_after_failure is ListsAfterFailure.CLEARED:
        state = replace(state, directory_server_list=(), connected_network_identifier_list=())
    return complete(at.to(state, "MQSD-3.1.6.1-03", "MQSD-3.1.4.1-03"), Result.FAILURE)
