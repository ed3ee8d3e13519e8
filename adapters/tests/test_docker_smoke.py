"""What the gate tries of containers: one that is spoken to, told to end, and gone."""

import re

from mqconform.adapters.containers.engine import Engine
from mqconform.adapters.containers.iut import open_iut
from mqconform.adapters.containers.labels import LABEL
from mqconform.harness.iut.interface import AdapterOptions


def test_a_container_is_spoken_to_over_its_standard_streams_and_ends_as_it_is_told(engine: Engine, unruly: str):
    iut = open_iut(unruly, AdapterOptions(deadline=60))
    assert iut.call("initialize", {"protocol": 1, "harness": "tests"})["name"] == "unruly"
    assert iut.call("reset", {})["protocol"] == 1
    assert len(engine.api.containers(filters={"label": LABEL})) >= 1
    assert iut.call("shutdown", {})
    said = iut.evidence()
    limits = "with 256 MiB of memory, 256 processes"
    assert re.fullmatch(rf"image {unruly} \([0-9a-f]{{12}}, linux/\w+, user 1000\), {limits}", said[0])
    assert said[1] == "process: exit status 0; connection over: shutdown"
    iut.close()
