"""The Spark pipeline over recorded decisions, captures and results."""
