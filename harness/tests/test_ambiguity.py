import re
from pathlib import Path

import pytest

from mqconform.harness.records.profile import Profile
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.suite.ambiguity import (
    ReadingLog,
    Register,
    RegisterFault,
    UnknownReading,
    load_register,
    read_register,
)
from mqconform.harness.suite.catalogue import load_catalogue

BR = [f"BR-{number:02}" for number in range(76)]
DS = [f"DS-{number:02}" for number in range(1, 14)]
EOD = [f"EOD-{number:02}" for number in range(1, 33)]
QM = [f"QM-{number:02}" for number in range(1, 67)]
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
because = "the server knows its enterprise"
verdict = { must = "pass", default = "pass", strict = "fail", windows = "pass" }
"""

SETTLED = """
QM-01/received fail fail
QM-25/internal-fail pass pass
SD-05/other-port pass inconclusive
SD-12/silent-to-other-type pass pass
SD-12/answers-other-type pass inconclusive
SD-17/silent fail fail
SD-21/no-reply pass pass
SD-21/count-zero pass inconclusive
SD-21/truncated-to-32 pass inconclusive
SD-21/count-above-32 pass inconclusive
BR-17/old-table-kept pass fail
EOD-13/silence pass pass
"""
"""What readings are worth in the profiles ``default`` and ``strict``."""


DEFAULT_PASSES = 'default = "pass", strict = "fail"'


def registered(folder: Path, text: str, name: str = "mqsd.toml") -> Register:
    (folder / name).write_text(text, encoding="utf-8")
    return read_register(folder)


def test_the_register_holds_every_known_ambiguity_and_no_other():
    assert [entry.id for entry in load_register()] == BR + DS + EOD + QM + SD


def test_no_verdict_is_left_hanging_on_the_text():
    """Outside ``strict`` each reading passes or fails, with its ground, and a failure names the sentence it breaks."""
    catalogue = load_catalogue()
    for entry in load_register():
        for reading in entry.readings:
            verdicts = reading.verdicts
            outside_strict = {verdicts[profile] for profile in Profile if profile is not Profile.STRICT}
            assert outside_strict <= {Verdict.PASS, Verdict.FAIL}, (entry.id, reading.id)
            assert verdicts[Profile.MUST] <= verdicts[Profile.DEFAULT] <= verdicts[Profile.STRICT] <= Verdict.FAIL
            assert bool(reading.breaks) == (Verdict.FAIL in outside_strict)
            assert bool(reading.because) or set(verdicts.values()) == {Verdict.PASS}
            assert all(name in entry.requirements and name in catalogue for name in reading.breaks)


def test_an_entry_leaves_an_implementation_something_it_may_do():
    for entry in load_register():
        assert sum(reading.literal for reading in entry.readings) <= 1
        assert not entry.testable or any(
            reading.verdicts[Profile.DEFAULT] is Verdict.PASS for reading in entry.readings
        ), entry.id


def test_an_entry_names_requirements_of_its_own_catalogue():
    catalogue = load_catalogue()
    for entry in load_register():
        assert all(name in catalogue and name.startswith(f"{entry.spec}-") for name in entry.requirements), entry.id
        assert not entry.constant or entry.constant in entry.requirements


def test_settled_cases_keep_their_verdicts():
    for line in SETTLED.split("\n")[1:-1]:
        name, default, strict = line.split()
        ambiguity, _, reading = name.partition("/")
        assert load_register().verdict_of(ambiguity, reading, Profile.DEFAULT) is Verdict.of(default), name
        assert load_register().verdict_of(ambiguity, reading, Profile.STRICT) is Verdict.of(strict), name


def test_a_reading_that_is_not_seen_says_why_or_its_entry_does(tmp_path: Path):
    whole = registered(tmp_path, ENTRY.replace("testable = true", 'testable = true\nunseen = "no carrier"'))
    assert [reading.unseen for reading in whole["SD-13"].readings] == ["no carrier", "no carrier"]
    own = registered(tmp_path, ENTRY.replace('id = "silent"', 'id = "silent"\nunseen = "no operation"'))
    assert [reading.unseen for reading in own["SD-13"].readings] == ["", "no operation"]


def test_an_unknown_reading_is_named_with_those_that_exist():
    expected = "SD-36 has no reading 'twice'; its readings are each-answered, answered-once"
    with pytest.raises(UnknownReading, match=re.escape(expected)):
        load_register().verdict_of("SD-36", "twice", Profile.DEFAULT)
    with pytest.raises(UnknownReading, match="its readings are none"):
        load_register().reading("BR-10", "any")


MALFORMED = [
    ('"2.2.2"', "2.2", "entry SD-13: section: is 2.2; expected a section number, such as 3.2.5.1"),
    ('strict = "fail"', 'strict = "maybe"', "SD-13: reading[1].verdict.strict: is 'maybe'; expected pass, inconc"),
    ('must = "pass"', 'must = "inconclusive"', "reading[0].verdict.must: is 'inconclusive'; expected pass or fail"),
    (', windows = "pass"', "", "SD-13: reading[0].verdict.windows: is missing; expected pass or fail"),
    ('because = "the server knows its enterprise"\n', "", "reading silent: because: is missing; give the reason"),
    (DEFAULT_PASSES, DEFAULT_PASSES.replace("pass", "fail"), "reading silent: breaks: is missing; name the req"),
    ('because = "', 'breaks = ["MQSD-3.2.5-01"]\nbecause = "', "requirements: lacks MQSD-3.2.5-01, which the"),
    ("testable = true", "tested = true", "entry SD-13: testable: is missing; expected true, or false"),
    ("literal = true", "literally = true", "reading[0].literally: is not a field here; the fields are id, lit"),
    ('id = "SD-13"\n', "", "entry number 1: id: is missing; expected letters and two digits"),
    ('"SD-13"', '"BR-13"', "entry BR-13: spec: is MQSD, but the id has another; change one"),
    ('id = "silent"', 'id = "any-enterprise"', "entry SD-13: reading: two readings have one id; give each"),
    ('"silent"', '"silent"\nliteral = true', "entry SD-13: reading: more than one is literal; leave"),
    ('strict = "pass"', 'strict = "fail"', "reading any-enterprise: is literal and does not pass in each"),
    (ENTRY[ENTRY.index("[[ambiguity.reading]]") :], "", "reading: none, though the entry is testable; add"),
    ("testable = true", 'testable = false\nunseen = "why"', "entry SD-13: unseen: needs a testable entry"),
    ("[[ambiguity]]", "[ambiguity]", "mqsd.toml: ambiguity: the file must hold [[ambiguity]] tables"),
    ('"nobody', "nobody", "mqsd.toml: is not TOML in UTF-8"),
]


def test_a_malformed_file_is_refused_with_file_entry_field_and_remedy(subtests: pytest.Subtests, tmp_path: Path):
    for old, new, complaint in MALFORMED:
        with subtests.test(new=new):
            assert old in ENTRY
            with pytest.raises(RegisterFault, match=re.escape(complaint)) as refusal:
                registered(tmp_path, ENTRY.replace(old, new, 1))
            assert str(refusal.value).startswith("mqsd.toml: ")


def test_one_id_in_two_files_is_refused(tmp_path: Path):
    registered(tmp_path, ENTRY)
    with pytest.raises(RegisterFault, match=r"zz\.toml: entry SD-13: id: is used twice; give each entry its own"):
        registered(tmp_path, ENTRY, name="zz.toml")


def log_of(*cases: tuple[tuple[str, ...], ...]) -> ReadingLog:
    """A log of some cases, each with the readings that were followed in it, given as entry, reading and situation."""
    log = ReadingLog()
    for case in cases:
        log.recent()
        for followed in case:
            log.record(*followed)
    return log


def test_two_readings_in_one_situation_are_told_with_the_number_of_their_cases():
    answers, silent = ("SD-13", "any-enterprise", "over IP"), ("SD-13", "silent-for-foreign-enterprise", "over IP")
    assert log_of((answers, answers), (answers,)).mixed() == ()
    elsewhere = ("SD-13", "silent-for-foreign-enterprise", "over IPX")
    assert log_of((answers, elsewhere)).mixed() == (), "another situation may have another answer"
    (mixture,) = log_of((answers, answers), (answers, silent)).mixed()
    assert f"{mixture}" == "SD-13/any-enterprise (over IP) in 2 cases, silent-for-foreign-enterprise in 1"


def test_readings_that_answer_different_questions_of_an_entry_are_not_mixed():
    both = (("SD-21", "count-zero"), ("SD-21", "truncated-to-32"))
    assert log_of(both).mixed() == ()
    (mixture,) = log_of(both, (("SD-21", "placeholder"),)).mixed()
    assert f"{mixture}" == "SD-21/count-zero (empty list) in 1 case, placeholder in 1"


def test_a_choice_that_is_free_each_time_is_never_mixed():
    log = log_of((("BR-23", "first-in-directory-order"), ("BR-23", "another-match")))
    assert log.followed() == {("BR-23", ""): {"first-in-directory-order": 1, "another-match": 1}}
    assert log.mixed() == ()


def test_mixing_holds_back_a_run_in_strict_or_where_a_sentence_asks_for_constancy():
    networks = (("BR-51", "honoured"), ("BR-51", "ignored"))
    order = (("QM-44", "commit-order"), ("QM-44", "send-order"))
    mixed = {mixture.ambiguity: mixture for mixture in log_of((*order, *networks)).mixed()}
    assert list(mixed) == ["BR-51", "QM-44"]
    assert [profile for profile in Profile if mixed["BR-51"].holds_back(profile)] == [Profile.STRICT]
    assert all(mixed["QM-44"].holds_back(profile) for profile in Profile)


def test_a_log_goes_on_where_that_of_an_earlier_part_of_the_run_ended():
    answers, silent = ("SD-13", "any-enterprise"), ("SD-13", "silent-for-foreign-enterprise")
    earlier, log = ReadingLog(), log_of((answers,))
    earlier.record(*silent)
    log.add(earlier.recent())
    assert log.followed() == {("SD-13", ""): {"any-enterprise": 1, "silent-for-foreign-enterprise": 1}}


def test_the_log_takes_no_reading_that_the_register_lacks(tmp_path: Path):
    log = ReadingLog(registered(tmp_path, ENTRY))
    with pytest.raises(UnknownReading, match="no reading 'count-zero'"):
        log.record("SD-13", "count-zero")
    with pytest.raises(UnknownReading, match="no entry 'SD-21'"):
        log.record("SD-21", "count-zero")
    assert log.followed() == {}
