"""The published schemas, compiled once, and what is wrong with a document in words its author understands."""

import json
from collections.abc import Mapping
from functools import cache, cached_property
from importlib import resources
from itertools import islice
from typing import TYPE_CHECKING, Any

import fastjsonschema

from mqconform.harness.records.printable import excerpt

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import ValidationError

ERRORS_CONSIDERED = 50
"""A hostile document may have millions of wrong fields; the most telling of the first few is reported."""

TYPE_NAMES = {
    "object": "an object",
    "array": "a list",
    "string": "text",
    "integer": "an integer",
    "number": "a number",
    "boolean": "true or false",
    "null": "null",
}


JSON_TYPES = {int: "integer", bool: "boolean", str: "string", type(None): "null"}


@cache
def published(name: str) -> Mapping[str, Any]:
    """Return ``features/schemas/NAME.schema.json`` as a document."""
    text = resources.files("mqconform.features").joinpath("schemas", f"{name}.schema.json").read_text("utf-8")
    document: dict[str, Any] = json.loads(text)
    return document


def in_older_words(schema: Any) -> Any:
    """Return a schema as fastjsonschema understands it, which skips words that it does not know.

    Dependencies have the name of draft 7. A number that is asked for has its type beside it: to Python ``True`` is 1.
    """
    if isinstance(schema, list):
        return [in_older_words(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    older = {key: in_older_words(value) for key, value in schema.items()}
    if "dependentRequired" in older:
        older["dependencies"] = older.pop("dependentRequired")
    values = older["enum"] if isinstance(older.get("enum"), list) else [older["const"]] if "const" in older else []
    if "type" not in older and any(type(value) is int for value in values):
        older["type"] = sorted({JSON_TYPES[type(value)] for value in values})
    return older


def inlined(schema: Any, definitions: Mapping[str, Any]) -> Any:
    """Return a schema with each ``#/$defs/NAME`` replaced by what it names, so that each part of it stands alone.

    The published schemas do not refer to themselves in a circle.
    """
    if isinstance(schema, dict):
        if "$ref" in schema:
            return inlined(definitions[schema["$ref"].removeprefix("#/$defs/")], definitions)
        return {key: inlined(value, definitions) for key, value in schema.items()}
    if isinstance(schema, list):
        return [inlined(part, definitions) for part in schema]
    return schema


class CompiledSchema:
    """One schema, compiled twice: to see quickly whether a document fits, and to say what is wrong with it if not."""

    def __init__(self, schema: dict[str, Any]) -> None:
        self.schema = schema
        words = {key: value for key, value in schema.items() if key not in {"$schema", "$id"}}
        self._quick = fastjsonschema.compile(in_older_words(words), use_default=False, use_formats=False)

    @cached_property
    def _thorough(self) -> "Draft202012Validator":
        from jsonschema import Draft202012Validator  # noqa: PLC0415 - a third of a start, and most runs need it never

        return Draft202012Validator(self.schema)

    def is_valid(self, document: Any) -> bool:
        """Return whether a document fits."""
        try:
            self._quick(document)
        except fastjsonschema.JsonSchemaValueException:
            return self._thorough.is_valid(document)
        return True

    def worst(self, document: Any) -> "ValidationError | None":
        """Return the most informative error of an invalid document."""
        from jsonschema.exceptions import best_match  # noqa: PLC0415 - as above

        worst: ValidationError | None = best_match(islice(self._thorough.iter_errors(document), ERRORS_CONSIDERED))
        return worst


@cache
def validator(name: str, definition: str = "") -> CompiledSchema | None:
    """Return the compiled validator of a published schema or of one of its definitions.

    Returns None where the schema has no such definition.
    """
    document = published(name)
    definitions = document["$defs"]
    if not definition:
        bare = {key: value for key, value in document.items() if key != "$defs"}
        return CompiledSchema(inlined(bare, definitions))
    if definition not in definitions:
        return None
    return CompiledSchema(inlined(definitions[definition], definitions))


def complaint(judge: CompiledSchema, document: Any, root: str) -> str:
    """Return ``field path: what is wrong, what is expected``, or nothing where the document fits.

    Args:
        judge: a compiled validator.
        document: what was read.
        root: how the path begins, such as ``result``; may be empty.
    """
    if judge.is_valid(document):
        return ""
    error = judge.worst(document)
    return explain(error, root) if error else ""


def explain(error: "ValidationError", root: str) -> str:
    """Put one violation into words: the path of the field, what it is, what it should be."""
    path = root
    for step in error.absolute_path:
        path = field_path(path, step)
    value: Any = error.instance
    schema: Mapping[str, Any] = error.schema if isinstance(error.schema, Mapping) else {}
    match error.validator:
        case "required":
            missing = next(name for name in schema["required"] if name not in value)
            expectation = expected(schema.get("properties", {}).get(missing, {}))
            return f"{field_path(path, missing)}: is missing; expected {expectation}"
        case "additionalProperties":
            properties = schema.get("properties", {})
            surplus = next(name for name in value if name not in properties)
            fields = ", ".join(properties) or "none"
            return f"{field_path(path, surplus)}: is not a field here; the fields are {fields}"
        case _:
            return f"{path or 'the document'}: is {excerpt(value)}; expected {expected(schema)}"


def field_path(path: str, step: str | int) -> str:
    """Return the path of a field or list entry below ``path``; a name that is no plain word is quoted."""
    if isinstance(step, int):
        return f"{path}[{step}]"
    name = step if step.replace("-", "_").isidentifier() and len(step) < 80 else excerpt(step)
    return f"{path}.{name}" if path else name


def expected(schema: Mapping[str, Any]) -> str:
    """Say what a schema asks for: its title where it has one, else its type."""
    if "title" in schema:
        return str(schema["title"])
    if "enum" in schema:
        *others, last = map(str, schema["enum"])
        return f"{', '.join(others)} or {last}" if others else last
    kinds = schema.get("type", ())
    names = [TYPE_NAMES[kind] for kind in ([kinds] if isinstance(kinds, str) else kinds)]
    if schema.get("type") == "object" and schema.get("required"):
        return f"an object with {', '.join(schema['required'])}"
    if schema.get("type") == "array" and "items" in schema:
        most = f" of at most {schema['maxItems']}" if "maxItems" in schema else ""
        return f"a list{most}, each entry {expected(schema['items'])}"
    return " or ".join(names) or "something else"
