"""The published schema of result files, made from the classes of their records.

``python -m mqconform.harness.records.results_schema > features/schemas/results.schema.json`` writes it anew.
"""

import inspect
import json
import re
import sys
from collections.abc import Mapping
from typing import Any, get_args

import msgspec

from mqconform.harness.records.results import KINDS, CaseVerdict, Excuse
from mqconform.harness.records.verdict import Standing


def schema() -> dict[str, Any]:
    """Return the JSON Schema of one line of a result file."""
    _, definitions = msgspec.json.schema_components(KINDS.values(), ref_template="#/$defs/{name}")
    names = {made.__name__: kind for kind, made in KINDS.items()}
    text = re.sub(r'"#/\$defs/(\w+)"', lambda match: f'"#/$defs/{_key(match[1], names)}"', json.dumps(definitions))
    parts = {_key(name, names): _as_written(definition) for name, definition in json.loads(text).items()}
    parts["witness"]["dependentRequired"] = {"network": ["request"], "request": ["network"]}
    parts["case"]["dependentRequired"] = {"trace": ["error"]}
    counts = parts["footer"]["properties"]
    counts["cases"]["propertyNames"] = {"enum": [*get_args(CaseVerdict), *get_args(Excuse)]}
    counts["requirements"]["propertyNames"] = {"$ref": "#/$defs/standing"}
    parts["standing"] = {"title": "the standing of a requirement", "enum": [*Standing]}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "https://mqconform.dev/schemas/results.schema.json",
        "title": "One line of results.ndjson",
        "description": "The first line is a header. Each case follows the witnesses of its steps. Requirements come "
        "when all cases are over, the footer last; a file without a footer is of a run that did not end. Lines are "
        "ASCII, keys sorted, octets lower-case hexadecimal text.",
        "oneOf": [{"$ref": f"#/$defs/{kind}"} for kind in KINDS],
        "$defs": parts,
    }


def _key(name: str, kinds: Mapping[str, str]) -> str:
    return kinds.get(name) or re.sub(r"(?<!^)([A-Z])", r"_\1", name).lower()


def _as_written(schema: Any) -> Any:
    """Return a schema of what is written: what is empty is left out of a line, and no field has such a value there."""
    if isinstance(schema, list):
        return [_as_written(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    if "anyOf" in schema:
        (schema,) = (alternative for alternative in schema["anyOf"] if alternative != {"type": "null"})
    if schema.get("title", "")[:1].isupper() and schema["title"].isalpha():
        del schema["title"]  # the name of a class
    written = {key: _as_written(value) for key, value in schema.items() if key != "default"}
    if isinstance(written.get("description"), str):
        written["description"] = inspect.cleandoc(written["description"])
    return written | ({"enum": [value for value in written["enum"] if value != ""]} if "enum" in written else {})


if __name__ == "__main__":
    sys.stdout.write(json.dumps(schema(), indent=2) + "\n")
