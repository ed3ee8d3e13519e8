"""Where defects are seeded: the folders of the package that judge, and its features."""

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from mqconform.harness.farm.seeded.code_defects import Defect, code_defects
from mqconform.harness.farm.seeded.feature_defects import feature_defects

FOLDERS = ("features", "reference", "harness", "adapters", "reports")
JUDGING = ("harness/steps", "harness/oracle")


def package() -> Path:
    """Return a folder whose ``FOLDERS`` are the parts of the package."""
    return Path(str(files("mqconform.harness"))).parent


def all_defects() -> Iterator[Defect]:
    """Yield every defect that can be seeded, file by file."""
    root = package()
    for folder in JUDGING:
        for path in sorted((root / folder).glob("*.py")):
            yield from code_defects(f"{folder}/{path.name}", path.read_text("utf-8"))
    for path in sorted((root / "features").glob("*/*.feature")):
        yield from feature_defects(f"features/{path.parent.name}/{path.name}", path.read_text("utf-8"))
