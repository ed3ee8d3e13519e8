import re
from pathlib import Path

import pytest

from mqconform.harness.records.profile import Profile, binding_levels
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.suite.ambiguity import (
    Ambiguity,
    MixedReadings,
    ReadingLog,
    Register,
    RegisterFault,
    UnknownReading,
    load_register,
    read_register,
    verdict_of,
)
from mqconform.harness.suite.catalogue import load_catalogue

BR = [f"BR-{number:02}" for number in range(76)]
DS = [f"DS-{number:02}" for number in range(1, 14)]
EOD = [f"EOD-{number:02}" for number in range(1, 33)]
QM = [f"QM-{number:02}" for number in range(1, 61)]
SD = [f"SD-{number:02}" for number in range(1, 79) if number not in {38, 39, 69}]

ENTRY = """
[[ambiguity]]
id = "SD-13"
spec = "MQSD"
section = "2.2.2"
problem = "nobody compares the enterprise"
requirements = []
testable = true
[[ambiguity.reading]]
id = "any-enterprise"
literal = true
summary = "answers"
verdict = { must = "pass", default = "pass", strict = "pass", windows = "pass" }
[[ambiguity.reading]]
id = "silent"
summary = "is silent"
verdict = { must = "inconclusive", default = "inconclusive", strict = "fail", windows = "inconclusive" }
"""

SETTLED = [
    ("QM-01", "received", "inconclusive", "fail"),
    ("QM-03", "fails-at-once", "pass", "pass"),
    ("QM-06", "at-the-end", "fail", "fail"),
    ("QM-25", "internal-fail", "pass", "pass"),
    ("QM-40", "other-code", "inconclusive", "fail"),
    ("QM-46", "taken", "inconclusive", "inconclusive"),
    ("SD-05", "other-port", "pass", "inconclusive"),
    ("SD-05", "other-host", "inconclusive", "inconclusive"),
    ("SD-11", "version-nonzero", "pass", "inconclusive"),
    ("SD-12", "silent-to-other-type", "pass", "pass"),
    ("SD-12", "answers-other-type", "inconclusive", "inconclusive"),
    ("SD-13", "any-enterprise", "pass", "pass"),
    ("SD-13", "silent-for-foreign-enterprise", "inconclusive", "fail"),
    ("SD-17", "answered-identically", "pass", "pass"),
    ("SD-17", "silent", "fail", "fail"),
    ("SD-18", "silent", "pass", "pass"),
    ("SD-18", "well-formed-reply", "pass", "pass"),
    ("SD-18", "ill-formed-reply", "inconclusive", "fail"),
    ("SD-21", "no-reply", "pass", "pass"),
    ("SD-21", "count-zero", "pass", "inconclusive"),
    ("SD-21", "placeholder", "pass", "inconclusive"),
    ("SD-21", "no-reply-above-32", "pass", "pass"),
    ("SD-21", "truncated-to-32", "pass", "inconclusive"),
    ("SD-21", "count-above-32", "inconclusive", "inconclusive"),
    ("SD-22", "popcount-only", "pass", "pass"),
    ("SD-24", "size-zero-without-site", "pass", "pass"),
    ("SD-24", "size-zero-with-site", "pass", "inconclusive"),
    ("SD-24", "no-reply", "pass", "inconclusive"),
    ("SD-24", "terminator-only", "pass", "inconclusive"),
    ("SD-25", "as-configured", "pass", "pass"),
    ("SD-25", "not-as-configured", "fail", "fail"),
    ("SD-25", "flags-01", "pass", "pass"),
    ("SD-25", "flags-10", "pass", "pass"),
    ("SD-25", "flags-11", "pass", "pass"),
    ("SD-25", "flags-00", "inconclusive", "inconclusive"),
    ("SD-26", "any-order", "pass", "inconclusive"),
    ("SD-26", "duplicates", "inconclusive", "fail"),
    ("SD-27", "counted", "pass", "pass"),
    ("SD-27", "not-counted", "inconclusive", "fail"),
    ("SD-28", "null-between-entries", "inconclusive", "fail"),
    ("SD-32", "trailing-octets", "inconclusive", "inconclusive"),
    ("SD-36", "each-answered", "pass", "pass"),
    ("SD-36", "answered-once", "fail", "fail"),
    ("BR-17", "old-table-kept", "inconclusive", "fail"),
    ("BR-39", "any-least-cost-path", "pass", "pass"),
    ("EOD-01", "moves-on-arrival", "fail", "fail"),
    ("EOD-05", "numbered-anew", "fail", "fail"),
    ("EOD-13", "silence", "pass", "pass"),
    ("EOD-15", "linked-on-resends", "pass", "pass"),
    ("EOD-16", "since-the-oldest-arrival", "pass", "pass"),
]


