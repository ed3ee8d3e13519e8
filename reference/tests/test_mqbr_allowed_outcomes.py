"""Sets of allowed outcomes: which readings an outcome rests on when several give it."""

from mqconform.reference.allowed import Reading, Standing, Step, choice, settled

TEXT = Reading("BR-01", "text", Standing.TEXT)
PERMITTED = Reading("BR-01", "permitted", Standing.PERMITTED)
REFUSED = Reading("BR-02", "refused", Standing.REFUSED)
OTHER = Reading("BR-02", "other", Standing.REFUSED)
STEP = Step("GetNextHops", "3.1.5.1", ("MQBR-3.1.5.1-B01",), "why")


def test_steps_and_readings_add_up_along_a_derivation():
    first = settled("a", STEP, readings=[TEXT])
    joined = first.then(lambda text: settled(text + "b", STEP, readings=[REFUSED])).after(STEP)
    (one,) = joined.alternatives
    assert (one.outcome, one.derivation, one.readings) == ("ab", (STEP,) * 3, {TEXT, REFUSED})
    assert (one.standing, one.requirements) == (Standing.REFUSED, ("MQBR-3.1.5.1-B01",))
    assert joined.ambiguities == {"BR-01", "BR-02"}
    assert (joined.outcomes(), joined.outcomes(Standing.REFUSED)) == (frozenset(), {"ab"})
    assert (joined.requirements, first.requirements) == ((), ("MQBR-3.1.5.1-B01",))
    assert first.map(len).under(OTHER).outcomes(Standing.REFUSED) == {1}


def test_the_best_alternative_comes_first():
    mixed = choice([(REFUSED, settled("c")), (TEXT, settled("a")), (PERMITTED, settled("b"))])
    assert [one.outcome for one in mixed] == ["a", "b", "c"]
    assert next(str(reading) for one in mixed for reading in one.readings) == "BR-01/text"
    assert str(STEP) == "GetNextHops (3.1.5.1): why"
