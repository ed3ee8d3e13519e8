"""Machine-made mutants: each small change to the reference's own code, loaded beside the reference that judges it."""
