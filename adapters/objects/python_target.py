"""From ``module:callable`` to a Python object, and from a method of the IUT protocol to a method of that object."""

import inspect
import os
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

from mqconform.harness.iut.interface import ConfigurationError, Json, excerpt

Operation = Callable[[Json], Any]


def load_factory(target: str) -> Callable[[], Any]:
    """Import ``module:callable``. This runs the module's code.

    Raises:
        ConfigurationError: there is no such thing, or it cannot be called without arguments.
    """
    module_name, colon, attribute = target.partition(":")
    if not colon or not module_name or not attribute:
        raise ConfigurationError(f"api:{target}: expected api:module:callable, such as api:my_package.iut:MyServer")
    factory = _attribute(_module(module_name, target), attribute, target)
    if not callable(factory):
        raise ConfigurationError(
            f"api:{target}: {attribute} is not a class or function; name a class or function that makes the IUT"
        )
    _require_no_arguments(factory, target)
    makes_iut: Callable[[], Any] = factory
    return makes_iut


def _module(name: str, target: str) -> Any:
    """Import a module, from the current directory too, as ``python -m`` does.

    The directory comes last in the path: a file there must not replace a module that the harness itself imports.
    For an implementation of ours, such as the reference, nothing there is of use.
    """
    here = os.getcwd()  # noqa: PTH109 - sys.path holds text
    if here not in sys.path and "" not in sys.path and not name.startswith("mqconform."):
        sys.path.append(here)
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        where = "the environment of the harness or the current directory"
        missing = f"module {error.name} is not found; install it into {where}"
        raise ConfigurationError(f"api:{target}: {missing}") from error
    except BaseException as error:  # a module may raise anything, sys.exit() included; this is not a thread of ours
        remedy = f"see that python -c 'import {name}' works"
        raise ConfigurationError(f"api:{target}: importing {name} raised {exception_text(error)}; {remedy}") from error


def exception_text(error: BaseException) -> str:
    """Return type and text of an exception of the IUT."""
    try:
        text = str(error)
    except BaseException:  # noqa: BLE001 (the __str__ of the IUT)
        text = "(its text cannot be had)"
    return f"{type(error).__name__}: {excerpt(text)}" if text else type(error).__name__


def _attribute(module: Any, path: str, target: str) -> Any:
    attribute = module
    for name in path.split("."):
        try:
            attribute = getattr(attribute, name)
        except AttributeError as error:
            origin = getattr(module, "__file__", None) or "a built-in module"
            raise ConfigurationError(f"api:{target}: {module.__name__} ({origin}) has no object {path!r}") from error
    return attribute


def _require_no_arguments(factory: Callable[..., Any], target: str) -> None:
    try:
        signature = inspect.signature(factory)
    except (TypeError, ValueError):
        return  # written in C without a signature: the call itself will tell
    try:
        signature.bind()
    except TypeError as error:
        raise ConfigurationError(
            f"api:{target}: is called without arguments, but {error}; name a class or function that needs none"
        ) from error


def find_operation(iut: Any, method: str) -> Operation | None:
    """Return what performs a method, in the first of the shapes that the object has; None where it has none.

    1. ``iut.call(method, params)``: one door for all methods;
    2. ``iut.discovery_server_configure(**params)``: one method each, the dot as an underscore;
    3. ``iut.discovery_server.configure(**params)``: one object per role.

    ``initialize``, ``reset`` and ``shutdown`` have no role: ``iut.reset()`` in shapes 2 and 3.
    """
    door = getattr(iut, "call", None)
    if callable(door):
        return lambda params: door(method, params)
    operation = getattr(iut, method.replace(".", "_"), None)
    role, dot, name = method.partition(".")
    if operation is None and dot:
        operation = getattr(getattr(iut, role, None), name, None)
    if not callable(operation):
        return None
    function: Callable[..., Any] = operation
    return lambda params: function(**params)
