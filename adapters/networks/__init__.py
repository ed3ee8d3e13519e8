"""Networks in namespaces of ours, the computers on them, the programs that run there, and what passes."""
