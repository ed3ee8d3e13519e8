"""Ways of driving an implementation: they observe and convict nobody."""
