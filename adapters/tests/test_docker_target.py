"""What may stand behind image:, and what is told where it cannot."""

import pytest

from mqconform.adapters.containers.container import size
from mqconform.adapters.containers.target import ImageTarget, parse
from mqconform.harness.iut.interface import ConfigurationError


def test_a_name_alone_is_spoken_to_over_its_standard_streams():
    assert parse("registry.example:5000/my/server:1.2") == ImageTarget("registry.example:5000/my/server:1.2")
    assert parse("server@sha256:" + "a" * 64).name == "server@sha256:" + "a" * 64


def test_options_and_arguments_follow_the_name():
    found = parse(
        "server:1?udp=1802&via=port&memory=1g&pids=9&ready=2.5&env=A=b&env=C=d=e+f discovery-server --name 'a b'"
    )
    assert found == ImageTarget(
        name="server:1",
        arguments=("discovery-server", "--name", "a b"),
        reached="udp",
        port=1802,
        via="port",
        memory=1 << 30,
        pids=9,
        ready=2.5,
        environment=("A=b", "C=d=e+f"),
    )


def test_ways_to_reach_it_have_their_defaults():
    found = parse("s?udp", 1801)
    assert (found.reached, found.port, found.via) == ("udp", 1801, "auto")
    with pytest.raises(ConfigurationError, match="udp is '0'"):
        parse("s?udp")
    assert parse("s?stdio") == parse("s")
    assert parse("s?discovery-client").reached == "discovery-client"


@pytest.mark.parametrize(
    ("target", "told"),
    [
        ("", "names no image"),
        ("?udp", "is not a name of an image"),
        ("--privileged", "is not a name of an image"),
        ("s 'x", "No closing quotation; quote the arguments as for a shell"),
        ("s?privileged", "'privileged' is not an option; the options are stdio, udp, discovery-client, via"),
        ("s?udp&discovery-client", "udp and discovery-client exclude each other"),
        ("s?udp&udp=2", "udp is given twice"),
        ("s?via=veth", "via goes with udp alone"),
        ("s?udp&via=bridge", "via is 'bridge'; expected auto, veth or port"),
        ("s?udp=0", "udp is '0'; expected a port from 1 to 65535"),
        ("s?stdio=1", "stdio is '1'; expected no value"),
        ("s?pids=-1", "pids is '-1'; expected a number from 1 to 999999"),
        ("s?memory=1m", "memory is '1m'; expected 6m or more"),
        ("s?ready=nan", "ready is 'nan'; expected seconds, at most 600"),
        ("s?env=A", "env is 'A'; expected env=NAME=VALUE"),
        ("\x1b[2J\u202e?x", "is not a name of an image"),
    ],
)
def test_what_cannot_work_is_told_with_what_can(target: str, told: str):
    with pytest.raises(ConfigurationError) as caught:
        parse(target, 1801)
    assert told in str(caught.value)
    assert str(caught.value).isprintable()


def test_sizes_are_told_in_the_largest_whole_unit():
    assert [size(one) for one in (1 << 30, 256 << 20, 6_000 << 10, 7_000_001)] == [
        "1 GiB",
        "256 MiB",
        "6000 KiB",
        "7000001 octets",
    ]
