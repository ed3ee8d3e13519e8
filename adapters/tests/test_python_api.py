"""The Python API adapter against objects of every shape, most of them hostile."""

import sys
from collections.abc import Callable
from itertools import count
from math import inf
from pathlib import Path
from time import monotonic

import pytest

from mqconform.adapters.objects.python_api import PythonApiIut, open_iut
from mqconform.harness.iut.interface import AdapterOptions, ConfigurationError, IutFault, Unsupported

PATIENT, SHORT = 20.0, 0.2
NUMBERS = count()

Write = Callable[[str], str]


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Write a module that can be imported, under a name that no other test has."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def write(source: str) -> str:
        name = f"iut_under_test_{next(NUMBERS)}"
        (tmp_path / f"{name}.py").write_text(source)
        return name

    return write


def opened(module: Write, body: str, deadline: float = PATIENT) -> PythonApiIut:
    """An IUT whose ``reset`` has the given body."""
    source = "import sys, threading, time, uuid\nclass Iut:\n    def reset(self):\n"
    source += "".join(f"        {line}\n" for line in body.splitlines())
    return open_iut(f"{module(source)}:Iut", AdapterOptions(deadline=deadline))


def fault_of(iut: PythonApiIut) -> IutFault:
    with pytest.raises(IutFault) as caught:
        iut.call("reset", {})
    iut.close()
    return caught.value


SHAPES = {
    "one door": """
class Iut:
    def call(self, method, params):
        return {"said": f"{method} {params}"}
""",
    "a method each": """
class Iut:
    def router_initialize(self, **params):
        return {"said": f"router.initialize {params}"}
    def reset(self):
        return {"said": "reset {}"}
""",
    "an object per role": """
class Router:
    def initialize(self, local):
        return {"said": f"router.initialize {dict(local=local)}"}
class Iut:
    def __init__(self):
        self.router = Router()
    def reset(self):
        return {"said": "reset {}"}
""",
}


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_and_every_maker_is_accepted(module: Write, shape: str):
    maker = {"one door": "Iut", "a method each": "make", "an object per role": "Box.make"}[shape]
    source = SHAPES[shape] + "\ndef make(): return Iut()\nclass Box: make = staticmethod(make)\n"
    iut = open_iut(f"{module(source)}:{maker}", AdapterOptions(deadline=PATIENT))
    assert iut.call("router.initialize", {"local": "x"}) == {"said": "router.initialize {'local': 'x'}"}
    assert iut.call("reset", {}) == {"said": "reset {}"}
    iut.close()


def test_neither_side_can_alter_the_other_sides_objects(module: Write):
    iut = open_iut(
        module(
            "class Iut:\n    def router_load_directory(self, directory):\n        directory['sites'].sort()\n"
            "        self.kept = {'sites': directory['sites']}\n        return self.kept\n"
            "    def reset(self):\n        return self.kept\n"
        )
        + ":Iut",
        AdapterOptions(deadline=PATIENT),
    )
    directory = {"sites": ["b", "a"]}
    result = iut.call("router.load_directory", {"directory": directory})
    assert directory == {"sites": ["b", "a"]}
    result["sites"].clear()
    assert iut.call("reset", {}) == {"sites": ["a", "b"]}


@pytest.mark.parametrize("method", ["router.get_next_hops", "shutdown", "reset.there", "mqconform.no_such_method"])
def test_a_missing_method_is_unsupported(module: Write, method: str):
    with pytest.raises(Unsupported, match=method):
        opened(module, "pass").call(method, {})


@pytest.mark.parametrize(
    "raised",
    [
        "raise NotImplementedError('later')",
        "error = Exception('x'); error.code = -32601; raise error",
        "from mqconform.harness.iut import Unsupported; raise Unsupported('reset')",
    ],
)
def test_an_exception_can_say_not_supported(module: Write, raised: str):
    with pytest.raises(Unsupported):
        opened(module, raised).call("reset", {})


