"""`make play`: start the interpreted build at once, and compile for the next start.

Compiling takes about a minute. So the first start installs the interpreted build, and a background
process makes the compiled wheel, which the next start installs. Guarantees:

- A running game's files do not change: games hold a shared lock, and installing needs it
  exclusively.
- An interrupted install is repeated: its note is written last.
- Only one wheel is made at a time, and it is moved into place atomically.

Run it with the Python of .venv. Uses only the standard library.
"""

import fcntl
import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

MAKE_STAMPS = ("developing", "serving")
"""Files in .venv by which make decides whether the compiled modules there are current."""

BUILD_FILES = (
    "pyproject.toml",
    "tools/hatch_build.py",
    "tools/hatch_readme.py",
    "tools/c_docstrings.py",
    "tools/c_units.py",
)
FOR_DISPLAY = ("README.md", "LICENSE")
"""Part of the wheel, but changes in them do not require a new one."""

PIP = """\
#!{}
import sys
from pip._internal.cli.main import main
sys.exit(main())
"""

Run = Callable[..., "subprocess.CompletedProcess[bytes]"]


class Workshop:
    """A source tree and its .venv: what is installed there, and what is being built."""

    def __init__(self, root: Path, run: Run = subprocess.run) -> None:
        """Take the root of the tree; `run` starts pip."""
        self.root = root
        self.run = run
        self.folder = root / ".venv" / "quick_start"
        self.folder.mkdir(parents=True, exist_ok=True)
        self.note = self.folder / "installed.json"
        self.hopeless = self.folder / "hopeless.json"
        self.log = self.folder / "compile.log"

    # State.

    def digest(self) -> str:
        """Return a hash of the current sources."""
        return digest_of(self.root)

    def requirements(self) -> list[str]:
        """Return the requirements of the terminal and an interpreted build, from pyproject.toml."""
        project = tomllib.loads((self.root / "pyproject.toml").read_text("utf-8"))
        described = project["project"]
        backend = [each for each in project["build-system"]["requires"] if "hatchling" in each]
        extra = described["optional-dependencies"]["terminal"]
        return [*backend, *described["dependencies"], *extra]

    def installed(self) -> dict[str, object]:
        """Return the note of the last complete install (`digest`, `compiled`, `requirements`)."""
        return read(self.note)

    def wheel(self) -> Path | None:
        """Return the wheel that was made of these sources, or `None`."""
        return next((self.folder / "next" / self.digest()).glob("*.whl"), None)

    # Actions.

    def make_ready(self, say: Callable[[str], None]) -> None:
        """Install everything that these sources need; the compiled wheel if it is ready."""
        before, needed, wheel = self.installed(), self.requirements(), self.wheel()
        is_current = before.get("digest") == self.digest()
        is_compiled = is_current and bool(before.get("compiled"))
        has_needed = before.get("requirements") == needed
        if has_needed and (is_compiled or (is_current and wheel is None)):
            return
        self.note.unlink(missing_ok=True)
        if not has_needed:
            say("The first start takes 10 to 40 seconds: fetching Textual (1 of 2) ...")
            self.pip("--no-compile", *needed)
        if not is_compiled:
            for name in MAKE_STAMPS:
                (self.root / ".venv" / name).unlink(missing_ok=True)
        if wheel is not None and not is_compiled:
            is_compiled = not is_interpreted(wheel)
            kind = "compiled" if is_compiled else "interpreted"
            say(f"Installing the {kind} build, which is ready now ...")
            self.pip("--no-deps", "--force-reinstall", str(wheel))
            shutil.rmtree(self.folder / "next")
        elif not is_current:
            say("Installing the interpreted build, which starts at once (2 of 2) ...")
            options = ("--no-deps", "--no-build-isolation", "--no-compile", "--force-reinstall")
            self.pip(*options, str(self.root), PARLOUR_COMPILE="0")
        self.take_note(is_compiled, needed)

    def add_server(self, say: Callable[[str], None]) -> bool:
        """Add the server's requirements to the compiled build of `make play`, if there is one.

        A build that `make play` has started is waited for, instead of compiling again. Return
        whether the build can serve.
        """
        with (self.folder / "compiling").open("w") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                say("Waiting for the build that make play has started ...")
                fcntl.flock(file, fcntl.LOCK_EX)
        note = self.installed()
        if note.get("digest") == self.digest() and self.wheel() is not None:
            self.make_ready(say)
            note = self.installed()
        if not note.get("compiled") or note.get("digest") != self.digest():
            return False
        project = tomllib.loads((self.root / "pyproject.toml").read_text("utf-8"))
        say("Installing the requirements of the server ...")
        self.pip(*project["project"]["optional-dependencies"]["server"])
        return True

    def take_note(self, compiled: bool, requirements: list[str]) -> None:
        """Write the note that these sources are installed, with these requirements."""
        known = {"digest": self.digest(), "compiled": compiled}
        write(self.note, known | {"requirements": requirements})

    def note_what_is_there(self) -> None:
        """Write the note for an install that make did."""
        package = Path(sysconfig.get_path("platlib")) / "parlour"
        needed = self.requirements()
        is_there = all(has_distribution(each) for each in needed)
        self.take_note(any(package.glob("core/game.*.so")), needed if is_there else [])

    def pip(self, *words: str, **environment: str) -> None:
        """Install quietly: pip's output shows only errors."""
        command = [sys.executable, "-m", "pip", "install", "--quiet"]
        command += ["--disable-pip-version-check", *words]
        if self.run(command, env={**os.environ, **environment}).returncode:
            raise SystemExit("quick_start: pip failed; the lines above say why")

    def wants_compiling(self) -> bool:
        """Whether a compiled build is possible and missing."""
        is_hopeless = read(self.hopeless).get("digest") == self.digest()
        return not (self.installed().get("compiled") or self.wheel() or is_hopeless)

    def compile_in_background(self) -> None:
        """Start the process that makes the wheel; it may run longer than the game."""
        with self.log.open("wb") as log:
            subprocess.Popen(
                [sys.executable, str(Path(__file__).resolve()), "--compile"],
                cwd=self.root,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def compile(self) -> bool:
        """Make the wheel for the next start from a copy of the sources. Return whether it did."""
        with locked(self.folder / "compiling", fcntl.LOCK_EX) as is_alone:
            if not is_alone or not self.wants_compiling():
                return False
            work = self.folder / "work"
            shutil.rmtree(work, ignore_errors=True)  # left by an interrupted build
            work.mkdir()
            tree, made = self.copied(work / "tree"), work / "made"
            now = digest_of(tree)
            command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--verbose"]
            done = self.run([*command, "--wheel-dir", str(made), str(tree)])
            wheels = [*made.glob("*.whl")]
            if done.returncode or len(wheels) != 1:
                return False  # for example without a network; the next start tries again
            if is_interpreted(wheels[0]):  # no compiler; the wheel contains the reason
                write(self.hopeless, {"digest": now})
            ready = self.folder / "next"
            shutil.rmtree(ready, ignore_errors=True)
            ready.mkdir()
            made.rename(ready / now)
            shutil.rmtree(work)
        return True

    def copied(self, tree: Path) -> Path:
        """Copy the current sources, so that edits during the build do not reach the wheel."""
        (tree / "tools").mkdir(parents=True)
        for name in (*BUILD_FILES, *FOR_DISPLAY):
            shutil.copy(self.root / name, tree / name)
        shutil.copytree(self.root / "src", tree / "src", ignore=ignored)
        return tree


def is_interpreted(wheel: Path) -> bool:
    """Whether a wheel contains no compiled modules."""
    return wheel.name.endswith("-none-any.whl")


def digest_of(root: Path) -> str:
    """Return a hash of the sources in a folder."""
    found = hashlib.sha256()
    files = [path for path in (root / "src").rglob("*") if is_source(path)]
    for path in sorted([*files, *(root / name for name in BUILD_FILES)]):
        found.update(f"{path.relative_to(root)}\0{path.stat().st_size}\0".encode())
        found.update(path.read_bytes())
    return found.hexdigest()[:16]


def is_source(path: Path) -> bool:
    """Whether a file in src/ is source and not generated."""
    is_made = path.suffix in (".so", ".pyd", ".pyc") or "__pycache__" in path.parts
    return path.is_file() and not is_made


def ignored(folder: str, names: list[str]) -> list[str]:
    """Return the files that a copy of the sources leaves out."""
    return [
        name
        for name in names
        if not (Path(folder) / name).is_dir() and not is_source(Path(folder) / name)
    ]


def has_distribution(requirement: str) -> bool:
    """Whether the package of a requirement is installed, in any version."""
    name = re.split(r"[^\w.-]", requirement)[0]
    try:
        distribution(name)
    except PackageNotFoundError:
        return False
    return True


def read(path: Path) -> dict[str, object]:
    """Read a note; return an empty dict if it is missing or damaged."""
    try:
        found = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def write(path: Path, note: dict[str, object]) -> None:
    """Write a note atomically."""
    beside = path.with_suffix(f".{os.getpid()}")
    beside.write_text(json.dumps(note), "utf-8")
    os.replace(beside, path)


@contextmanager
def locked(path: Path, kind: int) -> Iterator[bool]:
    """Hold a lock without waiting. Yield whether it was free."""
    with path.open("w") as file:
        try:
            fcntl.flock(file, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True


def enter(workshop: Workshop, say: Callable[[str], None]) -> int:
    """Install what is missing and hold the shared lock of running games. Return its descriptor.

    While another game is running, install nothing and use the current install.
    """
    door = os.open(workshop.folder / "playing", os.O_CREAT | os.O_RDWR, 0o644)
    while True:
        try:
            fcntl.flock(door, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            fcntl.flock(door, fcntl.LOCK_SH)  # waits for a running install
            if workshop.installed():
                if workshop.installed()["digest"] != workshop.digest():
                    say("Another game is running: this one uses the same build, not your changes.")
                return door
            fcntl.flock(door, fcntl.LOCK_UN)
        else:
            workshop.make_ready(say)
            fcntl.flock(door, fcntl.LOCK_SH)
            return door


def play(workshop: Workshop, words: list[str]) -> None:
    """Replace this process by `parlour WORDS`, with the shared lock of running games."""
    door = enter(workshop, report)
    if workshop.wants_compiling():
        workshop.compile_in_background()
        log = workshop.log.relative_to(workshop.root)
        report(f"This is the interpreted build; the next start uses the compiled one (see {log}).")
    elif not workshop.installed().get("compiled"):
        report("This is the interpreted build; .venv/bin/parlour --version says why.")
    os.set_inheritable(door, True)
    program = Path(sysconfig.get_path("scripts")) / "parlour"
    os.execv(program, [str(program), *words])


def put_pip() -> None:
    """Install pip into .venv from the wheel that comes with Python, unless it is there.

    `ensurepip` compiles all its files first, which takes longer than everything else here.
    """
    if importlib.util.find_spec("pip") is not None:
        return
    try:
        import ensurepip
    except ImportError:
        raise SystemExit("this Python cannot make environments: install python3-venv") from None
    wheels = [*Path(ensurepip.__file__).with_name("_bundled").glob("pip-*.whl")]
    if not wheels:  # some systems keep them elsewhere
        subprocess.run([sys.executable, "-m", "ensurepip"], check=True, stdout=subprocess.DEVNULL)
        return
    with zipfile.ZipFile(wheels[0]) as wheel:
        wheel.extractall(sysconfig.get_path("purelib"))
    for name in ("pip", "pip3"):
        program = Path(sysconfig.get_path("scripts")) / name
        program.write_text(PIP.format(sys.executable), "utf-8")
        program.chmod(0o755)


def report(line: str) -> None:
    """Print a progress line to stderr."""
    print(line, file=sys.stderr, flush=True)


def main(words: list[str]) -> int:
    """Run `play GAME`, or a step for the Makefile: `--pip`, `--note`, `--serving`, `--compile`."""
    put_pip()
    if words == ["--pip"]:
        return 0
    workshop = Workshop(Path(__file__).resolve().parent.parent)
    if words == ["--compile"]:
        os.nice(19)
        return 0 if workshop.compile() else 1
    if words == ["--serving"]:
        return 0 if workshop.add_server(report) else 1
    if words == ["--note"]:
        workshop.note_what_is_there()
        return 0
    play(workshop, words)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
