"""``python3 examples/iut/brokers BROKER``: the wrapper around a real broker, from the sources."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
# The loop over lines and the reading of parameters are those of the sample in Python.
sys.path[:0] = [str(HERE), str(HERE.parent / "python")]

from brokers.command_line import main  # noqa: E402 - the paths come first

sys.exit(main(sys.argv[1:]))
