"""Which case is being judged: all that implementations of ours, which run in this process, know of the run."""

ID = ""
"""Empty outside of cases. The plug-in of pytest sets it; each process judges one case at a time."""
