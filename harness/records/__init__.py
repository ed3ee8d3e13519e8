"""What a run leaves behind: witnesses, cases, findings, the run file."""
