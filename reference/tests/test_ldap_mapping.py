"""From objects of Active Directory to a directory: every row of the mapping, good and bad, and each finding."""

from collections.abc import Iterator

import pytest

from mqconform.reference.directory.ldap_entries import object_records
from mqconform.reference.directory.ldap_gates import GatePolicy, Gates, UnknownGate
from mqconform.reference.directory.ldap_mapping import ImportedDirectory, import_directory

RawEntry = tuple[str, dict[str, tuple[bytes, ...]]]

ROOT = "DC=contoso,DC=test"
CONFIGURATION = f"CN=Configuration,{ROOT}"
OSLO, ROME = bytes.fromhex("61baeae6c6d1db11baac0003ff4e2d22"), bytes(range(16))
OSLO_TEXT, ROME_TEXT = "e6eaba61-d1c6-11db-baac-0003ff4e2d22", "03020100-0504-0706-0809-0a0b0c0d0e0f"
GATE_O, GATE_R, CLIENT, LINK, FOREST = (bytes([number]) * 16 for number in (0xA0, 0xA1, 0xA2, 0xB0, 0xC0))


def text_of(one: bytes) -> str:
    """The GUID of sixteen equal octets, whose order does not show."""
    digits = one.hex()
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


def entry(name: str, kind: str, guid: bytes | None, **attributes: bytes | tuple[bytes, ...]) -> RawEntry:
    held = {key: value if isinstance(value, tuple) else (value,) for key, value in attributes.items()}
    identity = {"objectGUID": (guid,)} if guid is not None else {}
    return name, {"objectClass": (b"top", kind.encode())} | identity | held


def site(name: str, guid: bytes | None, **attributes: bytes | tuple[bytes, ...]) -> RawEntry:
    return entry(f"CN={name},CN=Sites,{CONFIGURATION}", "site", guid, **({"cn": name.encode()} | attributes))


def computer(name: str, **attributes: bytes | tuple[bytes, ...]) -> RawEntry:
    plain = {"dNSHostName": f"{name}.contoso.test".encode(), "servicePrincipalName": f"HOST/{name}".encode()}
    return entry(f"CN={name},CN=Computers,{ROOT}", "computer", None, **(plain | attributes))


def machine(name: str, guid: bytes | None, *sites: bytes, **attributes: bytes | tuple[bytes, ...]) -> RawEntry:
    plain: dict[str, bytes | tuple[bytes, ...]] = {"mSMQSites": sites} if sites else {}
    return entry(queue_manager(name), "mSMQConfiguration", guid, **(plain | attributes))


def queue_manager(name: str) -> str:
    return f"CN=msmq,CN={name},CN=Computers,{ROOT}"


def settings(name: str, place: str, owner: bytes | None, **attributes: bytes) -> RawEntry:
    plain = {"mSMQQMID": owner} if owner else {}
    where = f"CN=MSMQ Settings,CN={name},CN=Servers,CN={place},CN=Sites,{CONFIGURATION}"
    return entry(where, "mSMQSettings", None, **(plain | attributes))


def link(*gates: str, **attributes: bytes | tuple[bytes, ...]) -> RawEntry:
    plain: dict[str, bytes | tuple[bytes, ...]] = {
        "mSMQSite1": f"CN=Oslo,CN=Sites,{CONFIGURATION}".encode(),
        "mSMQSite2": f"cn=ROME, CN=Sites,{CONFIGURATION}".encode(),
        "mSMQCost": b"7",
        "mSMQSiteGates": tuple(queue_manager(gate).encode() for gate in gates),
    }
    name = f"CN={(OSLO_TEXT + ROME_TEXT).replace('-', '')},CN=MsmqServices,CN=Services,{CONFIGURATION}"
    return entry(name, "mSMQSiteLink", LINK, **(plain | attributes))


