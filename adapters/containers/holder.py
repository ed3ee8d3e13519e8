"""A computer for containers to run on: a network namespace with our interfaces before the first program starts in it.

An engine gives a container a namespace only while it starts, too late for a program that looks at its interfaces at
once. So a container of an image of our own comes first, whose one program does nothing, and the container under test
joins its namespace. The image is made here: 150 octets of program need no registry.
"""

import io
import os
import struct
import tarfile
import weakref
from hashlib import sha256
from pathlib import Path

from mqconform.adapters.containers.container import new_name, removed_if_possible
from mqconform.adapters.containers.engine import Engine, EngineFailed, EngineRefused, asking
from mqconform.adapters.containers.reaper import labels
from mqconform.adapters.networks.namespaces import Namespace, NamespacesUnavailable

MEMORY, PROCESSES = 64 << 20, 64
"""Far more than the program needs: what starts it runs within the same bounds, and is done only after the start."""
ENTRY = "/hold"
REPOSITORY = "mqconform-holder"
LOAD_AT, HEADERS = 0x40_0000, 120
"""Where the program is loaded, and the octets of its ELF header and its one program header."""
CODE = {
    # mov eax, 34 (pause); syscall; jmp back
    "amd64": (62, bytes.fromhex("b822000000 0f05 ebf7")),
    # x0 to x4 = 0; x8 = 73 (ppoll); svc 0; b back
    "arm64": (183, bytes.fromhex("000080d2 010080d2 020080d2 030080d2 040080d2 280980d2 010000d4 f9ffff17")),
}
"""By machine, its number in ELF and a program that waits for ever."""


def program(machine: str) -> bytes:
    """Return an executable that does nothing until it is killed.

    Raises:
        NamespacesUnavailable: there is none for such a machine.
    """
    if machine not in CODE:
        raise NamespacesUnavailable(f"what holds a network is there for {', '.join(CODE)} alone, not for {machine}")
    number, code = CODE[machine]
    size = HEADERS + len(code)
    identity = b"\x7fELF\x02\x01\x01".ljust(16, b"\0")
    header = struct.pack("<HHIQQQIHHHHHH", 2, number, 1, LOAD_AT + HEADERS, 64, 0, 0, 64, 56, 1, 0, 0, 0)
    segment = struct.pack("<IIQQQQQQ", 1, 5, 0, LOAD_AT, LOAD_AT, size, size, 0x1000)
    return identity + header + segment + code


def holder_image(engine: Engine) -> str:
    """Return the name of the image, made now where the engine does not have it."""
    with asking("asking for the engine's platform"):
        machine = str(engine.api.version().get("Arch"))
    executable = program(machine)
    tag = sha256(executable).hexdigest()[:12]
    try:
        with asking("looking for the image that holds networks"):
            engine.api.inspect_image(f"{REPOSITORY}:{tag}")
    except EngineRefused:
        with asking("making the image that holds networks"):
            engine.api.import_image_from_data(
                _archive(executable), repository=REPOSITORY, tag=tag, changes=[f'ENTRYPOINT ["{ENTRY}"]']
            )
    return f"{REPOSITORY}:{tag}"


def _archive(executable: bytes) -> bytes:
    octets = io.BytesIO()
    with tarfile.open(fileobj=octets, mode="w") as archive:
        entry = tarfile.TarInfo(ENTRY.removeprefix("/"))
        entry.mode, entry.size = 0o755, len(executable)
        archive.addfile(entry, io.BytesIO(executable))
    return octets.getvalue()


class ContainerNamespace(Namespace):
    """The network namespace of a running container.

    Raises, when made:
        NamespacesUnavailable: it cannot be entered from here.
    """

    def __init__(self, container: str, pid: int) -> None:
        """Open it.

        Args:
            container: its full id.
            pid: its first process, as the engine sees it; the pid of another machine is not taken for one of ours.
        """
        self._descriptor = -1
        try:
            if container not in Path(f"/proc/{pid}/cgroup").read_text("utf-8", "replace"):
                raise NamespacesUnavailable("the engine's processes are not those of this machine")
            self._descriptor = os.open(f"/proc/{pid}/ns/net", os.O_RDONLY | os.O_CLOEXEC)
            self.run(lambda: None)
        except OSError as error:
            Namespace.close(self)
            raise NamespacesUnavailable(f"a container's network cannot be entered: {error}; run as root") from error


class Holder(ContainerNamespace):
    """A network namespace with nothing but loopback that containers can join; see ``Namespace``.

    Attributes:
        network: what ``network_mode`` a container has that joins it.

    Raises, when made:
        NamespacesUnavailable: it cannot be had or entered from here.
        EngineFailed: the engine does not start the container.
    """

    def __init__(self, engine: Engine) -> None:
        self._descriptor = -1
        self._engine, self.name = engine, new_name()
        image = holder_image(engine)
        self._last_resort = weakref.finalize(self, removed_if_possible, engine, self.name)
        try:
            super().__init__(*self._started(engine, image))
        except BaseException:
            self.close()
            raise

    def _started(self, engine: Engine, image: str) -> tuple[str, int]:
        limits = engine.api.create_host_config(
            network_mode="none",
            mem_limit=MEMORY,
            memswap_limit=MEMORY,
            pids_limit=PROCESSES,
            read_only=True,
            cap_drop=["ALL"],
            security_opt=["no-new-privileges:true"],
            log_config={"type": "none"},
        )
        with asking("starting the container that holds a network"):
            made = engine.api.create_container(image, name=self.name, labels=labels(), host_config=limits)
            identity = str(made["Id"])
            self.network = f"container:{identity}"
            engine.api.start(identity)
            return identity, int(engine.api.inspect_container(identity)["State"]["Pid"])

    def status(self) -> str:
        """Say what became of its container, for the words of an error."""
        try:
            with asking("inspecting a container"):
                state = self._engine.api.inspect_container(self.name)["State"]
        except EngineFailed as problem:
            return str(problem)
        return f"{state['Status']}, exit status {state['ExitCode']}, out of memory: {state['OOMKilled']}"

    def close(self) -> None:
        """Let go of the namespace and remove the container."""
        super().close()
        self._last_resort()
