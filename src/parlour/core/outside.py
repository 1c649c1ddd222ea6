"""Classes of other people's packages that were compiled, and how they must not be."""

from types import BuiltinFunctionType

from parlour.core.errors import ContractError

CURE = (
    "put @mypyc_attr(native_class=False) of mypy_extensions before the class, or leave its "
    "module uncompiled"
)


def refuse_foreign_layout(cls: type) -> None:
    """`ContractError` for a subclass that mypyc compiled apart from Parlour.

    Such a class has a layout of its own: a native call into it would crash the process.
    It is known by `__mypyc_attrs__`, which mypyc 2 gives a class before `__init_subclass__`
    is called, and which older ones give it after; and by its `__new__`, which is a function
    in C from the beginning, as no class that Python makes has one.
    """
    if cls.__module__.startswith("parlour."):
        return
    own = vars(cls)
    if "__mypyc_attrs__" in own or isinstance(own.get("__new__"), BuiltinFunctionType):
        raise ContractError(
            f"{cls.__module__}.{cls.__qualname__} was compiled by mypyc apart from Parlour, and "
            f"calls into it would crash: {CURE}"
        )
