"""Feature files that a user adds to a run, checked before it starts."""

from pathlib import Path

from pytest_bdd.exceptions import GherkinParseError, StepError
from pytest_bdd.parser import FeatureParser

from mqconform.harness.iut import ConfigurationError


def checked_features(paths: tuple[Path, ...]) -> tuple[Path, ...]:
    """Return the paths, absolute, if each is a readable feature file or a folder with some.

    Raises:
        ConfigurationError: one is missing, holds no feature, or is not Gherkin; the message names file and line.
    """
    return tuple(_checked(path) for path in paths)


def _checked(path: Path) -> Path:
    if not path.exists():
        raise ConfigurationError(f"--features {path}: there is no such file or folder")
    files = sorted(path.rglob("*.feature")) if path.is_dir() else [path]
    if not files:
        raise ConfigurationError(f"--features {path}: the folder holds no file that ends in .feature")
    for file in files:
        try:
            FeatureParser(str(file.parent), file.name).parse()
        except (GherkinParseError, StepError) as error:
            raise ConfigurationError(f"--features {file}: not Gherkin: {error}") from error
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigurationError(f"--features {file}: cannot be read: {error}") from error
    return path.resolve()
