"""Queue managers over stdin and stdout, each the Python sample with one change: twelve faults and as many choices.

A fault is found by the sentences that it breaks; a choice is left alone.
"""

import shlex
from pathlib import Path

import pytest
from long_tier import mostly_long
from sample_iuts import judge, with_a_fault

FILE = "queue_manager.py"
AT_COMMIT = """\
            gone = mine + taken if commit else mine
            queue.messages = [message for message in queue.messages if message not in gone]
            queue.messages += mine if commit else []
"""
FAULTS: list[tuple[str, str, str, set[str]]] = [
    (
        "seen-before-commit",
        "return self.sent_in is None and self.received_in is None",
        "return self.received_in is None",
        {"MQSO-3.3.4.4-01", "MQSO-4.3.1.2-04"},
    ),
    ("abort-loses", "gone = mine + taken if commit else mine", "gone = mine + taken", {"MQSO-3.3.4.7-02"}),
    (
        "abort-puts-last",
        AT_COMMIT,
        (
            "            queue.messages = [message for message in queue.messages if message not in mine + taken]\n"
            "            queue.messages += mine if commit else taken\n"
        ),
        {"MQSO-5.1.1.2-01"},
    ),
    (
        "recoverable-lost",
        "if message.recoverable or message.transactional]",
        "if message.transactional]",
        {"MQSO-1.1-05", "MQSO-3.2.1-02", "MQSO-5.5.1-07"},
    ),
    (
        "express-kept",
        " if message.recoverable or message.transactional]",
        "]",
        {"MQSO-1.1-03", "MQSO-3.2.1-01", "MQSO-5.1.1.3-03", "MQSO-5.5.1-08"},
    ),
    (
        "purge-ends-waits",
        "        queue.messages = [message for message in queue.messages if not message.visible]\n",
        (
            "        queue.messages = [message for message in queue.messages if not message.visible]\n"
            "        self._fail(queue.readers)\n"
            "        queue.readers = []\n"
        ),
        {"MQSO-5.1.1.2-13"},
    ),
    (
        "never-expires",
        "message.expires is not None and message.expires <= self.now",
        "False",
        {"MQSO-5.1.1.3-04", "MQSO-5.1.1.3-05"},
    ),
    ("dead-letters-unasked", "if message.dead_letter:", "if True:", {"MQSO-5.1.1.3-18"}),
    ("too-much-room", "len(queue.messages) >= queue.room", "len(queue.messages) > queue.room", {"MQSO-5.1.1.2-07"}),
    (
        "deleted-waits",
        "        del self.queues[name]\n        self._fail(readers)\n",
        "        del self.queues[name]\n",
        {"MQSO-3.3.4.6-05"},
    ),
    (
        "ack-of-another",
        '"of": message.identity,',
        '"of": next((m.identity for q in self.queues.values() for m in q.messages), message.identity),',
        {"MQSO-6.1.6.5-01"},
    ),
    (
        "two-get-one",
        "            reader = queue.readers.pop(0)\n            answer",
        (
            "            reader = queue.readers.pop(0)\n"
            "            for other in queue.readers:\n"
            "                shown = {'message': queue.visible[0].key, 'id': queue.visible[0].identity}\n"
            "                self.ended.append({'operation': other.operation, 'message': shown})\n"
            "            queue.readers = []\n"
            "            answer"
        ),
        {"MQSO-5.1.1.2-09"},
    ),
]
"""Name, what stands there, what stands there instead, and the requirements that it breaks."""
CHOICES: list[tuple[str, str, str, str]] = [
    (
        "waits-no-time",
        "if request.wait == 0 or request.cursor is not None",
        "if request.cursor is not None",
        "QM-03/waits-no-time",
    ),
    (
        "refuses-later",
        'raise Failure("the queue is full")',
        'return self._tell(message, "negative")',
        "QM-19/refused-later",
    ),
    (
        "keeps-handles",
        "self.handles, self.cursors, self.transactions = {}, {}, {}",
        "self.cursors, self.transactions = {}, {}",
        "",
    ),
    (
        "forgets-waits",
        "        self._end_waits(lambda _: True)\n        for queue in self.queues.values():\n",
        "        for queue in self.queues.values():\n            queue.readers = []\n",
        "",
    ),
    ("purge-takes-locked", "if not message.visible]", "if message.sent_in is not None]", ""),
    (
        "send-order",
        AT_COMMIT,
        (
            "            gone = taken if commit else mine\n"
            "            queue.messages = [message for message in queue.messages if message not in gone]\n"
        ),
        "",
    ),
    ("full-refuses-all", "(self.full and (message.recoverable or transaction is not None))", "self.full", ""),
    (
        "deleted-in-time",
        "        self._fail(readers)\n\n    def purge",
        '        self.queues["deleted"] = Queue(readers=readers)\n\n    def purge',
        "",
    ),
    ("keeps-unasked", "if message.dead_letter:", "if message.dead_letter or message.transactional:", ""),
    ("last-reader-first", "queue.readers.pop(0)", "queue.readers.pop()", ""),
    ("late-expiry", "        if self.running:\n            self._expire()\n        self._end", "        self._end", ""),
    (
        "wrong-kind-later",
        '            raise Failure("a transactional queue takes',
        (
            "            if transaction is None:\n"
            "                if message.dead_letter:\n"
            '                    self._put("system:dead_letter", message)\n'
            '                return self._tell(message, "negative")\n'
            '            raise Failure("a transactional queue takes'
        ),
        "QM-12/refused-later",
    ),
]
"""Name, what stands there, what stands there instead, and the reading that a run has to name where one shows."""


@pytest.mark.parametrize(
    ("name", "text", "instead", "broken"), mostly_long(FAULTS, first=["purge-ends-waits", "ack-of-another"])
)
def test_a_fault_violates_what_it_breaks(name: str, text: str, instead: str, broken: set[str], tmp_path: Path):
    command = with_a_fault(tmp_path, FILE, text, instead)
    about = [word for one in sorted(broken) for word in ("--req", one)]
    done = judge(tmp_path / "out", "--iut", f"stdio:{shlex.join(command)}", *about)
    assert done.exit_code == 1, name
    assert broken <= done.requirements("violated")


@pytest.mark.parametrize(("name", "text", "instead", "reading"), mostly_long(CHOICES, first=["refuses-later"]))
def test_a_permitted_choice_is_left_alone(name: str, text: str, instead: str, reading: str, tmp_path: Path):
    command = with_a_fault(tmp_path, FILE, text, instead)
    done = judge(tmp_path / "out", "--iut", f"stdio:{shlex.join(command)}", "--req", "MQSO")
    assert done.exit_code == 0, name + done.text
    assert {one["verdict"] for one in done.of("case") if one.get("excused") != "unsupported"} == {"pass"}
    assert reading in done.text
