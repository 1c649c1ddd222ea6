"""Put the trace module and the mistakes of authors on the path."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "conformance")]
