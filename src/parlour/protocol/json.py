"""JSON encoding and decoding of the Structs of this package."""

from typing import Any, ClassVar, Generic, TypeVar

import msgspec

from parlour.core.checks import printable
from parlour.core.errors import BadMessage

T = TypeVar("T")

encode = msgspec.json.Encoder().encode


class UnknownType(BadMessage):
    """Unknown message type."""

    code: ClassVar[str] = "unknown_type"


class Reader(Generic[T]):
    """Decode and validate one kind of message."""

    def __init__(self, kind: Any) -> None:
        """Create a reader for `kind`: a Struct, or a union of Structs tagged by `t`."""
        self._kind = kind
        self._decoder: msgspec.json.Decoder[T] = msgspec.json.Decoder(kind)

    def read(self, data: bytes | str) -> T:
        """Return the decoded message. Raise `BadMessage` or `UnknownType` if it is invalid."""
        try:
            return self._decoder.decode(data)
        except (msgspec.DecodeError, RecursionError, UnicodeError):
            # Some languages write the integer 3 as 3.0: retry with whole floats as integers.
            return self._read_leniently(data)

    def _read_leniently(self, data: bytes | str) -> T:
        try:
            plain = _with_ints(msgspec.json.decode(data))
            found: T = msgspec.convert(plain, self._kind)
        except msgspec.ValidationError as error:
            text = printable(str(error))
            if text.startswith("Invalid value") and text.endswith("`$.t`"):
                raise UnknownType(f"unknown message type: {text}") from None
            raise BadMessage(text) from None
        except (msgspec.DecodeError, UnicodeError) as error:
            raise BadMessage(f"invalid JSON: {printable(str(error))}") from None
        except RecursionError:
            raise BadMessage("the JSON is nested too deeply") from None
        return found


def _with_ints(value: Any) -> Any:
    """Replace floats such as 3.0 by integers, recursively."""
    if isinstance(value, float):
        return int(value) if value.is_integer() else value
    if isinstance(value, list):
        return [_with_ints(each) for each in value]
    if isinstance(value, dict):
        return {key: _with_ints(each) for key, each in value.items()}
    return value
