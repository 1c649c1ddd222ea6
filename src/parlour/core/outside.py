"""Classes of other people's packages that were compiled, and how they must not be."""

from parlour.core.errors import ContractError

CURE = (
    "put @mypyc_attr(native_class=False) of mypy_extensions before the class, or leave its "
    "module uncompiled"
)


def refuse_foreign_layout(cls: type) -> None:
    """`ContractError` for a subclass that mypyc compiled apart from Parlour.

    Such a class has a layout of its own: a native call into it would crash the process.
    """
    if "__mypyc_attrs__" in vars(cls) and not cls.__module__.startswith("parlour."):
        raise ContractError(
            f"{cls.__module__}.{cls.__qualname__} was compiled by mypyc apart from Parlour, and "
            f"calls into it would crash: {CURE}"
        )