def registered(folder: Path, text: str, name: str = "mqsd.toml") -> Register:
    (folder / name).write_text(text, encoding="utf-8")
    return read_register(folder)


def test_the_register_holds_every_known_ambiguity_and_no_other():
    assert [entry.id for entry in load_register()] == BR + DS + EOD + QM + SD
    assert len(load_register()) == len(BR) + len(DS) + len(EOD) + len(QM) + len(SD)


@pytest.mark.parametrize("entry", load_register(), ids=lambda entry: entry.id)
def test_an_entry_is_consistent_in_itself(entry: Ambiguity):
    assert entry.readings or not entry.testable
    assert sum(reading.literal for reading in entry.readings) <= 1
    for reading in entry.readings:
        verdicts = reading.verdicts
        assert set(verdicts) == set(Profile)
        assert Verdict.PASS <= verdicts[Profile.MUST] <= verdicts[Profile.DEFAULT] <= verdicts[Profile.STRICT]
        assert verdicts[Profile.STRICT] <= Verdict.FAIL


@pytest.mark.parametrize("entry", [one for one in load_register() if one.testable], ids=lambda entry: entry.id)
def test_a_testable_entry_leaves_an_implementation_something_it_may_do(entry: Ambiguity):
    best = min(reading.verdicts[Profile.DEFAULT] for reading in entry.readings)
    assert best < Verdict.FAIL


@pytest.mark.parametrize("entry", load_register(), ids=lambda entry: entry.id)
def test_an_entry_names_requirements_of_its_own_catalogue(entry: Ambiguity):
    unknown = [one for one in entry.requirements if one not in load_catalogue()]
    assert not unknown
    assert all(one.startswith(f"{entry.spec}-") for one in entry.requirements)


@pytest.mark.parametrize(("ambiguity", "reading", "default", "strict"), SETTLED, ids=lambda value: value)
def test_settled_cases_keep_their_verdicts(ambiguity: str, reading: str, default: str, strict: str):
    assert verdict_of(ambiguity, reading, Profile.DEFAULT) is Verdict.of(default)
    assert verdict_of(ambiguity, reading, Profile.STRICT) is Verdict.of(strict)


def test_the_windows_profile_follows_the_product_notes():
    assert verdict_of("BR-26", "directory-service-protocol", Profile.WINDOWS) is Verdict.PASS
    assert verdict_of("BR-26", "directory-service-protocol", Profile.STRICT) is Verdict.FAIL
    assert verdict_of("BR-48", "never-refreshed", Profile.WINDOWS) is Verdict.FAIL
    assert verdict_of("BR-48", "never-refreshed", Profile.MUST) is Verdict.INCONCLUSIVE
    assert verdict_of("BR-48", "never-refreshed", Profile.DEFAULT) is Verdict.FAIL


def test_entries_are_found_by_the_requirement_they_bear_on(tmp_path: Path):
    other = ENTRY.replace("SD-13", "SD-14").replace("requirements = []", 'requirements = ["MQSD-2.2.2-01"]')
    register = registered(tmp_path, other + ENTRY)
    assert [entry.id for entry in register] == ["SD-13", "SD-14"]
    assert [entry.id for entry in register.for_requirement("MQSD-2.2.2-01")] == ["SD-14"]
    assert register.for_requirement("MQSD-9-99") == ()


def test_the_files_of_a_folder_make_one_register(tmp_path: Path):
    registered(tmp_path, ENTRY)
    routing = ENTRY.replace("SD-13", "BR-04").replace("MQSD", "MQBR")
    register = registered(tmp_path, routing, name="mqbr.toml")
    assert "SD-13" in register
    assert "BR-04" in register
    assert "BR-05" not in register
    literal = register["BR-04"].literal
    assert literal is not None
    assert literal.id == "any-enterprise"
    assert register["BR-04"].sections == ("2.2.2",)


