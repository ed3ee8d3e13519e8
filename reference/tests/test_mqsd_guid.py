import pytest

from mqconform.reference.errors import MalformedGuid
from mqconform.reference.mqsd.guid import guid_from_text, guid_text

OCTETS = bytes.fromhex("61BAEAE6C6D1DB11BAAC0003FF4E2D22")
TEXT = "e6eaba61-d1c6-11db-baac-0003ff4e2d22"


def test_the_first_three_groups_are_little_endian_in_the_packet():
    assert guid_text(OCTETS) == TEXT
    assert guid_from_text(TEXT) == OCTETS


def test_text_is_read_in_either_case():
    assert guid_from_text(TEXT.upper()) == OCTETS


def test_other_forms_and_sizes_are_refused():
    for text in ("", TEXT[:-1], TEXT + "0", "{" + TEXT + "}", TEXT.replace("-", ""), TEXT + "\n", "٣" + TEXT[1:]):
        with pytest.raises(MalformedGuid, match="8-4-4-4-12"):
            guid_from_text(text)
    for octets in (b"", OCTETS[:15], OCTETS + b"\0"):
        with pytest.raises(MalformedGuid, match="16 octets"):
            guid_text(octets)
