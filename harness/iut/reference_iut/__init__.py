"""The reference model as an implementation under test, one module for each role, and the UDP port that it serves."""