def test_a_reading_that_is_not_seen_says_why_or_its_entry_does(tmp_path: Path):
    whole = registered(tmp_path, ENTRY.replace("testable = true", 'testable = true\nunseen = "no carrier"'))
    assert [reading.unseen for reading in whole["SD-13"].readings] == ["no carrier", "no carrier"]
    own = registered(tmp_path, ENTRY.replace('id = "silent"', 'id = "silent"\nunseen = "no operation"'))
    assert [reading.unseen for reading in own["SD-13"].readings] == ["", "no operation"]


def test_an_unknown_entry_is_named():
    with pytest.raises(UnknownReading, match="no entry 'SD-99'; ids look like SD-13"):
        load_register()["SD-99"]


def test_an_unknown_reading_is_named_with_those_that_exist():
    expected = "SD-36 has no reading 'twice'; its readings are each-answered, answered-once"
    with pytest.raises(UnknownReading, match=re.escape(expected)):
        verdict_of("SD-36", "twice", Profile.DEFAULT)
    with pytest.raises(UnknownReading, match="its readings are none"):
        load_register().reading("BR-10", "any")


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('"2.2.2"', "2.2", "entry SD-13: section: is 2.2; expected a section number, such as 3.2.5.1"),
        ('strict = "fail"', 'strict = "maybe"', "SD-13: reading[1].verdict.strict: is 'maybe'; expected pass, inconc"),
        (', windows = "pass"', "", "SD-13: reading[0].verdict.windows: is missing; expected pass, inconclusive or"),
        ("testable = true", "tested = true", "entry SD-13: testable: is missing; expected true, or false"),
        ("literal = true", "literally = true", "reading[0].literally: is not a field here; the fields are id, lit"),
        ('"any-enterprise"', '"Any Enterprise"', "reading[0].id: is 'Any Enterprise'; expected words in lower case"),
        ('id = "SD-13"\n', "", "entry number 1: id: is missing; expected letters and two digits"),
        ('"SD-13"', '"BR-13"', "entry BR-13: spec: is MQSD, which is not what the id says; change one"),
        ('id = "silent"', 'id = "any-enterprise"', "entry SD-13: reading: two readings have one id; give each"),
        ('"silent"', '"silent"\nliteral = true', "entry SD-13: reading: more than one is literal; leave"),
        ('strict = "pass"', 'strict = "fail"', "reading any-enterprise: is literal and does not pass in each"),
        (ENTRY[ENTRY.index("[[ambiguity.reading]]") :], "", "reading: none, though the entry is testable; add"),
        ("testable = true", 'testable = false\nunseen = "why"', "entry SD-13: unseen: is for what could be told apart"),
        ('id = "silent"', 'id = "silent"\nunseen = ""', "reading[1].unseen: is ''; expected why this harness does not"),
        ("[[ambiguity]]", "[ambiguity]", "mqsd.toml: ambiguity: the file has to hold [[ambiguity]] tables"),
        ("[[ambiguity]]", "title = 1\n[[ambiguity]]", "mqsd.toml: ambiguity: the file has to hold [[ambiguity]] ta"),
        ('"nobody', "nobody", "mqsd.toml: is not TOML in UTF-8"),
    ],
    ids=lambda value: re.sub(r"\W+", "-", value)[:24],
)
def test_a_malformed_file_is_refused_with_file_entry_field_and_remedy(
    tmp_path: Path, old: str, new: str, complaint: str
):
    assert old in ENTRY
    with pytest.raises(RegisterFault, match=re.escape(complaint)) as refusal:
        registered(tmp_path, ENTRY.replace(old, new, 1))
    assert str(refusal.value).startswith("mqsd.toml: ")


def test_octets_that_are_no_utf_8_are_refused(tmp_path: Path):
    (tmp_path / "mqsd.toml").write_bytes(b"\xff\xfe[[ambiguity]]")
    with pytest.raises(RegisterFault, match=r"mqsd\.toml: is not TOML in UTF-8"):
        read_register(tmp_path)


