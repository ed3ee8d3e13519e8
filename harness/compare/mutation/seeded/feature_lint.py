"""The lint of the suite with one feature altered, without a copy of the package: it reads nothing but the features."""

from functools import cache
from pathlib import Path

from mqconform.harness.compare.mutation.seeded.code_defects import Defect
from mqconform.harness.suite.lint.check import LIST, check_suite, published, read_features
from mqconform.harness.suite.lint.finding import Finding
from mqconform.harness.suite.lint.gherkin_text import FeatureText, read_feature


def linted(defect: Defect, folder: Path) -> str:
    """Return what the lint finds missing in the suite once a feature has a defect; nothing where that is nothing.

    Args:
        defect: in a feature.
        folder: where the altered feature is written, so that it is read as features are.
    """
    path = folder / defect.file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(defect.text, "utf-8")
    read = read_feature(path)
    if isinstance(read, Finding):
        return f"lint: {read.rule}"
    features = [read if one.name == read.name else one for one in _features()]
    return next((f"lint: {one.rule}" for one in check_suite(features, published() / LIST)), "")


@cache
def _features() -> tuple[FeatureText, ...]:
    features, _ = read_features((published(),))
    return tuple(features)
