"""The files of the demo: the page, Python for browsers, and the packages that a server needs.

Everything comes from the registries. Python is npm's package `pyodide`; packages with native code
are wheels for it, fetched by pip once and kept in .venv; the others are those that are installed.
"""

import io
import json
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
sys.path.append(str(ROOT / "tests" / "web"))

from node_tools import package  # noqa: E402

from parlour.server.http.pages import with_words  # noqa: E402

HERE = Path(__file__).parent / "demo"
WEB = ROOT / "src" / "parlour" / "web"
WHEELS = ROOT / ".venv" / "pyodide"

RUNTIME = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "pyodide-lock.json",
    "python_stdlib.zip",
)
NATIVE = ("librt", "msgspec")
PURE = ("starlette", "anyio", "idna", "platformdirs", "prometheus-client", "mypy-extensions")
PURE += ("typing-extensions",)
ENTRY_POINTS = "parlour-0.dist-info/entry_points.txt"

FIRST = '<script src="shim.js"></script>\n'
STYLE = """<style>
/* Nobody else can come to a server that is a part of this page. */
.game [data-way="friend"], .game [data-way="find"], .setup option[value="open"], .setup .switch,
.setup .go [type="button"], .list:not(.own), a[href$="/film"] { display: none; }
/* The demo has only the front page and tables. */
a[href^="/analysis"], a[href="/puzzles"], a[href="/games"] { display: none; }
</style>
"""


def demo_files() -> Iterator[tuple[str, bytes]]:
    """Every file below demo/, with its content."""
    for name in ("index.html", "frame.js", "shim.js", "worker.js"):
        yield name, (HERE / name).read_bytes()
    for name in ("lobby.html", "table.html"):
        yield name, framed((WEB / name).read_text("utf-8")).encode()
    for path in sorted(WEB.rglob("*")):
        if path.suffix in (".css", ".js", ".json", ".svg"):
            yield f"web/{path.relative_to(WEB).as_posix()}", path.read_bytes()
    runtime = package("pyodide")
    for name in RUNTIME:
        yield f"pyodide/{name}", (runtime / name).read_bytes()
    yield "python.zip", python_files(runtime)


def framed(page: str) -> str:
    """Return a page of the server as the frame shows it."""
    words = json.loads((WEB / "languages" / "en.json").read_text("utf-8"))
    page = with_words(page.replace("/web/VERSION/", "web/"), "en", words)
    page = re.sub(r'<link rel="preload" .*\n', "", page)  # there is no server to ask
    return page.replace("<title>", FIRST + STYLE + "<title>", 1)


def python_files(runtime: Path) -> bytes:
    """Parlour, its entry points, the server and what it needs, as one archive."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in PURE:
            for file in distribution(name).files or []:
                if file.suffix in (".py", ".pyi") and ".." not in file.parts:
                    put(archive, str(file), Path(str(file.locate())).read_bytes())
        for wheel in native_wheels(runtime):
            with zipfile.ZipFile(wheel) as source:
                for name in source.namelist():
                    if name.endswith((".py", ".so")):
                        put(archive, name, source.read(name))
        source_folder = ROOT / "src"
        for path in sorted(source_folder.rglob("*")):
            name = path.relative_to(source_folder).as_posix()
            if path.suffix in (".py", ".json") and not name.startswith("parlour/templates/"):
                put(archive, name, path.read_bytes())
        put(archive, "parlour_demo.py", (HERE / "parlour_demo.py").read_bytes())
        put(archive, ENTRY_POINTS, entry_points().encode())
        put(
            archive,
            "parlour-0.dist-info/METADATA",
            b"Metadata-Version: 2.1\nName: parlour\nVersion: 0\n",
        )
    return made.getvalue()


def put(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    """Add a file, with no time: the same files make the same archive."""
    archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)


def entry_points() -> str:
    """Return the games and agents that are found by name."""
    found = distribution("parlour").entry_points
    groups: dict[str, list[str]] = {}
    for each in found:
        if each.group.startswith("parlour."):
            groups.setdefault(each.group, []).append(f"{each.name} = {each.value}")
    return "\n".join("\n".join([f"[{name}]", *lines]) for name, lines in groups.items()) + "\n"


def native_wheels(runtime: Path) -> list[Path]:
    """Wheels with native code for this Python in a browser, fetched if they are missing."""
    about = json.loads((runtime / "pyodide-lock.json").read_text("utf-8"))["info"]
    platform = f"pyemscripten_{about['abi_version']}_{about['arch']}"
    version = ".".join(about["python"].split(".")[:2])
    found = []
    for name in NATIVE:
        kept = [*WHEELS.glob(f"{name}-*-{platform}.whl")]
        if not kept:
            command = [sys.executable, "-m", "pip", "download", "-qq", "--no-deps"]
            command += ["--disable-pip-version-check", "--only-binary", ":all:"]
            command += ["--implementation", "cp", "--python-version", version]
            command += ["--platform", platform, "--dest", str(WHEELS), minimum(name)]
            subprocess.run(command, check=True)
            kept = [*WHEELS.glob(f"{name}-*-{platform}.whl")]
        found.append(kept[0])
    return found


def minimum(name: str) -> str:
    """Return the package's requirement with that name."""
    needed = distribution("parlour").requires or []
    return next(re.split(r"[; ]", each)[0] for each in needed if re.match(rf"{name}\b", each))
