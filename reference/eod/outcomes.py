"""What an implementation may show at one end of a stream: the set of allowed outcomes, each with its derivation."""

from dataclasses import replace
from typing import Final

from mqconform.reference.allowed import Allowed, Reading, Step, settled, vary
from mqconform.reference.eod import receiver, sender
from mqconform.reference.eod.elements import Numbers
from mqconform.reference.eod.order_ack import acknowledgment_times
from mqconform.reference.eod.readings_of_receivers import NewerSequence, NothingAccepted, ReceiverReadings, TenSeconds
from mqconform.reference.eod.readings_of_senders import FirstOfQueue, Relinking, SenderReadings
from mqconform.reference.eod.receiver import IncomingStream, Judgement
from mqconform.reference.eod.sender import Message, OutgoingStream, Sent

_RECEIVER: Final = {choice.reading: choice for kind in (NewerSequence, NothingAccepted, TenSeconds) for choice in kind}
_SENDER: Final = {choice.reading: choice for kind in (Relinking, FirstOfQueue) for choice in kind}
_LINKS: Final = (tuple(choice.reading for choice in Relinking), tuple(choice.reading for choice in FirstOfQueue))


def allowed_judgements(stream: IncomingStream, message: Numbers) -> Allowed[Judgement]:
    """Return what a receiver may make of a message: what ``receiver.judge`` says in each reading."""

    def judged(chosen: tuple[Reading, ...]) -> Allowed[Judgement]:
        readings = _receiver_readings(chosen)
        judgement = receiver.judge(stream, message, readings)
        note = f"{message}, last accepted {stream.last_accepted}: {judgement.name.lower().replace('_', ' ')}"
        return settled(judgement, Step("receive", "4", judgement.requirements, note))

    return vary((tuple(choice.reading for choice in NewerSequence),), judged)


def allowed_order_ack_numbers(stream: IncomingStream) -> Allowed[int | None]:
    """Return the numbers that an order acknowledgment may carry now, by ``receiver``; None is silence."""

    def carried(chosen: tuple[Reading, ...]) -> Allowed[int | None]:
        acknowledgment = receiver.order_acknowledgment(stream, _receiver_readings(chosen))
        number = None if acknowledgment is None else acknowledgment.number
        return settled(number, Step("order acknowledgment", "2", receiver.ACKNOWLEDGMENT_RULES, f"carries {number}"))

    return vary((tuple(choice.reading for choice in NothingAccepted),), carried)


def allowed_order_ack_times(arrivals: tuple[int, ...]) -> Allowed[tuple[int, ...]]:
    """Return when acknowledgments may go out for arrivals that ask for one, by ``acknowledgment_times``.

    Args:
        arrivals: nanoseconds since the session began, rising.

    Returns:
        Rising nanoseconds, exact; a clock of whole seconds moves those of steady arrivals by one (register EOD-17).
    """
    rules = tuple(f"EOD-3.1.1.6.2-0{number}" for number in (1, 2, 3, 5))

    def scheduled(chosen: tuple[Reading, ...]) -> Allowed[tuple[int, ...]]:
        times = acknowledgment_times(arrivals, _receiver_readings(chosen))
        return settled(times, Step("order acknowledgment", "3.1.1.6.2", rules, f"{len(times)} for {len(arrivals)}"))

    return vary((tuple(choice.reading for choice in TenSeconds),), scheduled)


def allowed_numbers(stream: OutgoingStream, message: Message) -> Allowed[Numbers]:
    """Return the numbers that the next message of a stream may get: what ``sender.enqueue`` gives in each reading."""

    def numbered(chosen: tuple[Reading, ...]) -> Allowed[Numbers]:
        _, numbers = sender.enqueue(stream, message, _sender_readings(chosen))
        return settled(numbers, Step("enqueue", "3", sender.numbering_rules(numbers), f"{message}: {numbers}"))

    return vary(_LINKS, numbered)


def allowed_transmissions(stream: OutgoingStream) -> Allowed[tuple[Sent, ...]]:
    """Return what a transmission may send now, in order, by ``sender.transmission``."""

    def sent(chosen: tuple[Reading, ...]) -> Allowed[tuple[Sent, ...]]:
        messages = sender.transmission(stream, _sender_readings(chosen))
        note = "; ".join(map(str, messages)) or "nothing"
        return settled(messages, Step("transmit", "3", sender.TRANSMISSION_RULES, note))

    return vary(_LINKS, sent)


def _receiver_readings(chosen: tuple[Reading, ...]) -> ReceiverReadings:
    readings = ReceiverReadings()
    for choice in (_RECEIVER[reading] for reading in chosen):
        match choice:
            case NewerSequence():
                readings = replace(readings, newer_sequence=choice)
            case NothingAccepted():
                readings = replace(readings, nothing_accepted=choice)
            case TenSeconds():
                readings = replace(readings, ten_seconds=choice)
    return readings


def _sender_readings(chosen: tuple[Reading, ...]) -> SenderReadings:
    readings = SenderReadings()
    for choice in (_SENDER[reading] for reading in chosen):
        match choice:
            case Relinking():
                readings = replace(readings, relinking=choice)
            case FirstOfQueue():
                readings = replace(readings, first_of_queue=choice)
    return readings
