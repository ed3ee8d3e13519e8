"""What the model allowed: next hops of a router by its calls, replies of a discovery server by its configuration."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import msgspec

from mqconform.harness.iut.conversation import Call, Entry
from mqconform.harness.iut.interface import Json, ServerFacts
from mqconform.harness.iut.server_configurations import model_of
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.records.witness import Witness
from mqconform.reference.directory import QueueManagerId, directory_from_document
from mqconform.reference.directory.reading import DirectoryView, ReadEvent
from mqconform.reference.mqbr import clock
from mqconform.reference.mqbr.clock import RouterState
from mqconform.reference.mqbr.decision import NextHopsDecision, decide_next_hops
from mqconform.reference.mqbr.judgement import Outcome
from mqconform.reference.mqbr.next_hops_judgement import judge_next_hops
from mqconform.reference.mqsd.expected_reply import ExpectedReply, expected_reply
from mqconform.reference.mqsd.guid import guid_text
from mqconform.reference.mqsd.server import Network
from mqconform.reference.mqsd.specification import FACTS

LAST_QUESTIONS = 20


@dataclass(frozen=True, slots=True)
class Question:
    """A question for next hops, with all that it was asked of."""

    number: int
    document: Json
    source: str
    destination: str
    answer: tuple[str | None, ...] | None
    decision: NextHopsDecision

    @property
    def wrong(self) -> bool:
        """Whether no reading allows the answer."""
        return judge_next_hops(self.decision, self.answer).outcome is Outcome.NOT_ALLOWED

    def record(self) -> dict[str, Any]:
        """Return the question as ``allowed.json`` has it."""
        return {
            "call": self.number,
            "source": self.source,
            "destination": self.destination,
            "answer": None if self.answer is None else list(self.answer),
            "allowed_at_all": not self.wrong,
            "allowed": [
                {
                    "next_hops": list(alternative.outcome),
                    "standing": alternative.standing.name.lower(),
                    "readings": sorted(map(str, alternative.readings)),
                    "derivation": [
                        {"procedure": step.procedure, "note": step.note, "requirements": list(step.branches)}
                        for step in alternative.derivation
                    ],
                }
                for alternative in self.decision.allowed
            ],
        }


@dataclass(slots=True)
class Routing:
    """The model led through the calls of a case.

    Attributes:
        document: what the directory holds now; None before it was loaded.
        questions: those asked last, and the last wrong one.
    """

    document: Json | None = None
    view: DirectoryView | None = None
    state: RouterState | None = None
    questions: list[Question] = field(default_factory=list)
    wrong: Question | None = None

    @property
    def enterprise_at_fault(self) -> Json | None:
        """The enterprise that the failure is about: that of the last wrong answer, else the last one."""
        return self.wrong.document if self.wrong else self.document

    def records(self) -> list[dict[str, Any]]:
        """Return the questions as ``allowed.json`` has them."""
        wrong = [self.wrong] if self.wrong and self.wrong not in self.questions else []
        return [question.record() for question in (*wrong, *self.questions)]

    def meet(self, number: int, call: Call) -> None:
        """Follow one call."""
        state, params = self.state, call.params
        match call.method.removeprefix("router."):
            case "load_directory":
                self.document, self.state = params["directory"], None
                self.view = DirectoryView(directory_from_document(self.document))
            case "initialize" if self.view is not None:
                self.state = clock.initialize(self.view, QueueManagerId(params["local"]))
            case "change_directory" if state is not None:
                self.document = params["directory"]
                self.state = clock.change_directory(state, directory_from_document(self.document))
                self.view = self.state.view
            case "fail_directory" if self.view is not None:
                event = None if params["at"] is None else ReadEvent(params["at"])
                self.view = self.view.failing(params["object_type"], event)
                self.state = state and clock.fail_directory(state, params["object_type"], event)
            case "advance_clock" if state is not None:
                self.state = clock.advance_clock(state, params["seconds"])
            case "get_next_hops" if state is not None and self.document is not None:
                self._asked(number, call, self.document, state)
            case _:
                pass

    def _asked(self, number: int, call: Call, document: Json, state: RouterState) -> None:
        answer = tuple(call.result["next_hops"]) if call.result and "next_hops" in call.result else None
        source, destination = call.params["source"], call.params["destination"]
        decision = decide_next_hops(state, QueueManagerId(destination))
        question = Question(number, document, source, destination, answer, decision)
        self.wrong = question if question.wrong else self.wrong
        self.questions = [*self.questions, question][-LAST_QUESTIONS:]


def routing_of(entries: Iterable[Entry]) -> Routing:
    """Return what the model makes of the calls to a router; nothing where there are none."""
    routing = Routing()
    for number, entry in enumerate(entries):
        if isinstance(entry, Call) and entry.method.startswith("router."):
            routing.meet(number, entry)
    return routing


def facts_of(entries: Iterable[Entry], stated: ServerFacts | None) -> ServerFacts | None:
    """Return what the server was configured with last; what is stated where the harness cannot configure it."""
    for entry in reversed(list(entries)):
        if isinstance(entry, Call) and entry.method == "discovery_server.configure":
            return msgspec.convert(entry.params, ServerFacts)
    return stated


def allowed_replies(facts: ServerFacts, witnesses: Iterable[Witness]) -> list[dict[str, Any]]:
    """Return what any conforming reply to each request that failed has in common (MS-MQSD 3.2.5.1)."""
    asked = dict.fromkeys(
        (witness.traffic.request, witness.traffic.network)
        for witness in witnesses
        if witness.judgement.verdict is Verdict.FAIL and len(witness.traffic.request) >= FACTS.request_size
    )
    model = model_of(facts)
    return [_record(request, network, expected_reply(model, Network(network), request)) for request, network in asked]


def _record(request: bytes, network: str, expected: ExpectedReply) -> dict[str, Any]:
    site = expected.responding_site_id
    return {
        "request": request.hex(),
        "network": network,
        "correlation_id": guid_text(expected.correlation_id),
        "connected_networks": [guid_text(network_id) for network_id in expected.connected_networks],
        "mask_bits_set": expected.mask_ones,
        "responding_site_id": None if site is None else guid_text(site),
        "names": [name.decode("utf-16-le", "replace") for name in expected.names],
        "derivation": list(expected.derivation),
    }
