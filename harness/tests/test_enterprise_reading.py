"""Enterprise files are read strictly: what is wrong is named with its file, path, line and remedy, in bounded time."""

import io
import json
import re
import sys
from pathlib import Path

import pytest

from mqconform.harness.tools.enterprise.file import Format, UnreadableEnterprise, read_enterprise

GOOD = {
    "enterprise": {"name": "E"},
    "sites": [{"name": "A", "site_gates": ["GW"]}, {"name": "NO"}],
    "routing_links": [{"site1": "A", "site2": "NO", "cost": 3}],
    "queue_managers": [{"name": "GW", "sites": ["A"], "routing_server": True}],
}
JSON = json.dumps(GOOD, indent=1)
YAML = """\
enterprise: {name: E}
sites:
  - name: A
    site_gates: [GW]
  - {name: NO}
routing_links:
  - site1: A
    site2: NO
    cost: 3
queue_managers:
  - {name: GW, sites: [A], routing_server: true}
"""


def written(folder: Path, name: str, content: str | bytes) -> str:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return str(path)


def refusal(folder: Path, name: str, content: str | bytes, **options: int) -> str:
    path = written(folder, name, content)
    with pytest.raises(UnreadableEnterprise) as caught:
        read_enterprise(path, **options)
    assert caught.value.file == path
    return str(caught.value).replace(path, name)


def test_json_and_yaml_describe_the_same_directory(tmp_path: Path):
    as_json = read_enterprise(written(tmp_path, "e.json", JSON))
    as_yaml = read_enterprise(written(tmp_path, "e.yaml", YAML))
    assert as_json.directory == as_yaml.directory
    assert [site.name for site in as_json.directory.sites] == ["A", "NO"]
    assert (as_json.format, as_yaml.format) == (Format.JSON, Format.YAML)


def test_a_name_that_tells_no_format_leaves_it_to_the_first_character(subtests: pytest.Subtests, tmp_path: Path):
    for name, content, form in [("e", JSON, Format.JSON), ("e.txt", YAML, Format.YAML)]:
        with subtests.test(name=name):
            assert read_enterprise(written(tmp_path, name, content)).format is form


def test_a_dash_reads_the_standard_input(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(YAML.encode())))
    assert read_enterprise("-").directory.enterprise.name == "E"


def test_bad_json_gets_one_clear_error(subtests: pytest.Subtests, tmp_path: Path):
    for broken, message in [
        (JSON[:200], "e.json:20: routing_links[0]: the JSON text ends too early"),
        (JSON.replace("3", '"three"'), "e.json:20: routing_links[0].cost: is 'three'"),
        (JSON.replace("3", "-3"), "e.json:20: routing_links[0].cost: is -3"),
        (JSON.replace("3", "true"), "e.json:20: routing_links[0].cost: is True"),
        (JSON.replace("3", "NaN"), "e.json:20: routing_links[0].cost: NaN is not a number"),
        (JSON.replace("3", "9" * 5000), "e.json:20: routing_links[0].cost: 9999"),
        (JSON.replace('"cost": 3', '"cost": 3,\n"cost": 4'), "e.json:21: routing_links[0].cost: is written twice in"),
        (JSON.replace('"E"', '"\\ud800"'), "e.json:3: enterprise.name: holds half of a"),
        (JSON.replace('"GW"\n', '"GX"\n'), "no queue manager has the name 'GX'"),
        (JSON[:-1] + ',"more": 1}', "e.json:32: more: is not a known key"),
        (JSON.replace('"cost": 3', '"costs": 3'), "routing_links[0].cost: is missing"),
        ("[1, 2]", "must be an object with the keys"),
        ("[" * 1_000_000, "is nested too deeply"),
        ("nonsense", "e.json:1: is not valid JSON: Expecting value"),
        (" \n", "is empty"),
        (JSON.encode("utf-16"), "octet 0 is not UTF-8; save the file as UTF-8"),
        (b'{\n"\xff"', "e.json:2: octet 3 is not UTF-8"),
    ]:
        with subtests.test(message=message):
            assert message in refusal(tmp_path, "e.json", broken)


