"""JSON documents that a site shows beside runs, held to their published schemas before anything is taken from them."""

import json
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

from mqconform.harness.records.printable import shortened, visible

LARGEST: Final = 64 * 1024 * 1024
"""Octets of a document that is read."""
LONGEST_EXCERPT: Final = 160


class DocumentFault(ValueError):
    """A document cannot be shown; the message names file, field and remedy."""


def read_document(file: Path, schema: str, remedy: str, part: str = "") -> dict[str, Any]:
    """Return the JSON object in a file.

    Args:
        file: the document.
        schema: name of its schema in ``features/schemas``.
        remedy: how to make a document that is right.
        part: the definition of the schema that it has to meet, all of the schema if empty.

    Raises:
        DocumentFault: it cannot be read or is no such document.
    """
    try:
        if file.stat().st_size > LARGEST:
            raise DocumentFault(f"{file}: is larger than {LARGEST} octets; {remedy}")
        document = json.loads(file.read_text("utf-8"))
    except OSError as error:
        raise DocumentFault(f"{file}: {error.strerror or error}; {remedy}") from error
    except (ValueError, RecursionError) as error:
        raise DocumentFault(f"{file}: is not JSON ({str(error)[:LONGEST_EXCERPT]}); {remedy}") from error
    wrong = best_match(_judge(schema, part).iter_errors(document))
    if wrong is not None:
        field = visible(wrong.json_path)
        raise DocumentFault(f"{file}: {field}: {shortened(visible(wrong.message), LONGEST_EXCERPT)}; {remedy}")
    fields: dict[str, Any] = document
    return fields


@cache
def _judge(schema: str, part: str) -> Draft202012Validator:
    rules = json.loads(files("mqconform.features").joinpath("schemas", f"{schema}.schema.json").read_text("utf-8"))
    return Draft202012Validator({"$ref": f"#/$defs/{part}", "$defs": rules["$defs"]} if part else rules)
