import os
import socket
import tempfile
from pathlib import Path

import pytest

from mqconform.harness.iut.drivers.discovery_server.reserved_port import reserved_port
from mqconform.harness.iut.interface import NotApplicable

LOCALHOST = "127.0.0.1"


@pytest.fixture
def port() -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind((LOCALHOST, 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path / f"mqconform-{os.getuid()}"


def test_the_lock_lies_in_a_folder_of_the_users_own(folder: Path, port: int):
    with reserved_port(LOCALHOST, port):
        assert folder.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("kind", ["link", "folder", "fifo"])
def test_a_lock_that_is_no_file_is_refused_and_nothing_truncated(folder: Path, port: int, kind: str):
    lock, victim = folder / f"udp-{port}.lock", folder.parent / "victim"
    victim.write_text("precious", "utf-8")
    folder.mkdir(0o700)
    match kind:
        case "link":
            lock.symlink_to(victim)
        case "folder":
            lock.mkdir()
        case "fifo":
            os.mkfifo(lock)
    with pytest.raises(NotApplicable, match=f"udp-{port}.lock"), reserved_port(LOCALHOST, port):
        pass
    assert victim.read_text("utf-8") == "precious"


@pytest.mark.parametrize("kind", ["link", "writable"])
def test_a_folder_that_is_not_the_users_alone_is_refused(folder: Path, port: int, kind: str):
    if kind == "link":
        folder.symlink_to(folder.parent)
    else:
        folder.mkdir()
        folder.chmod(0o777)
    with pytest.raises(NotApplicable, match="not a folder of yours alone"), reserved_port(LOCALHOST, port):
        pass
