"""`make play`: the interpreted build at once, and the compiled one for the next start.

Compiling takes about a minute, and a first game need not wait for it. So what is installed first
is interpreted; a process in the background makes the compiled wheel, and the next start installs
it before it plays. What can be relied on:

- The files of a game that is being played are never touched: a game holds a lock, and whatever
  installs needs it alone.
- An install that was cut short is made again: its note is written when it is whole, not before.
- Two wheels are never made at once, and one is in its place whole or not at all.

Run by the Python of .venv; nothing but the standard library is needed.
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
"""In .venv: make takes the compiled modules of the package there to be current if these are."""

BUILD_FILES = (
    "pyproject.toml",
    "tools/hatch_build.py",
    "tools/hatch_readme.py",
    "tools/c_docstrings.py",
    "tools/c_units.py",
)
FOR_DISPLAY = ("README.md", "LICENSE")
"""Part of the wheel too, but a change in them is no reason for a new one."""

PIP = """\
#!{}
import sys
from pip._internal.cli.main import main
sys.exit(main())
"""

Run = Callable[..., "subprocess.CompletedProcess[bytes]"]


class Workshop:
    """A source tree and its .venv: what is installed there, and what is being made."""

    def __init__(self, root: Path, run: Run = subprocess.run) -> None:
        """`run` starts pip."""
        self.root = root
        self.run = run
        self.folder = root / ".venv" / "quick_start"
        self.folder.mkdir(parents=True, exist_ok=True)
        self.note = self.folder / "installed.json"
        self.hopeless = self.folder / "hopeless.json"
        self.log = self.folder / "compile.log"

    # What there is.

    def digest(self) -> str:
        """A name for the sources as they are now."""
        return digest_of(self.root)

    def requirements(self) -> list[str]:
        """What the terminal and an interpreted build need, as pyproject.toml says it."""
        project = tomllib.loads((self.root / "pyproject.toml").read_text("utf-8"))
        described = project["project"]
        backend = [each for each in project["build-system"]["requires"] if "hatchling" in each]
        extra = described["optional-dependencies"]["terminal"]
        return [*backend, *described["dependencies"], *extra]

    def installed(self) -> dict[str, object]:
        """What was installed last and whole (`digest`, `compiled`, `requirements`), or nothing."""
        return read(self.note)

    def wheel(self) -> Path | None:
        """The wheel of these sources that was made for this start, if there is one."""
        return next((self.folder / "next" / self.digest()).glob("*.whl"), None)

    # What is done.

    def make_ready(self, say: Callable[[str], None]) -> None:
        """Install what these sources need to be played now; at best the compiled wheel."""
        before, needed, wheel = self.installed(), self.requirements(), self.wheel()
        is_current = before.get("digest") == self.digest()
        is_compiled = is_current and bool(before.get("compiled"))
        has_needed = before.get("requirements") == needed
        if has_needed and (is_compiled or (is_current and wheel is None)):
            return
        self.note.unlink(missing_ok=True)
        if not has_needed:
            say("Fetching what the terminal needs (1 of 2) ...")
            self.pip("--no-compile", *needed)
        if not is_compiled:
            for name in MAKE_STAMPS:
                (self.root / ".venv" / name).unlink(missing_ok=True)
        if wheel is not None and not is_compiled:
            is_compiled = not is_interpreted(wheel)
            kind = "compiled" if is_compiled else "interpreted"
            say(f"Installing the {kind} build, which has been made meanwhile ...")
            self.pip("--no-deps", "--force-reinstall", str(wheel))
            shutil.rmtree(self.folder / "next")
        elif not is_current:
            say("Installing the interpreted build (2 of 2) ...")
            options = ("--no-deps", "--no-build-isolation", "--no-compile", "--force-reinstall")
            self.pip(*options, str(self.root), PARLOUR_COMPILE="0")
        self.take_note(is_compiled, needed)

    def take_note(self, compiled: bool, requirements: list[str]) -> None:
        """Write down that these sources are installed, whole, and with what."""
        known = {"digest": self.digest(), "compiled": compiled}
        write(self.note, known | {"requirements": requirements})

    def note_what_is_there(self) -> None:
        """Write down what somebody else has installed of these sources."""
        package = Path(sysconfig.get_path("platlib")) / "parlour"
        needed = self.requirements()
        is_there = all(has_distribution(each) for each in needed)
        self.take_note(any(package.glob("core/game.*.so")), needed if is_there else [])

    def pip(self, *words: str, **environment: str) -> None:
        """Install; what pip has to say is said only when it fails."""
        command = [sys.executable, "-m", "pip", "install", "--quiet"]
        command += ["--disable-pip-version-check", *words]
        if self.run(command, env={**os.environ, **environment}).returncode:
            raise SystemExit("quick_start: pip could not install this; the lines above say why")

    def wants_compiling(self) -> bool:
        """Whether a compiled build could be had and is not there."""
        is_hopeless = read(self.hopeless).get("digest") == self.digest()
        return not (self.installed().get("compiled") or self.wheel() or is_hopeless)

    def compile_in_background(self) -> None:
        """Start the process that makes the wheel; it outlives the game."""
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
        """Make the wheel for the next start, from a copy of the sources; whether it is there."""
        with locked(self.folder / "compiling", fcntl.LOCK_EX) as is_alone:
            if not is_alone or not self.wants_compiling():
                return False
            work = self.folder / "work"
            shutil.rmtree(work, ignore_errors=True)  # of one that was cut short
            work.mkdir()
            tree, made = self.copied(work / "tree"), work / "made"
            now = digest_of(tree)
            command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--verbose"]
            done = self.run([*command, "--wheel-dir", str(made), str(tree)])
            wheels = [*made.glob("*.whl")]
            if done.returncode or len(wheels) != 1:
                return False  # as without a network; the next start tries again
            if is_interpreted(wheels[0]):  # without a compiler; the wheel says why
                write(self.hopeless, {"digest": now})
            ready = self.folder / "next"
            shutil.rmtree(ready, ignore_errors=True)
            ready.mkdir()
            made.rename(ready / now)
            shutil.rmtree(work)
        return True

    def copied(self, tree: Path) -> Path:
        """The sources as they are now: who edits them meanwhile changes nothing in the wheel."""
        (tree / "tools").mkdir(parents=True)
        for name in (*BUILD_FILES, *FOR_DISPLAY):
            shutil.copy(self.root / name, tree / name)
        shutil.copytree(self.root / "src", tree / "src", ignore=ignored)
        return tree


def is_interpreted(wheel: Path) -> bool:
    """Whether a wheel runs everywhere, and so has nothing compiled in it."""
    return wheel.name.endswith("-none-any.whl")


def digest_of(root: Path) -> str:
    """A name for the sources in a folder."""
    found = hashlib.sha256()
    files = [path for path in (root / "src").rglob("*") if is_source(path)]
    for path in sorted([*files, *(root / name for name in BUILD_FILES)]):
        found.update(f"{path.relative_to(root)}\0{path.stat().st_size}\0".encode())
        found.update(path.read_bytes())
    return found.hexdigest()[:16]


def is_source(path: Path) -> bool:
    """Whether a file in src/ is written by people."""
    is_made = path.suffix in (".so", ".pyd", ".pyc") or "__pycache__" in path.parts
    return path.is_file() and not is_made


def ignored(folder: str, names: list[str]) -> list[str]:
    """What a copy of the sources leaves behind."""
    return [
        name
        for name in names
        if not (Path(folder) / name).is_dir() and not is_source(Path(folder) / name)
    ]


def has_distribution(requirement: str) -> bool:
    """Whether a package that a requirement names is installed, in whatever version."""
    name = re.split(r"[^\w.-]", requirement)[0]
    try:
        distribution(name)
    except PackageNotFoundError:
        return False
    return True


def read(path: Path) -> dict[str, object]:
    """A note, or nothing where there is none that can be read."""
    try:
        found = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def write(path: Path, note: dict[str, object]) -> None:
    """Put a note into its place whole."""
    beside = path.with_suffix(f".{os.getpid()}")
    beside.write_text(json.dumps(note), "utf-8")
    os.replace(beside, path)


@contextmanager
def locked(path: Path, kind: int) -> Iterator[bool]:
    """Hold a lock if nobody else does; whether that is so."""
    with path.open("w") as file:
        try:
            fcntl.flock(file, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True


def enter(workshop: Workshop, say: Callable[[str], None]) -> int:
    """Install what is to be installed, and hold the lock of those who play; its descriptor.

    Where a game is being played already, nothing is installed: what is there is played.
    """
    door = os.open(workshop.folder / "playing", os.O_CREAT | os.O_RDWR, 0o644)
    while True:
        try:
            fcntl.flock(door, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            fcntl.flock(door, fcntl.LOCK_SH)  # waits for one that installs
            if workshop.installed():
                if workshop.installed()["digest"] != workshop.digest():
                    say("A game from before the last changes is being played; so is this one.")
                return door
            fcntl.flock(door, fcntl.LOCK_UN)
        else:
            workshop.make_ready(say)
            fcntl.flock(door, fcntl.LOCK_SH)
            return door


def play(workshop: Workshop, words: list[str]) -> None:
    """Become `parlour WORDS`, with the lock of those who play."""
    door = enter(workshop, tell)
    if workshop.wants_compiling():
        workshop.compile_in_background()
        log = workshop.log.relative_to(workshop.root)
        tell(f"This is the interpreted build; the next start has the compiled one (see {log}).")
    elif not workshop.installed().get("compiled"):
        tell("This is the interpreted build; .venv/bin/parlour --version says why.")
    os.set_inheritable(door, True)
    program = Path(sysconfig.get_path("scripts")) / "parlour"
    os.execv(program, [str(program), *words])


def put_pip() -> None:
    """Put pip into .venv unless it is there, from the wheel that comes with Python.

    `ensurepip` compiles every file of it first, which takes longer than all that pip does here.
    """
    if importlib.util.find_spec("pip") is not None:
        return
    try:
        import ensurepip
    except ImportError:
        raise SystemExit("this Python cannot make environments: install python3-venv") from None
    wheels = [*Path(ensurepip.__file__).with_name("_bundled").glob("pip-*.whl")]
    if not wheels:  # where the system keeps them elsewhere
        subprocess.run([sys.executable, "-m", "ensurepip"], check=True, stdout=subprocess.DEVNULL)
        return
    with zipfile.ZipFile(wheels[0]) as wheel:
        wheel.extractall(sysconfig.get_path("purelib"))
    for name in ("pip", "pip3"):
        program = Path(sysconfig.get_path("scripts")) / name
        program.write_text(PIP.format(sys.executable), "utf-8")
        program.chmod(0o755)


def tell(line: str) -> None:
    """A line for whoever waits."""
    print(line, file=sys.stderr, flush=True)


def main(words: list[str]) -> int:
    """`quick_start.py play GAME`; the Makefile and itself ask `--pip`, `--note`, `--compile`."""
    put_pip()
    if words == ["--pip"]:
        return 0
    workshop = Workshop(Path(__file__).resolve().parent.parent)
    if words == ["--compile"]:
        os.nice(19)
        return 0 if workshop.compile() else 1
    if words == ["--note"]:
        workshop.note_what_is_there()
        return 0
    play(workshop, words)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
