"""What is asked: requirements, ambiguities, scenarios, their lint, the specifications' texts."""
