"""``README.md`` of a bundle: what failed, in ten lines, and the command that runs it again."""

from collections.abc import Iterator
from pathlib import Path

from mqconform.harness.records.case import Case
from mqconform.harness.records.printable import visible, visible_lines
from mqconform.harness.records.timeline_text import timeline_lines
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.run.bundles.manifest import Manifest

FILES = {
    "packets.pcapng": "what passed, for Wireshark; requirements are in packet comments",
    "fields.json": "the deciding packets, field by field with ranges of octets",
    "allowed.json": "what was allowed, with the derivation",
    "calls.ndjson": "all that was said, in order",
    "clock.ndjson": "steps of the virtual clock",
    "timeline.txt": "who did what when, what was answered, and what was allowed",
    "witnesses.ndjson": "the records of this case in the result file",
    "configuration.json": "what the server was configured with",
    "enterprise.json": "the enterprise, as `mqconform next-hops --directory` reads it",
    "enterprise.svg": "the same as a picture",
    "environment.json": "when, where and with which versions",
    "evidence.txt": "what else was seen of the implementation",
    "features": "scenarios that this case needs, the shrunk input among them",
}


def page(manifest: Manifest, case: Case, folder: Path) -> str:
    """Return the page; what came from an implementation stands in it as inert text."""
    return "\n".join(_lines(manifest, case, folder)) + "\n"


def _lines(manifest: Manifest, case: Case, folder: Path) -> Iterator[str]:
    yield f"# {manifest.scenario}"
    yield ""
    yield f"`{manifest.case}` failed: it finds {', '.join(manifest.violated)} violated."
    yield ""
    yield "```sh"
    yield f"mqconform replay {folder.name}"
    yield "```"
    yield ""
    yield "in the folder above this one says whether it still fails (exit code 1), is fixed (0) or cannot run (2);"
    yield "`--iut KIND:ID` points it at another implementation. Without that it runs"
    yield ""
    yield f"    {visible(manifest.iut)}"
    yield ""
    yield "## Why"
    yield ""
    for witness in case.witnesses:
        if witness.judgement.verdict is Verdict.FAIL:
            judged = witness.judgement
            yield f"    {witness.requirement} ({visible(witness.step)})"
            texts = f"expected {judged.expected}\nobserved {judged.observed}"
            yield from (f"    {line}" for line in visible_lines(texts).split("\n"))
            yield ""
    if case.timeline:
        yield from (f"    {line}" for line in timeline_lines(case.timeline))
        yield ""
    yield "## What is here"
    yield ""
    yield from (f"- `{name}`: {says}" for name, says in FILES.items() if (folder / name).exists())
    yield ""
    yield f"Profile {manifest.profile}, seed {manifest.seed}, {manifest.harness}, {visible(manifest.implementation)}."
