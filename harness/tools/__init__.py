"""Enterprise files and drawing, packets and captures, serve, doctor, smoke, explain."""
