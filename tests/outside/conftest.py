"""The package stands beside its tests."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
