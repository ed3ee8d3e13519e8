"""Data: scenarios, requirements, ambiguities, schemas."""