def forest(*further: RawEntry) -> list[RawEntry]:
    """A sound forest of two sites; further entries replace those of the same name."""
    routing = {"mSMQRoutingServices": b"TRUE", "mSMQServiceType": b"1"}
    sound = [
        entry(f"CN=MsmqServices,CN=Services,{CONFIGURATION}", "mSMQEnterpriseSettings", FOREST, mSMQVersion=b"200"),
        site("Oslo", OSLO),
        site("Rome", ROME),
        link("gate-o", "gate-r"),
        *(computer(name) for name in ("gate-o", "gate-r", "client")),
        machine("gate-o", GATE_O, OSLO, **routing),
        machine("gate-r", GATE_R, ROME, **routing),
        machine("client", CLIENT, OSLO, mSMQOutRoutingServers=queue_manager("gate-o").encode()),
        settings("gate-o", "Oslo", GATE_O, mSMQRoutingService=b"TRUE"),
        settings("gate-r", "Rome", GATE_R, mSMQRoutingService=b"TRUE"),
    ]
    replaced = {one[0]: one for one in further}
    kept = [replaced.pop(one[0], one) for one in sound]
    return [*kept, *replaced.values()]


def without(*names: str) -> list[RawEntry]:
    return [one for one in forest() if not any(name in one[0] for name in names)]


def codes(imported: ImportedDirectory) -> list[str]:
    return [finding.code.value for finding in imported.findings]


def test_a_sound_forest_is_read_without_findings():
    imported = import_directory(forest())
    assert imported.findings == ()
    directory = imported.directory
    assert (directory.enterprise.identifier, directory.enterprise.name) == (text_of(FOREST), ROOT)
    assert [(one.identifier, one.name) for one in directory.sites] == [(ROME_TEXT, "Rome"), (OSLO_TEXT, "Oslo")]
    only = directory.routing_links[0]
    assert (only.site1_identifier, only.site2_identifier, only.actual_cost) == (OSLO_TEXT, ROME_TEXT, 7)
    assert [one.site_gate_collection for one in directory.sites] == [(text_of(GATE_R),), (text_of(GATE_O),)]
    machines = {one.name: one for one in directory.queue_managers}
    assert machines["client"].out_routing_server_identifier_list == (text_of(GATE_O),)
    assert machines["client"].site_identifier_list == (OSLO_TEXT,)
    assert (machines["gate-o"].routing_server, machines["client"].routing_server) == (True, False)


