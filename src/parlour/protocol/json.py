"""JSON in and out: bytes into the Structs of this package, and back."""

from typing import Any, ClassVar, Generic, TypeVar

import msgspec

from parlour.core.checks import printable
from parlour.core.errors import BadMessage

T = TypeVar("T")

encode = msgspec.json.Encoder().encode


class UnknownType(BadMessage):
    """There is no message of that type."""

    code: ClassVar[str] = "unknown_type"


class Reader(Generic[T]):
    """Reads one kind of message: what it gives has the right types, or it raises."""

    def __init__(self, kind: Any) -> None:
        """`kind` is a Struct, or a union of them told apart by `t`."""
        self._kind = kind
        self._decoder: msgspec.json.Decoder[T] = msgspec.json.Decoder(kind)

    def read(self, data: bytes | str) -> T:
        """The message; `BadMessage` or `UnknownType` with what is wrong."""
        try:
            return self._decoder.decode(data)
        except (msgspec.DecodeError, RecursionError, UnicodeError):
            # A wrong type may only be a 3.0 in place of a 3, which some languages write.
            return self._read_loosely(data)

    def _read_loosely(self, data: bytes | str) -> T:
        try:
            plain = _with_ints(msgspec.json.decode(data))
            found: T = msgspec.convert(plain, self._kind)
        except msgspec.ValidationError as error:
            text = printable(str(error))
            if text.startswith("Invalid value") and text.endswith("`$.t`"):
                raise UnknownType(f"there is no such type: {text}") from None
            raise BadMessage(text) from None
        except (msgspec.DecodeError, UnicodeError) as error:
            raise BadMessage(f"this is not JSON: {printable(str(error))}") from None
        except RecursionError:
            raise BadMessage("this is nested too deeply") from None
        return found


def _with_ints(value: Any) -> Any:
    """The value with 3 in place of 3.0."""
    if isinstance(value, float):
        return int(value) if value.is_integer() else value
    if isinstance(value, list):
        return [_with_ints(each) for each in value]
    if isinstance(value, dict):
        return {key: _with_ints(each) for key, each in value.items()}
    return value
