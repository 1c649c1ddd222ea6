"""Compile mypyc's C in less time: large units, optimised where it pays, on every core.

- mypyc writes one C file per module (`multi_file`). Each includes the same large headers, so many
  files are compiled as one unit: the kernels, which inline each other's functions, and the rest of
  each package. Only the kernels are compiled with more than `-O1`.
- The top level of a module runs once, so gcc does not optimise it.
- All functions are hidden outside the library. Otherwise `-fPIC` keeps gcc from inlining them, and
  every call goes through a table.
- Warnings about generated code are turned off: gcc spends a third of its time on them.
"""

import os
import re
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

Mypycify = Callable[..., list[Any]]

KERNELS = {
    *("bits", "endings", "evaluation", "heuristics", "history", "layout", "movegen", "ordering"),
    *("placement", "planes", "priors", "rules", "solver", "territory"),
    *("ismcts", "mcts", "rollout", "search", "transpositions", "tree"),
    *("legal_lists", "playouts", "rng"),
}
"""Modules that call each other in every move of a playout or a search."""

FLAGS = ["-w", "-fvisibility=hidden"]
FLAGS_BESIDE_KERNELS = ["-O1"]
TOP_LEVEL = re.compile(r"^(?=char CPyDef_\w+_____top_level__\(void\) \{)", re.MULTILINE)
RUNS_ONCE = """\
#if defined(__GNUC__) && !defined(__clang__)
#define RUNS_ONCE __attribute__((optimize("O0")))
#else
#define RUNS_ONCE
#endif
"""


def in_units(mypycify: Mypycify) -> Mypycify:
    """Return `mypycify` with units in place of files."""

    def mypycify_in_units(paths: list[str], **options: Any) -> list[Any]:
        extensions = mypycify(paths, multi_file=True, **options)
        library = extensions[0]  # the others only import from it
        library.sources = write_units(Path(options["target_dir"]), library.sources)
        compile_in_parallel()
        return extensions

    return mypycify_in_units


def write_units(folder: Path, sources: Iterable[str]) -> list[str]:
    """Write a C file for each unit, which includes the files of the unit. Return their paths."""
    units: dict[str, list[Path]] = {}
    for source in map(Path, sources):
        units.setdefault(unit_of(source.stem), []).append(source)
        code = source.read_text("utf-8")
        source.write_text(TOP_LEVEL.sub("RUNS_ONCE ", code), "utf-8")
    for name, parts in units.items():
        parts.sort(key=lambda part: part.name.startswith("__native"))  # mypyc's runtime first
        lines = [f'#include "{part.relative_to(folder).as_posix()}"\n' for part in parts]
        (folder / f"unit_{name}.c").write_text(RUNS_ONCE + "".join(lines), "utf-8")
    kernels_first = sorted(units, key=lambda name: name != "kernels")  # they take longest
    return [str(folder / f"unit_{name}.c") for name in kernels_first]


def unit_of(name: str) -> str:
    """Return the unit of a C file; mypyc's runtime belongs to the kernels."""
    parts = name.split("___")  # as in __native_parlour___games___octa___rules
    return "kernels" if len(parts) == 1 or parts[-1] in KERNELS else parts[1]


def compile_in_parallel() -> None:
    """Let setuptools compile the files of an extension in several processes, with our flags."""
    from distutils.unixccompiler import UnixCCompiler  # setuptools brings it

    compile_files = UnixCCompiler.compile

    def compile_all(
        self: Any, sources: list[str], extra_postargs: list[str], **options: Any
    ) -> list[str]:
        def compile_one(source: str) -> list[str]:
            flags = [*extra_postargs, *flags_of(source)]
            return compile_files(self, [source], extra_postargs=flags, **options)

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            return [made for each in pool.map(compile_one, sources) for made in each]

    UnixCCompiler.compile = compile_all


def flags_of(source: str) -> list[str]:
    """Return the flags of a C file, in addition to mypyc's."""
    return FLAGS if Path(source).stem == "unit_kernels" else FLAGS + FLAGS_BESIDE_KERNELS
