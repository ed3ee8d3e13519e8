"""Enterprise documents as text: one object to a line, so that two versions can be compared line by line."""

import json
import re
from collections.abc import Mapping
from enum import Enum
from typing import Any, Final

import yaml

from mqconform.harness.tools.enterprise.file import EnterpriseFile, Format, parsed
from mqconform.harness.tools.enterprise.naming import named_document
from mqconform.reference.directory import directory_from_document, document_from_directory

_BEYOND_ASCII: Final = re.compile("[\x7f-\U0010ffff]")
_DUMPER: Final = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
_ENDLESS: Final = 1 << 20
"""Line width that nothing reaches: objects are not broken over lines."""


class Naming(Enum):
    """What stands for an object where another one refers to it."""

    AS_WRITTEN = "as written"
    NAMES = "names"
    IDS = "ids"


def converted(file: EnterpriseFile, form: Format, naming: Naming = Naming.AS_WRITTEN) -> str:
    """Return the text of a file in a format.

    The document stays as it is written, or is written anew with names or GUIDs. The text is read back before it is
    returned: what it describes is the same directory.
    """
    match naming:
        case Naming.AS_WRITTEN:
            document = dict(file.document)
        case Naming.NAMES:
            document = named_document(file.directory)
        case Naming.IDS:
            document = document_from_directory(file.directory)
    text = written(document, form)
    assert directory_from_document(parsed(text, form, len(text))) == file.directory, "nothing was lost"
    return text


def written(document: Mapping[str, Any], form: Format) -> str:
    """Return a document as text that reads back as the same document.

    Characters that do not show, or that act on a terminal, are written as escapes.
    """
    return _yaml_text(document) if form is Format.YAML else _json_text(document)


def _json_text(document: Mapping[str, Any]) -> str:
    members = [f"  {json.dumps(key)}: {_json_value(value)}" for key, value in document.items()]
    text = "{\n" + ",\n".join(members) + "\n}\n" if members else "{}\n"
    return _BEYOND_ASCII.sub(lambda match: _shown(match[0]), text)


def _json_value(value: object) -> str:
    if isinstance(value, list) and value:
        entries = ",\n".join(f"    {json.dumps(member, ensure_ascii=False)}" for member in value)
        return f"[\n{entries}\n  ]"
    return json.dumps(value, ensure_ascii=False)


def _shown(character: str) -> str:
    return character if character.isprintable() else json.dumps(character)[1:-1]


def _yaml_text(document: Mapping[str, Any]) -> str:
    text = _dumped(document, unicode=True)
    return text if text.replace("\n", "").isprintable() else _dumped(document, unicode=False)


def _dumped(document: Mapping[str, Any], *, unicode: bool) -> str:
    """Return YAML with the innermost objects in one line each, and without aliases."""
    dumper = type("_Dumper", (_DUMPER,), {"ignore_aliases": lambda *_: True})
    text: str = yaml.dump(
        document, Dumper=dumper, default_flow_style=None, sort_keys=False, width=_ENDLESS, allow_unicode=unicode
    )
    return text
