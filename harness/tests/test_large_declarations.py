import pytest

from mqconform.harness.iut.interface import IutFault
from mqconform.harness.iut.protocol import check_result
from mqconform.harness.records.iut_description import IutDescription
from mqconform.harness.run import declaration
from mqconform.harness.suite.catalogue import load_catalogue

NAMES = [f"MQSD-9.9-{number:06d}" for number in range(3_000)]
ANSWER = {"protocol": 1, "name": "x", "version": "1", "roles": ["router"], "capabilities": []}


@pytest.mark.parametrize("field", ["roles", "capabilities", "specs", "declined"])
def test_a_declaration_has_a_largest_size(field: str):
    with pytest.raises(IutFault, match=r"expected .* at most \d+"):
        check_result("initialize", ANSWER | {field: dict.fromkeys(NAMES, "1") if field == "specs" else NAMES})


def test_suggestions_are_sought_for_what_is_shown_alone(monkeypatch: pytest.MonkeyPatch):
    asked = []
    monkeypatch.setattr(declaration, "get_close_matches", lambda name, *_, **__: asked.append(name) or [])
    description = IutDescription("x", "1", roles=frozenset({"router"}), declined=frozenset(NAMES[:2_000]))
    remarks = list(declaration.review(description, load_catalogue()))
    assert len([remark for remark in remarks if remark.kind == "unknown"]) == declaration.MOST
    assert len(asked) == declaration.MOST
