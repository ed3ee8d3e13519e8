import pytest

from mqconform.harness.suite.spec.normalise import code, prose


def test_what_a_conversion_adds_is_removed(subtests: pytest.Subtests):
    for written in [
        "The server MUST answer the Request (section 2.2) it got.",
        "The **server** **MUST** answer the [Request (section 2.2)](#Section_2.2) it got.",
        "The server MUST [<6>](#) answer the [Request \\(section 2.2\\)](#) it got.",
        "The server MUST<6> answer the [**Request**](#gt_request) (section 2.2) it got.",
        "The server MUST \\<6\\> answer the *Request* (section 2.2) it got.",
        "The _server_ __MUST__ answer the `Request` (section\u00a02.2) it got.",
        "<a id='x'></a>The <b>server</b> MUST answer the Request (section 2.2) it got .",
        "The server\n   MUST answer the\nRequest ( section 2.2 ) it\tgot.",
        "The server MUST answer the [Request](http://example.test/a(b)c) (section 2.2) it got.",
        "The ser\u00adver MUST\u200b answer the Request (section 2.2) it got.",
    ]:
        with subtests.test(written=written):
            assert prose(written) == "The server MUST answer the Request (section 2.2) it got."


def test_quotes_dashes_links_and_entities(subtests: pytest.Subtests):
    for written, read in [
        (
            "\u201cSite\u201d, the machine\u2019s \u2013 if any \u2014 list\u2026",
            '"Site", the machine\'s - if any - list...',
        ),
        ("see [[XY-ZED]](#r), [XY-ZED](#r) and [\\[XY-ZED\\]](#)", "see XY-ZED, XY-ZED and XY-ZED"),
        ("a null-\nvalue", "a null-value"),
        ("one - \ntwo", "one - two"),
        ("![a picture](media/image1.png)", ""),
        ("see <http://example.test/x_y_z>", "see http://example.test/x_y_z"),
        ("a &lt;b&gt; &amp; c", "a <b> & c"),
        ("snake_case_name and 2\\*3", "snake_case_name and 23"),
    ]:
        with subtests.test(written=written):
            assert prose(written) == read


def test_code_keeps_what_emphasis_would_take():
    assert code("Entry = 1\\*Name  ;  [x]") == "Entry = 1*Name; [x]"
    assert code("IF A <> B  THEN") == "IF A <> B THEN"
    assert code("IF A &lt;&gt; B THEN") == "IF A <> B THEN"


def test_hostile_markup_ends_in_time():
    for text in ("[" * 50_000, "[a](" * 20_000, "<a" * 50_000, "_" * 50_000, "*" * 50_000, " " * 50_000, "\\" * 50_000):
        assert len(prose(text)) <= len(text)
