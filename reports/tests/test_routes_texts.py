"""GUIDs in text have the numbers of their machines, and a column is known to hold identifiers letter by letter."""

import random
from uuid import UUID

import pyarrow as pa
import pytest

from mqconform.reference.directory import Directory, Enterprise, QueueManager, QueueManagerId
from mqconform.reference.directory.elements import EnterpriseId
from mqconform.reference.mqbr.bulk import ABSENT, BulkOracle
from mqconform.reports.pipeline.routes.machine_columns import INVALID, MachineNumbers

STRANGER = "ffffffff-abcd-4000-8000-00000000beef"


@pytest.fixture(scope="module")
def machines(three_sites: Directory) -> MachineNumbers:
    return MachineNumbers(BulkOracle(three_sites))


def guid(number: int) -> str:
    return f"0000000{number}-abcd-4000-8000-00000000beef"


def test_every_text_has_the_number_of_its_identifier():
    draw = random.Random(4)
    identifiers = [str(UUID(int=draw.getrandbits(128))) for _ in range(5_000)]
    machines = (QueueManager(QueueManagerId(identifier), "", (), routing_server=False) for identifier in identifiers)
    directory = Directory(Enterprise(EnterpriseId(identifiers[0]), ""), (), (), tuple(machines))
    asked = draw.choices(range(5_000), k=20_000)
    found = MachineNumbers(BulkOracle(directory)).of("source", pa.array([identifiers[place] for place in asked]))
    assert found.numbers.tolist() == asked
    assert found.as_identifiers


@pytest.mark.parametrize("many", [1, 3_000])
def test_strangers_capitals_and_braces_among_identifiers_are_read_on(machines: MachineNumbers, many: int):
    texts = [guid(3), STRANGER, guid(4).upper(), "z" * 36, guid(0)] * many
    found = machines.of("source", pa.array(texts))
    assert found.numbers.tolist() == [3, ABSENT, 4, INVALID, 0] * many
    assert not found.as_identifiers
    found = machines.of("source", pa.array([guid(3), f"{{{guid(4)}}}", None]))
    assert found.numbers[:2].tolist() == [3, 4]


def test_parts_of_a_column_and_capitals_alone_are_read(machines: MachineNumbers):
    column = pa.array(["x", *map(guid, range(6))])
    found = machines.of("source", column.slice(2, 4))
    assert (found.numbers.tolist(), found.as_identifiers) == ([1, 2, 3, 4], True)  # begins at an odd place
    capitals = machines.of("source", pa.array([guid(5).upper()] * 5_000))
    assert (set(capitals.numbers.tolist()), capitals.as_identifiers) == ({5}, False)
    kept = machines.of("source", pa.array([guid(5).upper(), guid(1)]))
    assert (kept.numbers.tolist(), kept.as_identifiers) == ([5, 1], False)
