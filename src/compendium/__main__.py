"""``python -m compendium``: the command where no script is installed."""

import sys

from compendium.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
