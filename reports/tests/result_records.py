"""Records as runs leave them in a result file, for tests that need no run."""

import json
from pathlib import Path
from typing import Any

FEATURE = "mqsd/3_2_discovery_server"
FOOTER: dict[str, Any] = {
    "record": "footer", "exit_code": 0, "cases": {}, "requirements": {}, "readings": [], "mixed_readings": [],
}  # fmt: skip


def header(profile: str = "default", seed: int = 0, **iut: Any) -> dict[str, Any]:
    """The header of a run; what is named of the IUT stands in place of the usual."""
    usual = {"kind": "api", "target": "api:server:Server", "name": "a server", "version": "2", "vendor": "Example"}
    usual |= {"roles": ["discovery_server"], "capabilities": []}
    told = {"record": "header", "schema": 1, "harness": "mqconform 0.1.0", "specifications": {"MQSD": "13.0"}}
    selection = {"requirements": [], "expression": ""}
    return told | {"profile": profile, "seed": seed, "selection": selection, "iut": usual | iut}


def case(name: str, verdict: str, **more: Any) -> dict[str, Any]:
    required = {"requirements": ["MQSD-3.2.5-01"], "scenario": f"About {name}"}
    return {"record": "case", "id": f"{FEATURE}/{name}", "feature": FEATURE, "verdict": verdict} | required | more


def witness(name: str, verdict: str, **more: Any) -> dict[str, Any]:
    said = {"step": "Then it answers", "expected": "one reply", "observed": "two replies"}
    ids = {"case": f"{FEATURE}/{name}", "requirement": "MQSD-3.2.5-01"}
    return {"record": "witness", "verdict": verdict} | ids | said | more


def requirement(**more: Any) -> dict[str, Any]:
    known = {"id": "MQSD-3.2.5-02", "section": "3.2.5", "level": "must", "kind": "prose", "judged": "wire"}
    rest = {"roles": ["discovery_server"], "summary": "It listens again.", "standing": "unverified", "witnesses": 0}
    return {"record": "requirement"} | known | rest | more


def hostile(text: str, **octets: Any) -> list[dict[str, Any]]:
    """A run in which all that an implementation can send is this text; it was cut off, and has no footer."""
    who = dict.fromkeys(("target", "name", "version", "vendor"), text)
    told = dict.fromkeys(("step", "expected", "observed", "source"), text)
    moment = {
        "at": 1.5,
        **dict.fromkeys(("who", "what", "answer"), text),
        "allowed": [text],
        "rules": ["MQSD-3.2.5-01"],
    }
    return [
        header("strict", 7, **who),
        witness("a", "fail", **told, **octets),
        case("a", "fail", scenario=text, timeline=[moment]),
        case("b", "error", scenario=text, error=text, trace=text, requirements=[]),
    ]


def written(folder: Path, *records: dict[str, Any]) -> Path:
    """Write a result file, and return its folder."""
    folder.mkdir(exist_ok=True)
    (folder / "results.ndjson").write_text("".join(json.dumps(one) + "\n" for one in records), "ascii")
    return folder


def guid(number: int) -> str:
    """Return the GUID of a machine of ``three_sites``: 0 to 2 gates, 3 to 5 clients, 6 a client with an Out list."""
    return f"0000000{number}-abcd-4000-8000-00000000beef"
