"""Readings of the models against the register, in the profile ``default``, and what rules name, in the catalogue."""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import fields
from importlib.resources import files
from pathlib import Path
from typing import Any

from mqconform.reference.allowed import Reading, Standing, Step
from mqconform.reference.choice import Choice
from mqconform.reference.eod import readings_of_receivers, readings_of_senders, transaction
from mqconform.reference.eod.readings_of_receivers import ReceiverReadings
from mqconform.reference.eod.readings_of_senders import SenderReadings
from mqconform.reference.mqbr import lookups, next_hops, routing_table
from mqconform.reference.mqbr import readings as readings_of_routers
from mqconform.reference.mqsd.client import EVERY_READING, LITERAL, PERMITTED, SENSIBLE, UNDISPUTED
from mqconform.reference.mqsd.client import readings as readings_of_clients
from mqconform.reference.mqso import readings as readings_of_queue_managers

CHOICES = (
    readings_of_receivers,
    readings_of_senders,
    transaction,
    readings_of_clients,
    readings_of_queue_managers,
)


REQUIREMENTS = Path(str(files("mqconform.features"))) / "requirements"


def modelled() -> Iterator[Reading]:
    yield from readings_of_routers.ALL
    for module in CHOICES:
        for place in vars(module).values():
            if isinstance(place, type) and issubclass(place, Choice):
                yield from (choice.reading for choice in place)


def register() -> dict[str, list[dict[str, Any]]]:
    """Return the readings of each entry; that each is followed by an implementation is a matter of lint."""
    texts = [file.read_text("utf-8") for file in (REQUIREMENTS / "ambiguities").iterdir() if file.suffix == ".toml"]
    return {entry["id"]: entry.get("reading", []) for text in texts for entry in tomllib.loads(text)["ambiguity"]}


def test_a_reading_stands_as_the_register_says() -> None:
    """A reading that every profile passes is the text's, one that ``default`` fails is refused."""
    published = {(name, one["id"]): one["verdict"] for name, readings in register().items() for one in readings}
    readings = set(modelled())
    assert len(readings) > 200
    for reading in readings:
        verdicts = published[reading.register, reading.name]
        standing = Standing.TEXT if verdicts["strict"] == "pass" else Standing.PERMITTED
        assert reading.standing is (Standing.REFUSED if verdicts["default"] == "fail" else standing), f"{reading}"


def test_every_requirement_that_a_model_names_is_in_the_catalogue() -> None:
    known = {one["id"] for one in catalogued()}
    reference = Path(__file__).parents[1]
    sources = [file for file in reference.rglob("*.py") if "tests" not in file.relative_to(reference).parts]
    named = {
        one
        for file in sources
        for one in re.findall(r"(?:MQSD|MQSO|MQBR|EOD)-[0-9.]+-B?[0-9]{2}", file.read_text("utf-8"))
    }
    assert len(named) > 200
    assert named - known == set()


def catalogued() -> Iterator[dict[str, Any]]:
    for file in REQUIREMENTS.glob("*.toml"):
        yield from tomllib.loads(file.read_text("utf-8"))["requirement"]


def test_every_deciding_line_is_the_branch_of_some_derivation() -> None:
    branches = {one["id"] for one in catalogued() if one["id"].startswith("MQBR") and one["kind"] == "branch"}
    values = (value for module in (lookups, next_hops, routing_table) for value in vars(module).values())
    used = {branch for value in values if isinstance(value, Step) for branch in value.branches}
    assert branches - used == set()


def test_no_reading_stands_above_the_one_that_is_followed_unless_told_otherwise() -> None:
    for readings in (ReceiverReadings(), SenderReadings(), UNDISPUTED):
        for field in fields(readings):
            chosen = getattr(readings, field.name)
            assert chosen.reading.standing == min(choice.reading.standing for choice in type(chosen))
            assert readings is UNDISPUTED or chosen.reading.standing is Standing.TEXT


def test_the_literal_readings_of_the_register_are_the_literal_ones_here() -> None:
    entries = register()
    for field in fields(LITERAL):
        choice = getattr(LITERAL, field.name)
        readings = {one["id"]: one for one in entries[choice.reading.register]}
        situation = readings[choice.reading.name].get("situation")
        marked = [name for name, one in readings.items() if one.get("literal") and one.get("situation") == situation]
        assert marked in ([], [choice.reading.name])


def test_the_presets_are_permitted() -> None:
    for readings in (LITERAL, UNDISPUTED, SENSIBLE):
        assert all(getattr(readings, field.name).reading.standing < Standing.REFUSED for field in fields(readings))


def test_the_permitted_space_lacks_the_refused_readings_only() -> None:
    refused = {str(one) for place, choices in EVERY_READING.items() for one in choices if one not in PERMITTED[place]}
    assert refused == {
        "SD-12/client-acts-on-requests",
        "SD-52/success (after 15 s)",
        "SD-52/success (at once)",
        "SD-54/remote-access-unknown",
        "SD-58/lists-cleared",
        "SD-59/gross-error-accepted",
        "SD-62/unreachable-names-left-out",
        "SD-64/site-unset",
    }
