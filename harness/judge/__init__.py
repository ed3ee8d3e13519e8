"""Verdicts: steps and checks of one rule stand together, a folder for each role or specification."""
