"""The executable specification: octets, time and choices come in, allowed outcomes go out."""
