"""The picture of the house is the one that the contracts make, and the page names every room."""

import importlib.util
from pathlib import Path

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "docs" / "generated" / "house_picture.py"


def drawing():
    spec = importlib.util.spec_from_file_location("house_picture", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_picture_is_that_of_the_contracts():
    house = drawing()
    assert house.PICTURE.read_text("utf-8") == house.picture(), f"run python {SCRIPT.relative_to(ROOT)}"


def test_the_page_speaks_of_every_room_and_of_no_other():
    page = (ROOT / "docs" / "explanation" / "architecture.md").read_text("utf-8")
    rooms = {package.rpartition(".")[2] for floor in drawing().floors() for package in floor if "harness." in package}
    assert rooms == {path.parent.name for path in (ROOT / "harness").glob("*/__init__.py")}
    assert [room for room in rooms if f"`{room}`" not in page] == []
