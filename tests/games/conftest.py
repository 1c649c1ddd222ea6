"""The pictures for the documents stand beside the test that reads them."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
