"""The tests of the reference need no more of their process than all tests do."""

from surroundings import pytest_configure

__all__ = ["pytest_configure"]
