"""``mqconform spec``: the requirement catalogue against copies of the specifications."""

from pathlib import Path

import click
from mqconform.harness.spec.anchor import PlaceFault, anchored, listing
from mqconform.harness.spec.document import Document, SpecificationFault, read_document

USAGE = 4
"""Exit code of ``mqconform`` for usage and configuration."""

_FILE = click.Path(path_type=Path)


class SpecUsage(click.ClickException):
    """What the user gave cannot be worked with."""

    exit_code = USAGE


@click.group(name="spec")
def command() -> None:
    """Prove the requirement catalogue against a copy of a specification's text."""


@command.command(hidden=True)
@click.argument("file", type=_FILE)
@click.option("--section", help="List this section only.")
@click.option("--fill", "draft", type=_FILE, help="Write hashes over the places in this catalogue draft.")
def anchor(file: Path, section: str | None, draft: Path | None) -> None:
    """List the segments of FILE by place, or write their hashes into a catalogue draft."""
    document = _read(file)
    if draft is None:
        for place, segment in listing(document):
            if section in {None, segment.section}:
                click.echo(f"@{place}\t{segment.digest}\t{','.join(segment.keywords) or '-'}\t{segment.text}")
        return
    try:
        draft.write_text(anchored(draft.read_text(encoding="utf-8"), document), encoding="utf-8")
    except (OSError, UnicodeDecodeError, PlaceFault) as fault:
        raise SpecUsage(str(fault)) from fault


def _read(file: Path) -> Document:
    try:
        return read_document(file)
    except SpecificationFault as fault:
        raise SpecUsage(str(fault)) from fault
