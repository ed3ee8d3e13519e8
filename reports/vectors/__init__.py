"""Test vectors: questions and packets with what they deserve, the same for the same seed anywhere."""
