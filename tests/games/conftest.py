"""Make `observation_pictures` importable for its test."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