@pytest.mark.parametrize(
    ("raised", "told"),
    [
        ("raise ValueError('bad thing')", "ValueError: 'bad thing'"),
        ("sys.exit(3)", "SystemExit: '3'"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
        ("return self.reset()", "RecursionError"),
        ("class Odd(BaseException): pass\nraise Odd('x')", "Odd: 'x'"),
        ("class Mute(Exception):\n  def __str__(self): raise ValueError\nraise Mute", "text cannot be had"),
        ("class Sly(Exception):\n  @property\n  def code(self): raise SystemExit\nraise Sly('x')", "Sly: 'x'"),
        ("error = Exception('x'); error.code = True; raise error", "Exception: 'x'"),
        ("raise Exception('long ' * 1_000_000)", "Exception: 'long "),
        (
            "from mqconform.harness.iut import ConfigurationError\nraise ConfigurationError('x')",
            "ConfigurationError: 'x'",
        ),
    ],
)
def test_whatever_is_raised_is_a_fault_with_its_traceback_as_evidence(module: Write, raised: str, told: str):
    iut = opened(module, raised)
    fault = fault_of(iut)
    assert fault.kind == "exception"
    assert told in str(fault)
    assert len(str(fault)) < 1_000
    assert "in reset" in iut.evidence()[0]
    assert len(iut.evidence()[0]) < 5_000


@pytest.mark.parametrize(
    "result",
    [
        "{'id': uuid.UUID(int=0)}",
        "{'hops': {1, 2}}",
        "(self.__setattr__('a', []), self.a.append(self.a), self.a)[-1]",
        "{'deep': __import__('functools').reduce(lambda inner, _: [inner], range(100_000), [])}",
        "{'huge': 10 ** 10_000}",
        "{(1, 2): 3}",
        "{'half': '\\ud800'}",
    ],
)
def test_a_result_that_is_no_json_is_a_fault(module: Write, result: str):
    assert fault_of(opened(module, f"return {result}")).kind == "not-json"


def test_a_result_over_16_mib_is_oversize(module: Write):
    assert fault_of(opened(module, "return {'a': 'x' * (16 * 1024 * 1024)}")).kind == "oversize"


def test_tuples_and_special_numbers_pass_as_they_would_as_text(module: Write):
    result = opened(module, "return {'a': (1, 2), 'b': float('nan'), 3: None}").call("reset", {})
    assert (result["a"], str(result["b"]), result["3"]) == ([1, 2], "nan", None)


def test_without_a_deadline_a_call_needs_no_thread_and_who_interrupts_the_harness_is_heard(module: Write):
    body = "if threading.current_thread() is threading.main_thread(): raise KeyboardInterrupt"
    with pytest.raises(KeyboardInterrupt):
        opened(module, body, deadline=inf).call("reset", {})
    assert fault_of(opened(module, "raise KeyboardInterrupt")).kind == "exception"


def test_a_hung_call_costs_its_deadline_and_the_iut_is_abandoned(module: Write):
    iut = opened(module, "threading.Event().wait()", deadline=SHORT)
    with pytest.raises(IutFault, match="did not return within"):
        iut.call("reset", {})
    began = monotonic()
    later = fault_of(iut)
    assert (later.kind, "abandoned" in str(later)) == ("deadline", True)
    assert monotonic() - began < SHORT / 2


def test_close_calls_shutdown_and_never_raises(module: Write):
    source = "class Iut:\n    def shutdown(self):\n        raise SystemExit('too late')\n"
    iut = open_iut(f"{module(source)}:Iut", AdapterOptions(deadline=PATIENT))
    iut.close()
    assert "too late" in " ".join(iut.evidence())


@pytest.mark.parametrize(
    ("target", "told"),
    [
        ("", "expected api:module:callable"),
        (":Iut", "expected api:module:callable"),
        ("no_such_module_at_all:Iut", "module no_such_module_at_all is not found; install it"),
        ("json:nothing", "json .* has no object .nothing."),
        ("json:decoder.nothing", "has no object .decoder.nothing."),
        ("json:__name__", "is not a class or function"),
        ("json:loads", "missing a required argument: 's'.*needs none"),
    ],
)
def test_a_target_that_cannot_be_had_is_a_matter_of_configuration(target: str, told: str):
    with pytest.raises(ConfigurationError, match=told):
        open_iut(target, AdapterOptions())


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("import no_such_dependency", "module no_such_dependency is not found"),
        ("raise RuntimeError('no licence')", "RuntimeError: 'no licence'"),
        ("import sys; sys.exit(1)", "SystemExit: '1'"),
        ("def broken(:", "SyntaxError"),
    ],
)
def test_a_module_that_cannot_be_imported_is_a_matter_of_configuration(module: Write, source: str, told: str):
    with pytest.raises(ConfigurationError, match=told):
        open_iut(f"{module(source)}:Iut", AdapterOptions())


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("class Iut:\n    def __init__(self): raise ValueError", "exception"),
        ("class Iut:\n    def __init__(self): raise SystemExit(0)", "exception"),
        ("import threading\ndef Iut(): threading.Event().wait()", "deadline"),
    ],
)
def test_an_object_that_cannot_be_made_is_the_iuts_fault(module: Write, source: str, kind: str):
    with pytest.raises(IutFault) as caught:
        open_iut(f"{module(source)}:Iut", AdapterOptions(deadline=SHORT if kind == "deadline" else PATIENT))
    assert caught.value.kind == kind


def test_a_module_in_the_current_directory_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "iut_of_this_directory.py").write_text(SHAPES["one door"])
    monkeypatch.setattr(sys, "path", [one for one in sys.path if one])
    monkeypatch.chdir(tmp_path)
    assert open_iut("iut_of_this_directory:Iut", AdapterOptions()).call("reset", {}) == {"said": "reset {}"}
    assert sys.path[-1] == str(tmp_path)
