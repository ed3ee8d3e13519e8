"""Images for tests, put together here: no registry is asked."""

import gzip
import io
import json
import tarfile
from hashlib import sha256
from typing import Any


def load(api: Any, name: str, files: dict[str, bytes], machine: str = "", **config: Any) -> None:
    """Give an engine an image.

    Args:
        api: the client of the engine.
        name: with its tag.
        files: by path in the image, what is in them; all may be executed.
        machine: whom it is for, as images call machines; the engine's own unless given.
        config: of the image, such as Entrypoint, User, Labels.
    """
    layer = archive(files)
    described = {
        "architecture": machine or api.version()["Arch"],
        "os": "linux",
        "config": config,
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{sha256(layer).hexdigest()}"]},
        "history": [{"created_by": "tests"}],
    }
    manifest = [{"Config": "config.json", "RepoTags": [name], "Layers": ["layer.tar"]}]
    whole = archive(
        {
            "config.json": json.dumps(described).encode(),
            "layer.tar": layer,
            "manifest.json": json.dumps(manifest).encode(),
        }
    )
    for said in api.load_image(gzip.compress(whole, 1)):
        if "error" in said:
            raise RuntimeError(said["error"])


def archive(files: dict[str, bytes]) -> bytes:
    """Return files as a tar."""
    octets = io.BytesIO()
    with tarfile.open(fileobj=octets, mode="w") as tar:
        for path, content in files.items():
            entry = tarfile.TarInfo(path.removeprefix("/"))
            entry.mode, entry.size = 0o755, len(content)
            tar.addfile(entry, io.BytesIO(content))
    return octets.getvalue()
