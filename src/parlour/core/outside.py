"""Refuse classes of other packages that mypyc compiled with an incompatible layout."""

from types import BuiltinFunctionType

from parlour.core.errors import ContractError

CURE = (
    "put @mypyc_attr(native_class=False) of mypy_extensions before the class, or leave its "
    "module uncompiled"
)


def refuse_foreign_layout(cls: type) -> None:
    """Raise `ContractError` for a subclass that mypyc compiled separately from Parlour.

    Such a class has another memory layout: a native call into it would crash the process. Two
    signs reveal it. mypyc 2 sets `__mypyc_attrs__` before `__init_subclass__` is called (mypyc 1
    sets it later). And its `__new__` is a C function, which no class made by Python has.
    """
    if cls.__module__.startswith("parlour."):
        return
    own = vars(cls)
    if "__mypyc_attrs__" in own or isinstance(own.get("__new__"), BuiltinFunctionType):
        raise ContractError(
            f"mypyc compiled {cls.__module__}.{cls.__qualname__} separately from Parlour, so calls "
            f"into it would crash: {CURE}"
        )
