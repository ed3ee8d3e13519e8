"""Declaration of an implementation: reviewed, probed, and counted by the requirements not judged without it."""
