"""Every other output, from results alone."""
