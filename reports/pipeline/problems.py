"""What the pipeline refuses on account of what it was given; the command line shows the text and exits with 4."""

from mqconform.reference.errors import ModelError


class UnusableInput(ModelError):
    """A file, a column or an option cannot be used; the text names it, and the remedy."""


class NoSpark(ModelError):
    """Spark or the Java that it needs is missing or does not start; the text lists what was tried."""
