"""Readings of the models against the register, in the profile ``default``, and what rules name, in the catalogue."""

import re
import tomllib
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from mqconform.reference.allowed import Reading, Standing
from mqconform.reference.choice import Choice
from mqconform.reference.eod import readings_of_receivers, readings_of_senders, transaction
from mqconform.reference.mqbr import readings as readings_of_routers
from mqconform.reference.mqsd.client import readings as readings_of_clients
from mqconform.reference.mqso import readings as readings_of_queue_managers

CHOICES = (
    readings_of_receivers,
    readings_of_senders,
    transaction,
    readings_of_clients,
    readings_of_queue_managers,
)


def modelled() -> Iterator[Reading]:
    yield from readings_of_routers.ALL
    for module in CHOICES:
        for place in vars(module).values():
            if isinstance(place, type) and issubclass(place, Choice):
                yield from (choice.reading for choice in place)


def test_a_reading_stands_as_the_register_says() -> None:
    """A reading that every profile passes is the text's, one that ``default`` fails is refused."""
    folder = files("mqconform.features") / "requirements" / "ambiguities"
    texts = [file.read_text(encoding="utf-8") for file in folder.iterdir() if file.name.endswith(".toml")]
    published = {
        (entry["id"], reading["id"]): reading["verdict"]
        for text in texts
        for entry in tomllib.loads(text)["ambiguity"]
        for reading in entry.get("reading", ())
    }
    readings = set(modelled())
    assert len(readings) > 200
    for reading in readings:
        verdicts = published[reading.register, reading.name]
        standing = Standing.TEXT if verdicts["strict"] == "pass" else Standing.PERMITTED
        assert reading.standing is (Standing.REFUSED if verdicts["default"] == "fail" else standing), f"{reading}"


def test_every_requirement_that_a_model_names_is_in_the_catalogue() -> None:
    catalogues = [file for file in (files("mqconform.features") / "requirements").iterdir() if file.is_file()]
    known = {one["id"] for file in catalogues for one in tomllib.loads(file.read_text("utf-8"))["requirement"]}
    sources = [file for file in Path(__file__).parents[1].rglob("*.py") if "tests" not in file.parts]
    named = {
        one
        for file in sources
        for one in re.findall(r"(?:MQSD|MQSO|MQBR|EOD)-[0-9.]+-B?[0-9]{2}", file.read_text("utf-8"))
    }
    assert len(named) > 200
    assert named - known == set()
