"""A sample with one line changed is convicted of it: over its stdin and stdout, and over UDP.

What a check finds is shown by the mutants, within the harness's process; here it is found from outside.
"""

import shlex
from pathlib import Path

import pytest
from long_tier import LONG
from sample_iuts import FACTS, Judged, judge, served, with_a_fault

pytestmark = pytest.mark.samples
SENDS = "        self._socket.sendto(reply, receiver)\n"
FAULTS_OVER_UDP = [
    ("udp_server.py", SENDS, SENDS * 2, "MQSD-3.2.5-01"),
    ("packets.py", 'raise Malformed(f"a request has', 'raise SystemExit(f"a request has', "MQSD-3.2.5-02"),
]


def test_a_fault_is_found_by_the_scenarios_of_its_requirement(tmp_path: Path):
    lists_always = ('b"" if request.site == self.site else to_array', "to_array")
    target = f"stdio:{shlex.join(with_a_fault(tmp_path, 'discovery_server.py', *lists_always))}"
    assert_convicted(judge(tmp_path / "out", "--iut", target, "--req", "MQSD-2.2.3-13"), "MQSD-2.2.3-13")


@LONG
@pytest.mark.parametrize(("file", "text", "instead", "requirement"), FAULTS_OVER_UDP)
def test_over_udp_a_fault_is_found_by_the_scenarios_of_its_requirement(
    file: str, text: str, instead: str, requirement: str, tmp_path: Path
):
    with served(with_a_fault(tmp_path, file, text, instead), ends_well="SystemExit" not in instead) as where:
        options = ["--iut", f"udp:{where}", "--facts", str(FACTS), "--reply-timeout", "1", "--req", requirement]
        assert_convicted(judge(tmp_path / "out", *options), requirement)


def assert_convicted(done: Judged, requirement: str) -> None:
    assert done.exit_code == 1, done.text
    assert requirement in done.requirements("violated"), done.text
