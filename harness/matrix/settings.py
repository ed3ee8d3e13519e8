"""What a user asked of a whole matrix."""

from dataclasses import dataclass
from pathlib import Path

from mqconform.harness.matrix.file import Tried
from mqconform.harness.profile import Profile


@dataclass(frozen=True, slots=True)
class Settings:
    """What all kinds of cells go by.

    Attributes:
        out: folder of the results.
        workers: how many cells are played at once.
        deadline: seconds that one call to an implementation may take.
    """

    out: Path
    tried: Tried
    seed: int = 0
    workers: int = 2
    deadline: float = 5.0
    profile: Profile = Profile.DEFAULT
