"""The server's log: lines of text, or one JSON object per line.

Messages are constant sentences; variable parts are fields (`extra`): `table`, `seat`, `code`,
`seconds` and so on. Tokens, claims and keys are never logged.
"""

import json
import logging
import os
import re
import secrets
import sys
from contextvars import ContextVar
from datetime import UTC, datetime

from parlour.core.checks import printable

log = logging.getLogger("parlour.server")
access = logging.getLogger("parlour.access")

current_request: ContextVar[str] = ContextVar("current_request", default="")
"""Id of the current request or connection."""

_worker = 0
"""Number of this worker, or 0 if there is one process."""

_PLAIN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message"}
_ID = re.compile(r"[\w.-]{1,64}", re.ASCII)


def request_id(offered: str = "") -> str:
    """Return a proxy's request id if it is valid, otherwise a new one."""
    return offered if _ID.fullmatch(offered) else secrets.token_hex(6)


def _fields(record: logging.LogRecord) -> dict[str, object]:
    """Return the extra fields of a record."""
    found = {name: value for name, value in vars(record).items() if name not in _PLAIN}
    if _worker:
        found.setdefault("worker", _worker)
    if current_request.get():
        found.setdefault("request", current_request.get())
    return found


def _time(record: logging.LogRecord) -> str:
    moment = datetime.fromtimestamp(record.created, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


class JsonFormatter(logging.Formatter):
    """Formatter that writes one JSON object per line."""

    def format(self, record: logging.LogRecord) -> str:
        """Return time, level, logger, message, process, fields and any exception as JSON."""
        entry: dict[str, object] = {
            "time": _time(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            "process": os.getpid(),
        }
        for name, value in _fields(record).items():
            entry.setdefault(name, value)
        if record.exc_info and record.exc_info[0] is not None:
            entry["error"] = record.exc_info[0].__name__
            entry["traceback"] = self.formatException(record.exc_info)
        elif record.stack_info:
            entry["traceback"] = record.stack_info
        return json.dumps(entry, default=str)


class TextFormatter(logging.Formatter):
    """Formatter for people; the traceback of an exception follows on separate lines."""

    def format(self, record: logging.LogRecord) -> str:
        """Return time, level, message and fields as a line."""
        fields = "".join(f" {name}={value}" for name, value in _fields(record).items())
        # Text from clients must not control the terminal or forge log lines.
        words = printable(f"{record.getMessage()}{fields}").replace("\n", "\\n")
        line = f"{_time(record)} {record.levelname} {words}"
        if record.exc_info:
            line = f"{line}\n{printable(self.formatException(record.exc_info))}"
        return line


def set_up_logging(kind: str, wants_access: bool = False, worker: int = 0) -> None:
    """Log to standard error, including messages of uvicorn and Python's warnings.

    With several workers, each line has the number of its worker.
    """
    global _worker
    _worker = worker
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter() if kind == "json" else TextFormatter())
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(logging.INFO)
    access.setLevel(logging.INFO if wants_access else logging.CRITICAL)
    logging.captureWarnings(True)
    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)
