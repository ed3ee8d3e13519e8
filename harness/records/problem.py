"""What can go wrong that is no defect of the harness."""


class IutProblem(Exception):
    """Base of all that can go wrong between harness and IUT; never a defect of the harness."""


class ConfigurationError(IutProblem):
    """The user named an IUT or a file in a way that cannot work; exit code 4."""


class PackageFault(Exception):
    """A file that the package ships is wrong; the message says where. Exit code 3."""


class OutputLost(Exception):
    """Results cannot be written, or were taken away meanwhile; what is on disk stays. Exit code 3."""
