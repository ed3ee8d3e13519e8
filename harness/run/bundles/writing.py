"""Leaves a bundle for a failed case: a folder that says what happened and can be run again anywhere."""

import json
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

from mqconform.harness.judge.session import Session
from mqconform.harness.records.case import Case
from mqconform.harness.records.evidence_text import timeline_lines
from mqconform.harness.records.results import document_of
from mqconform.harness.records.run_file import ENVIRONMENT
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.run.bundles.allowed import Routing, allowed_replies, facts_of, routing_of
from mqconform.harness.run.bundles.manifest import MANIFEST, Manifest
from mqconform.harness.run.bundles.packets import captured_frames, write_packets
from mqconform.harness.run.bundles.traffic import datagrams_seen, recordings_of
from mqconform.harness.run.plan import Plan
from mqconform.harness.suite.feature_text import feature_files
from mqconform.harness.suite.naming import feature_name

FOLDER = "bundles"
LONGEST_NAME = 120
TIMELINE = "timeline.txt"


@dataclass(frozen=True, slots=True)
class Bundler:
    """Makes the bundles of one run."""

    plan: Plan

    def after(self, run: Session, case: Case) -> None:
        """Leave a bundle if the case failed; ``run.conversation`` holds what was said."""
        if case.verdict is not Verdict.FAIL:
            return
        folder = self.plan.out / FOLDER / folder_name(case.id)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        self._fill(folder, run, case)

    def _fill(self, folder: Path, run: Session, case: Case) -> None:
        entries = list(run.conversation.entries)
        manifest = self._manifest(folder, run, case)
        facts, routing = facts_of(entries, run.iut.facts), routing_of(entries)
        recordings = recordings_of(run, case)
        captured, recorded = (
            captured_frames((recording.capture for recording in recordings), self.plan.out),
            datagrams_seen(recordings),
        )
        write_packets(folder / "packets.pcapng", run.conversation, case.witnesses, captured, recorded)
        _write_json(
            folder / "allowed.json", _allowed(case, routing, allowed_replies(facts, case.witnesses) if facts else [])
        )
        _write_lines(folder / "calls.ndjson", (entry.record() for entry in entries))
        _write_lines(
            folder / "witnesses.ndjson",
            map(document_of, (*(witness.record() for witness in case.witnesses), case.record().without_part())),
        )
        if routing.enterprise_at_fault:
            _write_json(folder / "enterprise.json", routing.enterprise_at_fault)
        environment = self.plan.out / ENVIRONMENT
        if environment.exists():
            shutil.copyfile(environment, folder / ENVIRONMENT)
        if case.timeline:
            (folder / TIMELINE).write_text("\n".join(timeline_lines(case.timeline)) + "\n", "utf-8", "backslashreplace")
        (folder / "evidence.txt").write_text("\n".join(run.iut.evidence()) + "\n", "utf-8", "backslashreplace")
        _write_json(folder / MANIFEST, manifest.record())  # last: a folder without it is of a run that was killed

    def _manifest(self, folder: Path, run: Session, case: Case) -> Manifest:
        added = [file for path in self.plan.features for file in feature_files(path)]
        own = [path for path in added if feature_name(str(path)) == case.feature]
        counterexamples = [_copied(path, folder) for path in case.saved]
        who, plan = run.iut.description, self.plan
        return Manifest(
            case=case.id,
            feature=case.feature,
            scenario=case.scenario,
            violated=violated_by(case),
            reason=case.reason,
            iut=plan.iut,
            implementation=" ".join(part for part in (who.vendor, who.name, who.version) if part),
            profile=plan.profile.value,
            seed=plan.seed,
            harness=f"mqconform {version('mqconform')}",
            deadline=plan.options.deadline,
            reply_timeout=plan.options.reply_timeout,
            facts=plan.options.facts,
            client=plan.options.client,
            clock=plan.options.clock,
            tolerance=plan.options.tolerance,
            second_opinion=plan.second_opinion,
            thorough=plan.thorough,
            features=tuple(dict.fromkeys([_copied(path, folder) for path in own] + counterexamples)),
            counterexamples=tuple(counterexamples),
        )


def folder_name(case: str) -> str:
    """Return the name of the folder of a case's bundle."""
    name = case.replace("/", ".")
    if len(name) <= LONGEST_NAME:
        return name
    return f"{name[:LONGEST_NAME]}-{sha256(case.encode()).hexdigest()[:8]}"


def violated_by(case: Case) -> tuple[str, ...]:
    """Return the requirements that a case found violated, sorted."""
    return tuple(
        sorted({witness.requirement for witness in case.witnesses if witness.judgement.verdict is Verdict.FAIL})
    )


def clear(directory: Path) -> None:
    """Remove the bundles of an earlier run, and nothing else that may lie beside them."""
    for manifest in sorted((directory / FOLDER).glob(f"*/{MANIFEST}")):
        shutil.rmtree(manifest.parent, ignore_errors=True)


def _allowed(case: Case, routing: Routing, replies: list[dict[str, Any]]) -> dict[str, Any]:
    expected = [
        {"requirement": witness.requirement, "step": witness.step, "verdict": witness.judgement.verdict.word}
        | {
            "expected": witness.judgement.expected,
            "observed": witness.judgement.observed,
            "reading": witness.judgement.reading,
        }
        for witness in case.witnesses
    ]
    return {"witnesses": expected, "replies": replies, "next_hops": routing.records()}


def _copied(path: Path, folder: Path) -> str:
    target = folder / "features" / path.parent.name
    target.mkdir(parents=True, exist_ok=True)
    for file in path.parent.glob(f"{path.stem}.*"):
        shutil.copyfile(file, target / file.name)
    return f"features/{path.parent.name}/{path.name}"


def _write_json(path: Path, document: Any) -> None:
    path.write_text(json.dumps(document, indent=2, sort_keys=True) + "\n", encoding="utf-8")


def _write_lines(path: Path, records: Iterable[dict[str, Any]]) -> None:
    text = "".join(json.dumps(record, sort_keys=True, separators=(",", ":")) + "\n" for record in records)
    path.write_text(text, encoding="utf-8")
