"""Feature files that a user adds to a run, checked before it starts."""

from pathlib import Path

from mqconform.harness.records.fingerprint import fingerprint
from mqconform.harness.records.problem import ConfigurationError
from mqconform.harness.suite.feature_text import FeatureFault, feature_files, read_feature
from mqconform.harness.suite.lint.scenario_rules import check_definitions
from mqconform.harness.suite.naming import feature_name
from mqconform.harness.suite.steps import load_definitions


def checked_features(paths: tuple[Path, ...], modules: tuple[str, ...]) -> tuple[Path, ...]:
    """Return the paths, absolute, if each is a readable feature file or a folder with some, of steps in ``modules``.

    Raises:
        ConfigurationError: one is missing, holds no feature, is not Gherkin, or has a step that is not defined; the
            message names file and line.
    """
    return tuple(_checked(path, modules) for path in paths)


def _checked(path: Path, modules: tuple[str, ...]) -> Path:
    if not path.exists():
        raise ConfigurationError(f"--features {path}: there is no such file or folder")
    files = feature_files(path)
    if not files:
        raise ConfigurationError(f"--features {path}: the folder holds no file that ends in .feature")
    for file in files:
        try:
            feature = read_feature(file)
        except FeatureFault as fault:
            raise ConfigurationError(f"--features {fault}") from fault
        for finding in check_definitions(feature, load_definitions(modules)):
            raise ConfigurationError(f"--features {file}:{finding.line}: {finding.text}")
    return path.resolve()


def added_fingerprints(paths: tuple[Path, ...]) -> dict[str, str]:
    """Return the fingerprint of each added feature by its name: of the file and of what bears its name beside it."""
    parts: dict[str, list[str]] = {}
    for file in sorted({feature_file for path in paths for feature_file in feature_files(path)}):
        own = parts.setdefault(feature_name(str(file)), [])
        for beside in sorted(file.parent.glob(f"{file.stem}.*")):
            if beside.is_file():
                own += [beside.name, beside.read_bytes().decode("latin-1")]
    return {name: fingerprint(parts[name]) for name in sorted(parts)}
