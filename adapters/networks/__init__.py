"""Networks in namespaces of ours, what is on them, and what passes there."""
