"""The plug-in that pytest finds in every environment with mqconform: inert until an implementation is named.

It imports pytest alone, loads no steps, and collects nothing without ``--mqconform``; ``pytest_items`` does the work.
"""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

import pytest

if TYPE_CHECKING:
    from mqconform.harness.run.pytest_items import Cases, FeatureFile, Verdict

PREFIX: Final = "mqconform::"
"""Begins the ids of items, by which a command line names them again."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add what a command line and an ini file may say."""
    group = parser.getgroup("mqconform", "conformance of an MSMQ implementation")
    group.addoption("--mqconform", metavar="KIND:ID", help="judge this implementation: an item for each case")
    what = "only this requirement, section or specification; repeatable"
    group.addoption("--mqconform-req", action="append", default=[], metavar="ID", help=what)
    parser.addini("mqconform_iut", "implementation for the fixture `mqconform` and for feature files")
    parser.addini("mqconform_args", "more arguments of `mqconform run`", type="args", default=[])


def pytest_configure(config: pytest.Config) -> None:
    """Describe the mark, and take ids of items out of the files that are to be collected."""
    config.addinivalue_line("markers", "mqconform: a case that judges the implementation that --mqconform names")
    if not hasattr(config.option, "mqconform_ids"):  # else a worker of pytest-xdist, whose command line is its parent's
        config.option.mqconform_ids = [arg for arg in config.args if arg.startswith(PREFIX)]
    config.args[:] = [arg for arg in config.args if not arg.startswith(PREFIX)]
    if config.option.mqconform:
        _cases(config)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any, error: object) -> None:
    """Note that a worker of pytest-xdist has left results; one that was killed may have."""
    if getattr(node, "workeroutput", {}).get("mqconform") or (error and node.config.option.mqconform):
        _cases(node.config).parts.append(node.gateway.id)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> "FeatureFile | None":
    """Collect the cases of a feature file of the suite; those of other projects are left alone."""
    if file_path.suffix != ".feature" or not (file_path.parents[1] / "cases.txt").is_file():
        return None
    from mqconform.harness.run.pytest_items import FeatureFile  # noqa: PLC0415 - needed only when asked

    _cases(parent.config)
    return FeatureFile.from_parent(parent, path=file_path)


@pytest.fixture(scope="session")
def mqconform(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], "Verdict"]:
    """Return a function from the id of a requirement to the verdict on it, which plays its cases when first asked."""
    return cache(lambda requirement: _cases(pytestconfig).verdict(requirement, tmp_path_factory.mktemp("mqconform")))


def _cases(config: pytest.Config) -> "Cases":
    """Return what plays cases, made when it is first asked for."""
    from mqconform.harness.run.pytest_items import PLUGIN_NAME, Cases  # noqa: PLC0415 - needed only when asked

    if not config.pluginmanager.has_plugin(PLUGIN_NAME):
        iut = config.option.mqconform or config.getini("mqconform_iut") or "ref:"
        folder = config.invocation_params.dir if config.option.mqconform else config.rootpath
        config.pluginmanager.register(
            Cases(config, iut, folder, getattr(config, "workerinput", {}).get("workerid", "")), PLUGIN_NAME
        )
    return cast("Cases", config.pluginmanager.get_plugin(PLUGIN_NAME))
