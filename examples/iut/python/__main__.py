"""`python3 examples/iut/python`: the sample where it lies, without make."""

import sys

from mqsample.command_line import main

sys.exit(main())
