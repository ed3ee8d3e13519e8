"""Sample implementations in containers, built without a registry, held to what they are held to outside of them."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from long_tier import LONG
from sample_iuts import CONFORMING, EXAMPLES, ROLES, Judged, build, excuses_of_calls, judge

from mqconform.adapters.containers.engine import Engine
from mqconform.adapters.containers.iut import why_no_holders
from mqconform.adapters.containers.labels import LABEL, lives

# Whole runs, beside those of other workers.
pytestmark = [LONG, pytest.mark.docker, pytest.mark.samples, pytest.mark.timeout(900)]
Image = Callable[[str], str]


@pytest.fixture
def image(engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> Image:
    """Builds the image of a sample as a user would, of what the other tests have compiled."""

    def built(language: str) -> str:
        folder = build(language, tmp_path_factory).parent
        name = f"mqsample-{language}"
        if not engine.api.images(name=name):
            script = [sys.executable, str(EXAMPLES / "iut" / "build_images.py"), language, "--build", str(folder)]
            done = subprocess.run(script, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stdout + done.stderr
        return name

    return built


def assert_nothing_left(engine: Engine) -> None:
    """See that no sample is left; tests beside this one may just have killed a harness of their own images."""
    listed = [
        one for one in engine.api.containers(all=True, filters={"label": LABEL}) if one["Image"].startswith("mqsample-")
    ]
    assert [one for one in listed if lives(one["Labels"][LABEL]) is False] == []


def assert_conforms(done: Judged) -> None:
    assert done.exit_code == 0, done.text
    assert "CONFORMS" in done.text
    assert not done.requirements("violated")


def test_a_sample_in_a_container_conforms_in_every_role_it_has(image: Image, engine: Engine, tmp_path: Path):
    done = judge(tmp_path / "out", "--iut", f"image:{image('python')}", "--deadline", "20")
    assert_conforms(done)
    assert set(done.of("header")[0]["iut"]["roles"]) == ROLES | {"queue_manager"}
    unsupported = [one for one in done.of("case") if one.get("excused") == "unsupported"]
    assert {one["reason"] for one in unsupported} <= excuses_of_calls()
    if not why_no_holders(engine):  # the port that it opens in its container is reached by entering that
        assert {one["standing"] for one in done.of("requirement")} <= CONFORMING
    assert_nothing_left(engine)


def test_what_cannot_be_built_is_told_without_a_traceback(tmp_path: Path):
    script = str(EXAMPLES / "iut" / "build_images.py")
    nowhere = os.environ | {"DOCKER_HOST": f"unix://{tmp_path}/none.sock"}
    for words in (["c"], ["python", "--build", str(tmp_path / "python")]):
        done = subprocess.run(
            [sys.executable, script, *words], capture_output=True, text=True, env=nowhere, check=False
        )
        assert done.returncode != 0
        assert "Traceback" not in done.stderr
        assert words[0] in done.stderr
