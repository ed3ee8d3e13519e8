"""The wrapper that the documentation shows in Go is a program: built around a router it is judged, and passes."""

import os
import re
import subprocess
from pathlib import Path

import pytest
from long_tier import LONG
from sample_iuts import EXAMPLES, build, judge

pytestmark = [LONG, pytest.mark.samples]  # its module is compiled with all of the standard library
PAGE = EXAMPLES.parent / "docs" / "how-to" / "wrap-a-router-in-go.md"
MODULE = f"""\
module example.com/mine

go 1.19

require example.com/mqsample v0.0.0

replace example.com/mqsample => {EXAMPLES / "iut" / "go"}
"""
ROUTER = """\
package router

import (
	"encoding/json"
	"time"

	"example.com/mqsample/guid"
	"example.com/mqsample/routing"
)

type Router struct{ *routing.Router }

func New() *Router { return &Router{routing.NewRouter()} }

func (r *Router) Load(document json.RawMessage) {
	var directory routing.Directory
	if err := json.Unmarshal(document, &directory); err != nil {
		panic(err)
	}
	r.ChangeDirectory(directory)
}

func (r *Router) Replace(document json.RawMessage) { r.Load(document) }

func (r *Router) Start(local string) { r.Initialize(parsed(local)) }

func (r *Router) Advance(seconds float64) { r.AdvanceClock(time.Duration(seconds * float64(time.Second))) }

func (r *Router) NextHops(source, destination string) ([]guid.GUID, bool) {
	hops, err := r.GetNextHops(parsed(source), parsed(destination))
	return hops, err == nil
}

func parsed(text string) guid.GUID {
	var id guid.GUID
	if err := id.UnmarshalText([]byte(text)); err != nil {
		panic(err)
	}
	return id
}
"""
"""A router of one's own, as the page takes it for granted: that of the sample."""


@pytest.fixture(scope="module")
def wrapper(tmp_path_factory: pytest.TempPathFactory) -> Path:
    environment = {
        **os.environ,
        "CGO_ENABLED": "0",
        "GOCACHE": str(build("go", tmp_path_factory).parent / "go-cache"),
        "GOFLAGS": "-mod=mod",
        "GOPROXY": "off",
    }
    folder = tmp_path_factory.mktemp("mine")
    shown = re.search(r"^```go\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert shown
    (folder / "router").mkdir()
    for name, text in (("go.mod", MODULE), ("main.go", shown.group(1)), ("router/router.go", ROUTER)):
        (folder / name).write_text(text, "utf-8")
    for command in (["gofmt", "-d", "main.go"], ["go", "vet", "./..."], ["go", "build", "-o", "my-wrapper", "."]):
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr
    return folder / "my-wrapper"


def test_what_it_wraps_is_judged(wrapper: Path, tmp_path: Path):
    done = judge(tmp_path / "out", "--iut", f"stdio:{wrapper}", "--req", "MQBR")
    assert done.exit_code == 0, done.text
    assert len(done.requirements("verified")) > 60, done.text
    assert not done.requirements("violated")
