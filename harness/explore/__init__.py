"""Implementation against implementation: matrix, triangulation, mutation testing."""
