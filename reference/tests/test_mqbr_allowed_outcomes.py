"""Sets of allowed outcomes: which readings an outcome rests on when several give it."""

from mqconform.reference.allowed import Allowed, Reading, Standing, Step, any_of, choice, one_of, settled, vary

TEXT = Reading("BR-01", "text", Standing.TEXT)
PERMITTED = Reading("BR-01", "permitted", Standing.PERMITTED)
REFUSED = Reading("BR-02", "refused", Standing.REFUSED)
OTHER = Reading("BR-02", "other", Standing.REFUSED)
STEP = Step("GetNextHops", "3.1.5.1", ("MQBR-3.1.5.1-B01",), "why")


def resting(allowed: Allowed[str]) -> set[tuple[str, str]]:
    return {(one.outcome, " ".join(sorted(map(str, one.readings)))) for one in allowed.alternatives}


def test_what_every_reading_gives_rests_on_none():
    both = choice([(TEXT, settled("a")), (PERMITTED, any_of([settled("a"), settled("b")]))])
    assert resting(both) == {("a", ""), ("b", "BR-01/permitted")}


def test_what_another_reading_gives_only_at_a_worse_standing_still_rests_on_its_own():
    doubtful = settled("a", readings=[REFUSED])
    assert resting(choice([(TEXT, settled("a")), (PERMITTED, doubtful)])) == {
        ("a", "BR-01/text"),
        ("a", "BR-02/refused"),
    }


def test_a_single_option_is_no_choice():
    assert resting(one_of(["a"], TEXT)) == {("a", "")}
    assert resting(one_of(["a", "b"], TEXT)) == {("a", "BR-01/text"), ("b", "BR-01/text")}


def test_all_combinations_of_readings_are_followed():
    def outcome(chosen: tuple[Reading, ...]) -> Allowed[str]:
        return settled("steady" if TEXT in chosen else chosen[1].name)

    varied = vary(((TEXT, PERMITTED), (REFUSED, OTHER)), outcome)
    assert resting(varied) == {
        ("steady", "BR-01/text"),
        ("refused", "BR-01/permitted BR-02/refused"),
        ("other", "BR-01/permitted BR-02/other"),
    }


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
