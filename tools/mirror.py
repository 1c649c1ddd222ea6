"""Copy the sources that are not compiled into the installed package: `python tools/mirror.py`.

Compiling is slow and copying is fast, so the Makefile reinstalls the package only if one of the
files that `python tools/mirror.py --sources` lists has changed. Uses only the standard library.
"""

import ast
import filecmp
import shutil
import sys
import sysconfig
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MADE = {"__pycache__", "interpreted.txt"}
"""Files without a source, made by Python or by the build."""


def compiled_sources(root: Path) -> list[Path]:
    """Return the sources that the build compiles, and the modules that these import."""
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    hook = project["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"]["custom"]
    compiled = {path for pattern in hook["include"] for path in root.glob(pattern.lstrip("/"))}
    return sorted(compiled.union(*(imported(path, root / "src") for path in compiled)))


def imported(source: Path, root: Path) -> Iterator[Path]:
    """Yield the modules below `root` that a file imports with absolute names."""
    for node in ast.walk(ast.parse(source.read_bytes())):
        names = []
        if isinstance(node, ast.Import):
            names = [each.name for each in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{each.name}" for each in node.names)]
        for name in names:
            path = root / (name.replace(".", "/") + ".py")
            if path.is_file():
                yield path


def mirror(source: Path, target: Path) -> list[Path]:
    """Make `target` equal to `source`, except for compiled modules. Return the changed paths."""
    changed = []
    target.mkdir(exist_ok=True)
    for path in sorted(target.iterdir()):
        if path.name not in MADE and not has_source(path, source):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
            changed.append(path)
    for path in sorted(source.iterdir()):
        copy = target / path.name
        if path.is_dir():
            changed += mirror(path, copy) if path.name not in MADE else []
        elif not copy.is_file() or not filecmp.cmp(path, copy, shallow=False):
            shutil.copyfile(path, copy)
            changed.append(copy)
    return changed


def has_source(path: Path, folder: Path) -> bool:
    """Whether an installed file or folder comes from one in `folder`."""
    if path.suffix in (".so", ".pyd"):
        return (folder / f"{path.name.partition('.')[0]}.py").is_file()
    return (folder / path.name).exists()


if __name__ == "__main__":
    if sys.argv[1:] == ["--sources"]:
        print(*(path.relative_to(ROOT).as_posix() for path in compiled_sources(ROOT)))
    else:
        mirror(ROOT / "src" / "parlour", Path(sysconfig.get_path("platlib")) / "parlour")
