"""The exit codes of ``mqconform run``: one for each way in which a run can end."""

EXIT_OK, EXIT_FAIL, EXIT_INCONCLUSIVE, EXIT_ERROR, EXIT_NOTHING, EXIT_BASELINE = 0, 1, 2, 3, 5, 7
