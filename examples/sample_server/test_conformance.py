"""The verdict on single requirements, among the tests of a project; pytest.ini has all cases collected besides."""

import pytest


@pytest.mark.parametrize("requirement", ["MQSD-2.2.3-43", "MQSD-2.2.3-44"])
def test_the_list_of_servers_follows_the_grammar(mqconform, requirement):
    verdict = mqconform(requirement)
    assert verdict.verified, str(verdict)
