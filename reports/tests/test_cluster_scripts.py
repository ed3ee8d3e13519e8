"""The scripts for YARN and Kubernetes, run by the real spark-submit up to the cluster, of which none is here."""

import json
import os
import select
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from long_tier import LONG
from pyspark.find_spark_home import _find_spark_home
from worker_processes import kill_whole

from mqconform.reference.directory import Directory, document_from_directory
from mqconform.reports.pipeline.java import find_java, java_home_for_spark

SCRIPTS = Path(__file__).parents[2] / "examples" / "cluster"
WORDS = ["--directory", "/shared/enterprise.json", "--decisions", "/shared/decisions", "--out", "/shared/audited"]

pytestmark = [
    *LONG,
    pytest.mark.cluster,
    pytest.mark.skipif(not SCRIPTS.is_dir(), reason="the examples are beside a checkout alone"),
    pytest.mark.timeout(600),
]


class Recorder(BaseHTTPRequestHandler):
    """An API server of Kubernetes that keeps each object it is sent, and runs none of them."""

    objects: list[dict[str, Any]]

    def do_POST(self) -> None:
        sent = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.objects.append(sent)
        self._answer(201, sent | {"metadata": sent["metadata"] | {"uid": str(len(self.objects))}})

    do_PATCH = do_PUT = do_POST  # noqa: N815 - the names that http.server looks for

    def do_GET(self) -> None:
        self._answer(404, {"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": 404})

    def _answer(self, status: int, document: Mapping[str, Any]) -> None:
        octets = json.dumps(document).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(octets)))
        self.end_headers()
        self.wfile.write(octets)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def api_server() -> Iterator[tuple[str, list[dict[str, Any]]]]:
    objects: list[dict[str, Any]] = []
    handler = type("Handler", (Recorder,), {"objects": objects})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", objects
        server.shutdown()


def environment(folder: Path) -> dict[str, str]:
    return os.environ | {
        "JAVA_HOME": str(java_home_for_spark(find_java(os.environ), folder)),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_CONF_DIR": str(folder),
        "HADOOP_CONF_DIR": str(folder),
        "PATH": f"{_find_spark_home()}/bin:{os.environ['PATH']}",
    }


def test_the_script_for_kubernetes_asks_for_a_driver_with_our_image_folder_and_command(tmp_path: Path):
    # Nobody runs the driver, so that waiting for its end would take for ever.
    (tmp_path / "spark-defaults.conf").write_text("spark.kubernetes.submission.waitAppCompletion false\n")
    with api_server() as (url, objects):
        names = {"KUBERNETES": url, "IMAGE": "registry/mqconform-spark", "CLAIM": "decisions"}
        done = subprocess.run(
            ["bash", str(SCRIPTS / "kubernetes.sh"), *WORDS],
            cwd=tmp_path,
            env=environment(tmp_path) | names,
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stderr[-3000:]
    pod = next(sent for sent in objects if sent["kind"] == "Pod")
    (driver,) = pod["spec"]["containers"]
    assert driver["image"] == "registry/mqconform-spark"
    assert driver["args"][-9:] == ["local:///opt/mqconform/mqconform_job.py", "audit", "routes", *WORDS]
    assert "/shared" in [mount["mountPath"] for mount in driver["volumeMounts"]]
    claims = [volume.get("persistentVolumeClaim", {}).get("claimName") for volume in pod["spec"]["volumes"]]
    assert "decisions" in claims
    assert pod["spec"]["serviceAccountName"] == "spark"
    (properties,) = {sent["data"]["spark.properties"] for sent in objects if "spark.properties" in sent.get("data", {})}
    assert "spark.kubernetes.executor.volumes.persistentVolumeClaim.shared.mount.path=/shared" in properties


def test_the_script_for_yarn_starts_the_driver_which_calls_the_resource_manager(tmp_path: Path, three_sites: Directory):
    (tmp_path / "enterprise.json").write_text(json.dumps(document_from_directory(three_sites)))
    (tmp_path / "decisions.jsonl").write_text('{"source": "", "destination": "", "next_hops": ""}\n')
    words = ["--directory", "enterprise.json", "--decisions", "decisions.jsonl", "--out", "audited"]
    (tmp_path / "environment").symlink_to(sys.prefix)
    (tmp_path / "environment.tar.gz").touch()
    with socket.create_server(("127.0.0.1", 0)) as manager, (tmp_path / "output").open("wb") as output:
        address = f"127.0.0.1:{manager.getsockname()[1]}"
        (tmp_path / "yarn-site.xml").write_text(
            "<configuration><property><name>yarn.resourcemanager.address</name>"
            f"<value>{address}</value></property></configuration>"
        )
        with subprocess.Popen(
            ["bash", str(SCRIPTS / "yarn.sh"), *words],
            cwd=tmp_path,
            env=environment(tmp_path),
            stdout=output,
            stderr=output,
        ) as submitted:
            try:
                while not select.select([manager], [], [], 1)[0]:
                    assert submitted.poll() is None, (tmp_path / "output").read_text()
                caller, _ = manager.accept()
                with caller:
                    assert caller.recv(4, socket.MSG_WAITALL) == b"hrpc", "a call of Hadoop"
            finally:
                kill_whole(submitted)
