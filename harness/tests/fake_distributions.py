"""Distributions of third parties, as pip would install them: a module and the metadata that registers plug-ins."""

from pathlib import Path

import pytest


def install(
    monkeypatch: pytest.MonkeyPatch, folder: Path, name: str, plug_ins: dict[str, dict[str, str]], source: str = ""
) -> None:
    """Install version 2.0 of a distribution into a folder of its own and put that on the path.

    Args:
        monkeypatch: takes it off the path again.
        folder: takes the distribution's folder.
        name: of the distribution; its module has the same with underscores.
        plug_ins: group -> name -> value of the entry points.
        source: the module.
    """
    place, module = folder / name, name.replace("-", "_")
    metadata = place / f"{module}-2.0.dist-info"
    metadata.mkdir(parents=True)
    (place / f"{module}.py").write_text(source)
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 2.0\n")
    lines = [
        line
        for group, points in plug_ins.items()
        for line in (f"[{group}]", *(f"{point} = {value}" for point, value in points.items()))
    ]
    (metadata / "entry_points.txt").write_text("\n".join(lines) + "\n")
    monkeypatch.syspath_prepend(str(place))
