"""The helpers of these tests are modules in this folder."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent))
