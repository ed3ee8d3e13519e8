"""What the tests of the pipeline share: one Spark session for a whole test run, and a small enterprise."""

from collections.abc import Iterator

import pytest

from mqconform.reference.directory import Directory, directory_from_document
from mqconform.reports.pipeline.session import SessionSettings, spark_session


@pytest.fixture(scope="session")
def spark() -> Iterator[object]:
    """A session on two cores of this machine."""
    pytest.importorskip("pyspark", reason="the extra spark is not installed")
    settings = SessionSettings("local[2]", {"spark.sql.shuffle.partitions": "2"})
    with spark_session(settings, "mqconform tests") as session:
        yield session


def guid(number: int) -> str:
    """Return the GUID of a machine of ``three_sites``: 0 to 2 gates, 3 to 5 clients, 6 a client with an Out list."""
    return f"0000000{number}-abcd-4000-8000-00000000beef"


@pytest.fixture(scope="session")
def three_sites() -> Directory:
    """Oslo - Bergen - Tromso in a line; the gates are machines 0 to 2, clients 3 to 5, and 6 has Oslo's gate as Out."""
    places = ("Oslo", "Bergen", "Tromso")
    machines = [
        {"id": guid(number), "name": f"{kind}-{place}", "sites": [place], "routing_server": kind == "gate"}
        for number, (kind, place) in enumerate((kind, place) for kind in ("gate", "client") for place in places)
    ]
    bound = {
        "id": guid(6),
        "name": "bound",
        "sites": ["Oslo"],
        "routing_server": False,
        "out_routing_servers": [guid(0)],
    }
    return directory_from_document(
        {
            "enterprise": {"name": "Nordic"},
            "sites": [{"name": place, "site_gates": [guid(number)]} for number, place in enumerate(places)],
            "routing_links": [
                {"id": "a", "site1": "Oslo", "site2": "Bergen", "cost": 1},
                {"id": "b", "site1": "Bergen", "site2": "Tromso", "cost": 1},
            ],
            "queue_managers": [*machines, bound],
        }
    )
