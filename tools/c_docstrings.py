"""Docstrings for compiled modules, which mypyc drops.

Functions, methods, properties and native classes get theirs in the C that mypyc writes: the
name of a C function tells which docstring of the source belongs to it. Named tuples are made at
run time, so they get theirs from a statement at the end of the module.

mypyc also writes the signature of `__init__`, but Python hides it behind the slot `tp_init`;
`METH_COEXIST` shows it.
"""

import ast
import inspect
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

Mypycify = Callable[..., list[Any]]

# An entry of a method table, and the documentation of a type.
METHOD = re.compile(r"(\(PyCFunction\)CPyPy_(\w+),\s*METH[\w |]*, PyDoc_STR\()(NULL|\"[^\"]*\")\)")
TYPE = re.compile(
    r"(PyTypeObject CPyType_(\w+)_template_ = \{(?:(?!\n\};).)*?\.tp_doc = PyDoc_STR\()"
    r"(NULL|\"[^\"]*\")\)",
    re.DOTALL,
)
PROPERTY = re.compile(
    r"(\{\"(\w+)\",\s*\(getter\)(\w+)_get_\2,\s*(?:NULL|\(setter\)\w+),\s*)NULL(,\s*NULL\})"
)
# The C function behind `__init__` takes a tuple and a dict, whatever its entry says.
INIT = re.compile(r"(\(PyCFunction\)CPyPy_\w+_____init__,\s*)METH_FASTCALL \| METH_KEYWORDS,")
VISIBLE_INIT = r"\1METH_VARARGS | METH_KEYWORDS | METH_COEXIST,"


def documented(sources: Iterable[Path], root: Path) -> dict[str, str]:
    """Return the docstrings by the end of the C name. Ambiguous ends are left out."""
    found: dict[str, str] = {}
    twice: set[str] = set()
    for source in sources:
        parts = source.relative_to(root).with_suffix("").parts
        for name, text in _docstrings(ast.parse(source.read_text("utf-8"))):
            for first in range(len(parts)):
                key = "___".join((*parts[first:], *name))
                if key in found:
                    twice.add(key)
                found[key] = text
    return {key: text for key, text in found.items() if key not in twice}


def _docstrings(tree: ast.Module) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield (names, docstring) of every class, function and method."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            text = ast.get_docstring(node)
            if text:
                yield (node.name,), text
        if isinstance(node, ast.ClassDef):
            for each in node.body:
                text = ast.get_docstring(each) if isinstance(each, ast.FunctionDef) else None
                if isinstance(each, ast.FunctionDef) and text:
                    yield (node.name, each.name), text


def with_docstrings(mypycify: Mypycify, root: Path) -> Mypycify:
    """Return `mypycify` with docstrings for the sources below `root`, which it changes."""

    def documented_mypycify(paths: list[str], **options: Any) -> list[Any]:
        sources = [Path(path).resolve() for path in paths if path.endswith(".py")]
        for source in sources:
            source.write_text(document_tuples(source.read_text("utf-8")), "utf-8")
        extensions = mypycify(paths, **options)
        add_docstrings(Path(options["target_dir"]), sources, root.resolve())
        return extensions

    return documented_mypycify


def document_tuples(code: str) -> str:
    """Return a module's source with a statement per named tuple that sets its docstring.

    `setattr`, because mypyc refuses an assignment to an attribute of a class.
    """
    lines = [
        f"setattr({node.name}, '__doc__', {ast.get_docstring(node)!r})\n"
        for node in ast.parse(code).body
        if isinstance(node, ast.ClassDef)
        and any(isinstance(base, ast.Name) and base.id == "NamedTuple" for base in node.bases)
        and ast.get_docstring(node)
    ]
    return code + "".join(lines)


def add_docstrings(folder: Path, sources: Iterable[Path], root: Path) -> int:
    """Write the docstrings into every C file of a folder. Return how many were added."""
    texts = documented(sources, root)
    added = 0
    for path in [*folder.rglob("*.c"), *folder.rglob("*.h")]:
        before = path.read_text("utf-8")
        after, count = _with_docstrings(before, texts)
        if after != before:
            path.write_text(after, "utf-8")
        added += count
    return added


def _with_docstrings(code: str, texts: dict[str, str]) -> tuple[str, int]:
    count = 0

    def entry(match: re.Match[str]) -> str:
        nonlocal count
        text = texts.get(match[2])
        if text is None:
            return match[0]
        count += 1
        signature = "" if match[3] == "NULL" else match[3][1:-1]
        return f'{match[1]}"{signature}{_c_text(text)}")'

    def a_property(match: re.Match[str]) -> str:
        nonlocal count
        text = texts.get(f"{match[3]}___{match[2]}")
        if text is None:
            return match[0]
        count += 1
        return f'{match[1]}PyDoc_STR("{_c_text(text)}"){match[4]}'

    code = METHOD.sub(entry, code)
    code = TYPE.sub(entry, code)
    code = PROPERTY.sub(a_property, code)
    return INIT.sub(VISIBLE_INIT, code), count


def _c_text(text: str) -> str:
    """Return the text as the inside of a C string.

    Escapes are octal: they end after three digits, so a digit that follows is not part of them.
    """
    out = []
    for byte in inspect.cleandoc(text).encode():
        sign = chr(byte)
        if sign in '"\\?' or not 32 <= byte < 127:
            out.append(f"\\{byte:03o}")
        else:
            out.append(sign)
    return "".join(out)
