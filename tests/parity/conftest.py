"""What both builds run stands beside its test, and the mistakes of authors with theirs."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "conformance")]
