"""What a server writes about itself: lines of text, or one JSON object a line.

A message is a sentence that stays the same; what differs from case to case goes along as fields
(`extra`): `table`, `seat`, `code`, `seconds`, and so on. No token, claim or key is ever one.
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

doing: ContextVar[str] = ContextVar("doing", default="")
"""The id of the request or socket that is being served."""

_worker = 0
"""Which of several workers this process is; 0: there is one."""

_PLAIN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message"}
_ID = re.compile(r"[\w.-]{1,64}", re.ASCII)


def request_id(offered: str = "") -> str:
    """The id of a request: what a proxy has given it, or a new one."""
    return offered if _ID.fullmatch(offered) else secrets.token_hex(6)


def _fields(record: logging.LogRecord) -> dict[str, object]:
    """What goes along with a message, beside what every message has."""
    found = {name: value for name, value in vars(record).items() if name not in _PLAIN}
    if _worker:
        found.setdefault("worker", _worker)
    if doing.get():
        found.setdefault("request", doing.get())
    return found


def _time(record: logging.LogRecord) -> str:
    moment = datetime.fromtimestamp(record.created, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


class JsonFormatter(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """Time, level, logger, message, process, and the fields; an exception is one of them."""
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
    """A line for people; an exception follows on lines of its own."""

    def format(self, record: logging.LogRecord) -> str:
        """Time, level, message, fields."""
        fields = "".join(f" {name}={value}" for name, value in _fields(record).items())
        # What somebody else wrote must not steer the terminal, nor pretend to be another line.
        words = printable(f"{record.getMessage()}{fields}").replace("\n", "\\n")
        line = f"{_time(record)} {record.levelname} {words}"
        if record.exc_info:
            line = f"{line}\n{printable(self.formatException(record.exc_info))}"
        return line


def set_up_logging(kind: str, wants_access: bool = False, worker: int = 0) -> None:
    """To the standard error: everything, also what uvicorn and Python itself have to say.

    With several workers each line tells of which one it is.
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