BAD: list[tuple[str, list[RawEntry], list[str]]] = [
    ("no-enterprise", without("CN=MsmqServices,CN=Services"), ["DIR-01"]),
    (
        "two-enterprises",
        forest(entry(f"CN=Old,CN=Services,{CONFIGURATION}", "mSMQEnterpriseSettings", b"\xff" * 16)),
        ["DIR-01"],
    ),
    ("foreign-twice", forest(site("Rome", ROME, mSMQSiteForeign=(b"FALSE", b"TRUE"))), ["DIR-02"]),
    ("no-cost", forest(link(mSMQCost=())), ["DIR-03"]),
    ("negative-cost", forest(link(mSMQCost=b"-1")), ["DIR-03"]),
    ("cost-too-high", forest(link(mSMQCost=b"1000000")), ["DIR-03"]),
    ("cost-no-number", forest(link(mSMQCost=b"7x")), ["DIR-03", "DIR-15"]),
    ("site-gone", forest(link(mSMQSite2=f"CN=Kyiv,CN=Sites,{CONFIGURATION}".encode())), ["DIR-05"]),
    ("no-site", forest(link(mSMQSite1=())), ["DIR-05"]),
    (
        "gate-deleted",
        forest(link("gate-o", mSMQSiteGates=b"CN=msmq\\0ADEL:00,CN=Deleted Objects," + ROOT.encode())),
        ["DIR-06"],
    ),
    ("gate-is-a-computer", forest(link(mSMQSiteGates=f"CN=gate-o,CN=Computers,{ROOT}".encode())), ["DIR-06"]),
    ("machine-in-no-site", forest(machine("client", CLIENT)), ["DIR-08"]),
    ("machine-in-unknown-site", forest(machine("client", CLIENT, b"\x77" * 16)), ["DIR-08"]),
    ("bit-without-flag", forest(machine("client", CLIENT, OSLO, mSMQServiceType=b"17")), ["DIR-09"]),
    ("server-gone", forest(machine("client", CLIENT, OSLO, mSMQInRoutingServers=b"CN=gone")), ["DIR-10"]),
    ("no-host-name", forest(computer("client", dNSHostName=())), ["DIR-11"]),
    ("no-principal", forest(computer("client", servicePrincipalName=())), ["DIR-11"]),
    ("no-computer", [one for one in forest() if not one[0].startswith("CN=client,")], ["DIR-11"]),
    ("no-owner", forest(settings("old", "Oslo", b"\x55" * 16)), ["DIR-12"]),
    ("no-settings", without("CN=MSMQ Settings,CN=gate-o"), ["DIR-12"]),
    ("other-flag", forest(settings("gate-o", "Oslo", GATE_O, mSMQRoutingService=b"FALSE")), ["DIR-13"]),
    ("settings-elsewhere", forest(settings("gate-o", "Rome", GATE_O)), ["DIR-13"]),
    ("no-guid", forest(machine("client", None, OSLO)), ["DIR-15"]),
    ("guid-too-short", forest(machine("client", b"\x01" * 15, OSLO)), ["DIR-15", "DIR-15"]),
    ("two-costs", forest(link("gate-o", "gate-r", mSMQCost=(b"9", b"8"))), ["DIR-15"]),
    ("flag-no-flag", forest(machine("client", CLIENT, OSLO, mSMQForeign=b"maybe")), ["DIR-15"]),
    ("conflict", forest(site("Rome\\0ACNF:1", b"\x33" * 16)), ["DIR-15"]),
    ("ranged", forest(machine("client", CLIENT, OSLO, **{"mSMQSites;range=0-1499": OSLO})), ["DIR-16"]),
    ("settings-of-another", forest(settings("gate-o", "Oslo", GATE_R)), ["DIR-12", "DIR-12", "DIR-13"]),
    ("one-identifier", forest(machine("twin", CLIENT, OSLO), computer("twin")), ["DIR-17"]),
    ("one-identifier-of-two-kinds", forest(machine("twin", OSLO, OSLO), computer("twin")), ["DIR-17"]),
    ("one-name", forest(site("Oslo,CN=Old", b"\x33" * 16, cn=b"oslo")), ["DIR-18"]),
    ("one-pair-of-sites", [*forest(), ("CN=x", link()[1] | {"objectGUID": (b"\x44" * 16,)})], ["DIR-04", "DIR-19"]),
    ("no-class", [*forest(), ("CN=what", {"cn": (b"what",)})], ["DIR-16"]),
]


def test_each_fault_has_its_finding():
    found = {name: codes(import_directory(entries)) for name, entries, _ in BAD}
    assert found == {name: expected for name, _, expected in BAD}


def test_a_link_named_otherwise_is_read_with_a_finding():
    (_, held) = link("gate-o", "gate-r")
    entries = [*without("CN=MsmqServices"), ("CN=x,CN=MsmqServices", held), forest()[0]]
    imported = import_directory(entries)
    assert codes(imported) == ["DIR-04"]
    assert len(imported.directory.routing_links) == 1


def test_a_deleted_object_is_left_out():
    gone = machine("client\\0ADEL:1", b"\x44" * 16, OSLO)
    assert codes(import_directory([*forest(), gone])) == ["DIR-15"]
    assert len(import_directory([*forest(), gone]).directory.queue_managers) == 3


def test_an_object_that_is_there_twice_counts_once():
    imported = import_directory([*forest(), site("Oslo", ROME)])
    assert codes(imported) == ["DIR-15"]
    assert imported.directory == import_directory(forest()).directory


