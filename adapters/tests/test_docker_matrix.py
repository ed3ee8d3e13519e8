"""A sample in a container meets the reference: calls in every kind, and datagrams that the harness carries."""

import subprocess
import sys
from pathlib import Path

import pytest
from long_tier import LONG
from matrices import implementations, of, played, written
from sample_iuts import EXAMPLES, build

from mqconform.adapters.containers.engine import Engine
from mqconform.adapters.networks.namespaces import why_no_namespaces

pytestmark = [LONG, pytest.mark.docker]

TRIED = '[discovery]\nscenarios = ["own-site"]\n[routing]\ngenerated = 3\nquestions = 30\n[delivery]\nschedules = 10\n'


def test_a_container_meets_the_reference_in_every_kind(
    engine: Engine, tmp_path_factory: pytest.TempPathFactory, tmp_path: Path
):
    if why_no_namespaces():
        pytest.skip(f"12 cells with a container not played: {why_no_namespaces()}")
    if not engine.api.images(name="mqsample-python"):
        script = [sys.executable, str(EXAMPLES / "iut" / "build_images.py"), "python", "--build"]
        subprocess.run([*script, str(build("python", tmp_path_factory).parent)], check=True)
    matrix = written(tmp_path, implementations({"ref": "ref:", "boxed": "image:mqsample-python"}) + TRIED)
    outcome = played(matrix, tmp_path / "out")
    for kind in ("discovery", "routing", "delivery"):
        for pair in (("boxed", "boxed"), ("boxed", "ref"), ("ref", "boxed")):
            result = of(outcome, kind, *pair)
            assert (result.outcome, result.reason, result.findings) == ("pass", "", ())