def test_an_entry_that_is_no_table_is_refused(tmp_path: Path):
    with pytest.raises(RegisterFault, match=r"entry number 1: the document: is 'SD-13'; expected an \[\[ambiguity"):
        registered(tmp_path, 'ambiguity = ["SD-13"]')


def test_one_id_in_two_files_is_refused(tmp_path: Path):
    registered(tmp_path, ENTRY)
    with pytest.raises(RegisterFault, match=r"zz\.toml: entry SD-13: id: is used twice; give each entry its own"):
        registered(tmp_path, ENTRY, name="zz.toml")


def test_a_folder_without_a_register_is_refused(tmp_path: Path):
    (tmp_path / "notes.txt").write_text(ENTRY, encoding="utf-8")
    with pytest.raises(RegisterFault, match=f"{tmp_path.name}: holds no register; put the"):
        read_register(tmp_path)


def test_two_readings_in_one_situation_are_mixed():
    log = ReadingLog()
    log.record("SD-13", "any-enterprise", "over IP")
    log.record("SD-13", "any-enterprise", "over IP")
    assert log.mixed() == ()
    log.record("SD-13", "silent-for-foreign-enterprise", "over IP")
    assert log.mixed() == (MixedReadings("SD-13", "over IP", ("any-enterprise", "silent-for-foreign-enterprise")),)


def test_different_situations_may_follow_different_readings():
    log = ReadingLog()
    log.record("SD-18", "silent", "51 octets")
    log.record("SD-18", "well-formed-reply", "count of 33")
    assert log.mixed() == ()
    assert log.followed() == {
        ("SD-18", "malformed request, 51 octets"): ("silent",),
        ("SD-18", "malformed request, count of 33"): ("well-formed-reply",),
    }


def test_readings_that_answer_different_questions_of_an_entry_are_not_mixed():
    log = ReadingLog()
    log.record("SD-21", "count-zero")
    log.record("SD-21", "truncated-to-32")
    assert log.mixed() == ()
    log.record("SD-21", "placeholder")
    assert log.mixed() == (MixedReadings("SD-21", "empty list", ("count-zero", "placeholder")),)


def test_a_choice_that_is_free_each_time_is_never_mixed():
    log = ReadingLog()
    log.record("BR-23", "first-in-directory-order")
    log.record("BR-23", "another-match")
    assert log.followed() == {("BR-23", ""): ("first-in-directory-order", "another-match")}
    assert log.mixed() == ()


def test_mixed_readings_of_several_entries_come_in_the_order_of_their_ids():
    log = ReadingLog()
    for ambiguity, reading in [
        ("SD-36", "each-answered"),
        ("SD-36", "answered-once"),
        ("BR-51", "honoured"),
        ("BR-51", "ignored"),
    ]:
        log.record(ambiguity, reading)
    assert [one.ambiguity for one in log.mixed()] == ["BR-51", "SD-36"]


def test_the_log_takes_no_reading_that_the_register_lacks(tmp_path: Path):
    log = ReadingLog(registered(tmp_path, ENTRY))
    with pytest.raises(UnknownReading, match="no reading 'count-zero'"):
        log.record("SD-13", "count-zero")
    with pytest.raises(UnknownReading, match="no entry 'SD-21'"):
        log.record("SD-21", "count-zero")
    assert log.followed() == {}


def test_only_the_must_profile_leaves_should_unbound():
    absolute = {"must", "must-not"}
    assert binding_levels(Profile.MUST) == absolute
    for profile in (Profile.DEFAULT, Profile.STRICT, Profile.WINDOWS):
        assert binding_levels(profile) == absolute | {"should", "should-not"}


def test_only_the_windows_profile_takes_options_as_not_done():
    assert [profile for profile in Profile if profile.may_counts_as_not_done] == [Profile.WINDOWS]


def test_a_profile_is_found_by_its_word():
    assert [Profile.of(word) for word in ("must", "default", "strict", "windows")] == list(Profile)
    with pytest.raises(ValueError, match="'lenient' is no profile; the profiles are must, default, strict, windows"):
        Profile.of("lenient")
