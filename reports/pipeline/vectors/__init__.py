"""``vectors``: test vectors generated on Spark, for testing offline in any language."""
