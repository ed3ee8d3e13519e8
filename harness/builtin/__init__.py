"""The reference model as an implementation under test, one module for each role."""