def test_without_computers_there_is_one_finding():
    entries = [one for one in forest() if b"computer" not in one[1]["objectClass"]]
    assert codes(import_directory(entries)) == ["DIR-16"]


def partitions(*names: str) -> Iterator[RawEntry]:
    for name in names:
        held = {"nCName": name.encode(), "systemFlags": b"3"}
        yield entry(f"CN={name[3:6]},CN=Partitions,{CONFIGURATION}", "crossRef", None, **held)


def test_domains_that_were_not_read_are_named():
    imported = import_directory([*forest(), *partitions(ROOT, f"DC=sub,{ROOT}")])
    assert codes(imported) == ["DIR-16"]
    assert f"no queue manager of DC=sub,{ROOT} was read" in imported.findings[0].text
    assert codes(import_directory([*forest(), *partitions(ROOT)])) == []


def test_a_gate_elsewhere_is_told_and_is_no_gate_of_either_site():
    third = b"\x66" * 16
    away = machine("away", b"\xee" * 16, third, mSMQRoutingServices=b"TRUE", mSMQServiceType=b"1")
    entries = forest(
        link("gate-o", "away"), site("Bonn", third), away, computer("away"), settings("away", "Bonn", b"\xee" * 16)
    )
    imported = import_directory(entries)
    assert codes(imported) == ["DIR-07"]
    gates = {one.name: one.site_gate_collection for one in imported.directory.sites}
    assert gates == {"Oslo": (text_of(GATE_O),), "Rome": (), "Bonn": ()}


def test_gates_of_links_are_gates_of_both_ends_where_the_policy_says_so():
    sites = import_directory(forest(), Gates(GatePolicy.LINKS)).directory.sites
    assert [one.site_gate_collection for one in sites] == [(text_of(GATE_O), text_of(GATE_R))] * 2


def test_a_list_of_gates_that_does_not_fit_is_refused():
    for listed in ({"Kyiv": ["client"]}, {"Oslo": ["nobody"]}):
        with pytest.raises(UnknownGate, match="of the directory is called"):
            import_directory(forest(), Gates(GatePolicy.FILE, listed))


STUBS = [site("Oslo", OSLO, mSMQNt4Stub=b"0"), site("Rome", ROME, mSMQNt4Stub=b"0")]


LETTER = [
    ("no-stub", [], "sites", "DIR-14"),
    ("gate-gone", [*STUBS, link("gate-o", "gone")], "routing_links", "DIR-06"),
    ("no-principal", [*STUBS, computer("client", servicePrincipalName=())], "queue_managers", "DIR-11"),
]


def test_to_the_letter_one_bad_object_spoils_its_class():
    for name, further, spoiled, code in LETTER:
        imported = import_directory(forest(*further), literal=True)
        assert getattr(imported.directory, spoiled) == (), name
        assert code in codes(imported), name
        assert getattr(import_directory(forest(*further)).directory, spoiled) != (), name


def test_a_snapshot_keeps_objects_and_of_computers_those_with_queue_managers():
    records = object_records(import_directory([*forest(), computer("laptop")]).entries)
    assert not any("laptop" in one["dn"] for one in records)
    first = next(one for one in records if one["class"] == "mSMQConfiguration" and "gate-o" in one["dn"])
    assert first["attributes"] == {"mSMQRoutingServices": True, "mSMQServiceType": 1, "mSMQSites": [OSLO_TEXT]}


def test_no_name_is_too_odd_to_be_read():
    for name in ("", ",", "=", "CN", "\\", "CN=a\\", "CN=\\zz", "CN=" + "a," * 2000, "\\0A" * 2000):
        imported = import_directory(
            [*forest(), (name, {"objectClass": (b"mSMQConfiguration",), "objectGUID": (b"\x99" * 16,)})]
        )
        assert len(imported.directory.queue_managers) == 4, name
