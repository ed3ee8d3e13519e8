"""`python -m mqsample`."""

import sys

from mqsample.command_line import main

sys.exit(main())
