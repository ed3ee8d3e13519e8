"""Print constraints for pip: each dependency of the core in the lowest version that pyproject.toml allows."""

import tomllib
from pathlib import Path

PYPROJECT = tomllib.loads(Path(__file__).parents[1].joinpath("pyproject.toml").read_text("utf-8"))

for dependency in PYPROJECT["project"]["dependencies"]:
    print(dependency.partition(",")[0].replace(">=", "=="))