def test_bad_yaml_gets_one_clear_error(subtests: pytest.Subtests, tmp_path: Path):
    for broken, message in [
        (YAML.replace("3", "three"), "e.yaml:9: routing_links[0].cost: is 'three'"),
        (YAML.replace("3", ".NaN"), "e.yaml:9: routing_links[0].cost: .NaN is not a number"),
        (YAML.replace("3", "9" * 5000), "e.yaml:9: routing_links[0].cost: 999"),
        (YAML.replace("3", "3\n    cost: 4"), "e.yaml:10: routing_links[0].cost: is written twice"),
        ("a: &x [lol]\nb: [*x, *x]", "e.yaml:1: a: uses an anchor or alias"),
        ("a: !!python/object/apply:os.abort []", "e.yaml:1: a: has the tag tag:yaml.org"),
        ("[" * 1_000_000, "is nested too deeply"),
        ("\n".join(" " * deep + "-" for deep in range(3000)), "is nested too deeply"),
        ("? [a, b]\n: c", "e.yaml:1: has a key that is no text"),
        ("--- {}\n--- {}", "e.yaml:2: holds a second YAML document"),
        ("a:\n\t- b", "e.yaml:2: a: is not valid YAML: while scanning"),
        ("a: 1\nb: \x01", "e.yaml:2: holds a character that YAML forbids"),
        ("# only a comment", "is empty"),
        (YAML + "12: x", "e.yaml:12: 12: is not a known key"),
        ("<<: {a: 1}", "<<: is not a known key"),
    ]:
        with subtests.test(message=message):
            assert message in refusal(tmp_path, "e.yaml", broken)


def test_what_was_meant_to_be_a_guid_is_no_name(subtests: pytest.Subtests, tmp_path: Path):
    for guid, length in [
        ("00000000-0000-0000-0000-00000000000", 35),
        ("{00000000-0000-0000-0000-000000000000}", 38),
        ("0000-00000000-0000-0000-000000000000", 36),
    ]:
        with subtests.test(guid=guid):
            for place in ('"A"', '"GW"', '"E"'):
                message = refusal(tmp_path, "e.json", JSON.replace(f'"name": {place}', f'"id": "{guid}"'))
                assert f"'{guid}' looks like a GUID but has {length} characters" in message
            message = refusal(tmp_path, "e.json", JSON.replace('"site2": "NO"', f'"site2": "{guid}"'))
            assert message.startswith("e.json:19: routing_links[0].site2: ")


def test_a_file_that_is_too_large_is_refused_unless_permitted(tmp_path: Path):
    message = refusal(tmp_path, "e.json", JSON, max_size=300)
    assert message == "e.json: is larger than 300 octets; if it is an enterprise, permit more by --max-size"
    assert read_enterprise(str(tmp_path / "e.json"), max_size=10_000).directory.sites


def test_an_endless_file_is_read_no_further_than_permitted():
    with pytest.raises(UnreadableEnterprise, match="is larger than 1000 octets"):
        read_enterprise("/dev/zero", max_size=1000)


def test_a_file_of_nothing_but_small_values_is_refused_before_it_fills_the_memory(
    subtests: pytest.Subtests, tmp_path: Path
):
    for name in ["e.json", "e.yaml"]:
        with subtests.test(name=name):
            message = refusal(tmp_path, name, "[" + "[]," * 5000 + "[]]", max_size=16_000)
            assert re.search("holds more than (1000|500) values", message)


def test_a_file_that_cannot_be_opened_is_an_error_of_the_user(subtests: pytest.Subtests):
    for name in ["missing.json", ".", "a\0b"]:
        with subtests.test(name=name), pytest.raises(UnreadableEnterprise, match="name a JSON or YAML file"):
            read_enterprise(name)


def test_faults_without_number_are_counted_not_listed(tmp_path: Path):
    links = [{"site1": "A", "site2": "NO", "cost": "x"}] * 500
    lines = refusal(tmp_path, "e.json", json.dumps(GOOD | {"routing_links": links}, indent=1)).splitlines()
    assert len(lines) == 11
    assert lines[-1] == "and 490 more"
    assert lines[0].startswith("e.json:")


def test_every_place_of_a_file_has_its_line(subtests: pytest.Subtests, tmp_path: Path):
    for name, content in [("e.json", JSON), ("e.yaml", YAML)]:
        with subtests.test(name=name):
            paths = ["routing_links[0].cost", "queue_managers[0]", "sites[1].name", "sites[1].site_gates[3]", ""]
            lines = read_enterprise(written(tmp_path, name, content)).lines(paths)
            texts = content.splitlines()
            assert "cost" in texts[lines["routing_links[0].cost"] - 1]
            assert "NO" in texts[lines["sites[1].name"] - 1]
            assert lines["sites[1].site_gates[3]"] in {lines["sites[1].name"], lines["sites[1].name"] - 1}
            assert lines[""] == 1


def test_yaml_text_is_what_it_looks_like(tmp_path: Path):
    names = ["NO", "yes", "off", "1:30", "2001-01-01", "0o7", "1e3", "0x1F", "'12'", '"true"', "a:b"]
    listed = "\n".join(f"  - {{name: {name}}}" for name in names)
    content = f"enterprise: {{name: E}}\nsites:\n{listed}\nrouting_links: []\nqueue_managers: []\n"
    directory = read_enterprise(written(tmp_path, "e.yaml", content)).directory
    assert [site.name for site in directory.sites] == [*names[:8], "12", "true", "a:b"]
