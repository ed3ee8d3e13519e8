"""What is wrong with a feature, and where."""

from dataclasses import dataclass


@dataclass(frozen=True, order=True, slots=True)
class Finding:
    """One breach of one rule.

    Attributes:
        rule: name of the rule, as ``mqconform lint --rules`` lists it.
        told: what is wrong and what to do.
    """

    path: str
    line: int
    rule: str
    told: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.rule}: {self.told}"


RULES = {
    "not-gherkin": "A feature file is Gherkin in UTF-8.",
    "no-scenario": "A feature file has a feature with at least one scenario.",
    "duplicate-feature": "No two feature files have the same folder and name.",
    "duplicate-scenario": "No two scenarios of a feature have names that are one in the id of a case.",
    "no-requirement": "A scenario names the requirement that it judges.",
    "unknown-requirement": "A requirement that a tag names is in the catalogue.",
    "unobservable-requirement": "A requirement that a tag names is one that can be judged.",
    "lost-requirement": "A requirement that can be judged has a scenario.",
    "lost-case": "A case that the list of cases knows is still there, and names what it named.",
    "unread-reading": "A reading of a testable ambiguity has an implementation that follows it, or says why not.",
    "needless-unseen": "A reading that an implementation follows does not say that it cannot be seen.",
    "unknown-tag": "A tag is @req:ID, @role:ROLE, @needs:CAPABILITY or @sequence.",
    "tags-on-examples": "Examples carry no tags: the runner would lose them.",
    "no-examples": "A scenario outline has rows, and a scenario without rows uses no <column>.",
    "no-case-column": "An Examples table begins with the column case.",
    "bad-case-name": "A case is named in lower-case letters, digits and hyphens.",
    "duplicate-case": "No two rows of a scenario have one name.",
    "unused-column": "Each column but case is used by a step.",
    "unknown-column": "Each <column> of a step is one of the table.",
    "no-then": "A scenario ends with a Then.",
    "no-when": "A scenario has a When, its own or its background's.",
    "several-whens": "A scenario has one When; a sequence of them is tagged @sequence.",
    "undefined-step": "Each step has a definition.",
    "ambiguous-step": "No step has two definitions.",
    "twins": "No two cases do the same for the same requirement.",
    "contradiction": "No case demands what another forbids in the same situation.",
    "no-assertion": "A case that runs makes an assertion on each requirement that it names (with --run).",
}
"""Every rule, with what it asks."""
