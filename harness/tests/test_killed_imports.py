"""Imports that are killed at any moment: each file is the old one or the new one, and the next import is whole."""

import base64
import random
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

from long_tier import LONG

pytestmark = LONG
KILLS = 6
MACHINES = 2_000
"""So many that the files take longer to write than a look takes."""
EXPORT = Path(__file__).parents[2] / "examples" / "directories" / "contoso.ldf"
LOOK, LOOK_EACH = threading.Event(), 0.001
NAMES = ("enterprise.json", "snapshot.json")


def many_machines() -> str:
    """The export with copies of its client under other names and identifiers."""
    text, rng = EXPORT.read_text("utf-8"), random.Random(1)
    client = [one for one in text.split("\n\n") if re.match(r"dn: (CN=msmq,)?CN=client,", one)]
    assert len(client) == 2
    copies = []
    for number in range(MACHINES):
        for entry in client:
            renamed = re.sub(r"\bclient\b", f"m{number}", entry)
            copies.append(
                re.sub("objectGUID:: .*", f"objectGUID:: {base64.b64encode(rng.randbytes(16)).decode()}", renamed)
            )
    return "\n\n".join([text.rstrip("\n"), *copies]) + "\n"


def command(source: Path, folder: Path) -> list[str]:
    main = "from mqconform.harness.cli import main; main()"
    files = ["--out", str(folder / NAMES[0]), "--snapshot", str(folder / NAMES[1])]
    return [sys.executable, "-c", main, "directory", "import", f"ldif:{source}", *files]


def imported(source: Path, folder: Path) -> dict[str, bytes]:
    subprocess.run(command(source, folder), check=True, stdout=subprocess.DEVNULL)
    assert sorted(one.name for one in folder.iterdir()) == sorted(NAMES)
    return contents(folder)


def contents(folder: Path) -> dict[str, bytes]:
    """The files, without the time of reading."""
    return {name: re.sub(rb'"read_at": "[^"]*"', b"", (folder / name).read_bytes()) for name in NAMES}


def test_a_killed_import_leaves_whole_files_and_the_next_one_is_whole(tmp_path: Path):
    source, folder, rng = tmp_path / "many.ldf", tmp_path / "out", random.Random(3)
    source.write_text(many_machines(), "utf-8")
    folder.mkdir()
    began = time.monotonic()
    new = imported(source, folder)
    lasts = time.monotonic() - began
    old = imported(EXPORT, folder)
    killed = 0
    for number in range(KILLS):
        with subprocess.Popen(command(source, folder), stdout=subprocess.DEVNULL) as process:
            while number % 2 and process.poll() is None and not list(folder.glob(".*")):
                LOOK.wait(LOOK_EACH)
            LOOK.wait(rng.uniform(0, 0.02) if number % 2 else rng.uniform(0, lasts))
            process.send_signal(signal.SIGKILL)
        killed += process.returncode == -signal.SIGKILL
        assert all(octets in {old[name], new[name]} for name, octets in contents(folder).items())
        assert imported(source, folder) == new
        assert imported(EXPORT, folder) == old
    assert killed  # a busy machine makes the moments of some come late
