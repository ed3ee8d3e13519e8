"""What spark-submit runs: the command line of mqconform, in the session that was submitted."""

from mqconform.harness.cli import main

main()
