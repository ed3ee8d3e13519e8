"""Open places in what a queue manager does: each reading that a scenario sees is a choice of the model."""

import tomllib
from importlib.resources import files
from typing import Any

from mqconform.reference.choice import Choice
from mqconform.reference.mqso import readings

CHOICES = [
    choice
    for place in vars(readings).values()
    if isinstance(place, type) and issubclass(place, Choice)
    for choice in place
]
REQUIREMENTS = files("mqconform.features") / "requirements"
NOT_MODELLED = {
    "QM-04": "a step has an outcome for each reader",
    "QM-09": "the text is followed",
    "QM-65": "what a commit brings has no order before it is looked at",
}


def register() -> dict[str, Any]:
    folder = REQUIREMENTS / "ambiguities"
    texts = [file.read_text(encoding="utf-8") for file in folder.iterdir() if file.name.startswith("mqso_")]
    return {entry["id"]: entry for text in texts for entry in tomllib.loads(text)["ambiguity"]}


def test_every_reading_that_a_scenario_sees_is_a_choice_here() -> None:
    seen = {
        f"{entry['id']}/{reading['id']}"
        for entry in register().values()
        if entry["testable"] and "unseen" not in entry and entry["id"] not in NOT_MODELLED
        for reading in entry["reading"]
        if "unseen" not in reading and set(reading["verdict"].values()) != {"fail"}  # what no world allows
    }
    assert seen - {str(choice.reading) for choice in CHOICES} == set()
