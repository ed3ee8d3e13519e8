"""How the reference refuses an operation that it does not have."""

from mqconform.harness.iut.interface import METHOD_NOT_FOUND


class MethodNotFound(Exception):
    """The reference has no such operation; adapters turn the code into "unsupported"."""

    code = METHOD_NOT_FOUND
