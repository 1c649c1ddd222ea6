"""Docstrings for compiled modules: added to the C that mypyc writes, before it is compiled.

mypyc keeps a signature for `help` and drops what the docstring says. The names of the C
functions tell which function or method each entry of a table belongs to; its text comes from
the source.
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


def documented(sources: Iterable[Path], root: Path) -> dict[str, str]:
    """By the end of a C name, what the docstring says; ambiguous ends are left out."""
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
    """(names, docstring) of every class, function and method."""
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
    """`mypycify`, which then adds the docstrings of the sources below `root` to its C."""

    def documented_mypycify(paths: list[str], **options: Any) -> list[Any]:
        extensions = mypycify(paths, **options)
        sources = [Path(path).resolve() for path in paths if path.endswith(".py")]
        add_docstrings(Path(options["target_dir"]), sources, root.resolve())
        return extensions

    return documented_mypycify


def add_docstrings(folder: Path, sources: Iterable[Path], root: Path) -> int:
    """Write them into every C file of a folder; how many were added."""
    texts = documented(sources, root)
    added = 0
    for path in [*folder.rglob("*.c"), *folder.rglob("*.h")]:
        before = path.read_text("utf-8")
        after, count = _with_docstrings(before, texts)
        if count:
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
    return PROPERTY.sub(a_property, code), count


def _c_text(text: str) -> str:
    """The inside of a C string; in octal, so that no digit after it is taken for a part of it."""
    out = []
    for byte in inspect.cleandoc(text).encode():
        sign = chr(byte)
        if sign in '"\\?' or not 32 <= byte < 127:
            out.append(f"\\{byte:03o}")
        else:
            out.append(sign)
    return "".join(out)
