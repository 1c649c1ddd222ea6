"""`make play`: immediate, compiled the next time, and never half installed."""

import fcntl
import os
import subprocess
import venv
from pathlib import Path
from types import SimpleNamespace

import pytest
from environments import new_environment, repacked

FILES = ("pyproject.toml", "README.md", "LICENSE")


@pytest.fixture
def quick_start(root, monkeypatch):
    monkeypatch.syspath_prepend(str(root / "tools"))
    import quick_start

    return quick_start


@pytest.fixture
def tree(root, tmp_path):
    """A small source tree with the real build files."""
    tree = tmp_path / "tree"
    (tree / "src" / "parlour").mkdir(parents=True)
    (tree / "src" / "parlour" / "one.py").write_text("1")
    (tree / "tools").mkdir()
    for name in (*FILES, *(f"tools/{path.name}" for path in (root / "tools").glob("*.py"))):
        (tree / name).write_bytes((root / name).read_bytes())
    return tree


class Pip:
    """Records its calls and does nothing; `pip wheel` can leave a file."""

    def __init__(self):
        self.asked = []
        self.fails = False
        self.makes = "parlour-0-cp311-cp311-linux_x86_64.whl"
        self.meanwhile = lambda: None

    def __call__(self, command, env=None):
        words = command[command.index("pip") + 1 :]
        self.asked.append((words, (env or {}).get("PARLOUR_COMPILE")))
        self.meanwhile()
        if words[0] == "wheel" and not self.fails:
            folder = Path(words[words.index("--wheel-dir") + 1])
            folder.mkdir()
            (folder / self.makes).write_text("a wheel")
        return SimpleNamespace(returncode=int(self.fails))

    @property
    def installed(self):
        """What was installed last."""
        return self.asked[-1][0][-1]


@pytest.fixture
def pip():
    return Pip()


@pytest.fixture
def workshop(quick_start, tree, pip):
    return quick_start.Workshop(tree, pip)


def ready(workshop):
    said = []
    workshop.make_ready(said.append)
    return said


def test_the_first_start_installs_the_interpreted_build(workshop, pip):
    assert len(ready(workshop)) == 2
    (fetched, _), (built, compiling) = pip.asked
    assert [word for word in fetched if word.startswith(("hatchling", "librt", "textual"))] != []
    assert not [word for word in fetched if word.startswith(("mypy>", "numpy", "setuptools"))]
    assert built[-1] == str(workshop.root)
    assert compiling == "0"
    assert workshop.installed()["compiled"] is False


def test_a_second_start_installs_nothing(workshop, pip):
    ready(workshop)
    assert ready(workshop) == []
    assert len(pip.asked) == 2


def test_changed_sources_are_installed_without_fetching_again(workshop, tree, pip):
    ready(workshop)
    (tree / "src" / "parlour" / "one.py").write_text("2")
    assert len(ready(workshop)) == 1
    assert pip.installed == str(tree)
    assert len(pip.asked) == 3


def test_make_compiles_again_after_the_interpreted_build_was_installed(workshop, tree, pip):
    ready(workshop)
    (tree / ".venv" / "developing").touch()
    assert ready(workshop) == []
    assert (tree / ".venv" / "developing").exists()
    (tree / "src" / "parlour" / "one.py").write_text("2")
    ready(workshop)
    assert not (tree / ".venv" / "developing").exists()


def test_an_interrupted_install_is_repeated(workshop, pip):
    ready(workshop)
    (workshop.root / "src" / "parlour" / "one.py").write_text("2")
    pip.fails = True
    with pytest.raises(SystemExit, match="quick_start: pip failed"):
        ready(workshop)
    assert workshop.installed() == {}
    pip.fails = False
    assert len(ready(workshop)) == 2
    assert workshop.installed()["digest"] == workshop.digest()


def test_the_wheel_is_built_from_a_copy_and_installed_at_the_next_start(workshop, pip):
    ready(workshop)
    assert workshop.wants_compiling()
    assert workshop.compile()
    assert pip.asked[-1][0][-1] != str(workshop.root)
    assert not workshop.wants_compiling()
    assert ready(workshop) == ["Installing the compiled build, which is ready now ..."]
    assert pip.installed.endswith(f"/{workshop.digest()}/{pip.makes}")
    assert workshop.installed()["compiled"] is True
    assert ready(workshop) == []
    assert not workshop.wants_compiling()


def test_an_outdated_wheel_is_not_installed(workshop, tree, pip):
    ready(workshop)
    pip.meanwhile = lambda: (tree / "src" / "parlour" / "one.py").write_text("2")
    assert workshop.compile()
    assert workshop.wheel() is None
    assert workshop.wants_compiling()


def test_only_one_wheel_is_built_at_a_time(workshop, quick_start, pip):
    ready(workshop)
    with quick_start.locked(workshop.folder / "compiling", fcntl.LOCK_EX) as is_alone:
        assert is_alone
        assert not workshop.compile()
    assert len(pip.asked) == 2
    assert workshop.compile()


def test_a_failed_build_is_retried_at_the_next_start(workshop, pip):
    ready(workshop)
    pip.fails = True
    assert not workshop.compile()
    assert workshop.wheel() is None
    assert workshop.wants_compiling()


def test_without_a_compiler_the_build_says_why_and_is_not_retried(workshop, tree, pip):
    ready(workshop)
    pip.makes = "parlour-0-py3-none-any.whl"
    assert workshop.compile()
    assert len(ready(workshop)) == 1
    assert pip.installed.endswith(pip.makes)
    assert workshop.installed()["compiled"] is False
    assert not workshop.wants_compiling()
    (tree / "src" / "parlour" / "one.py").write_text("2")
    assert workshop.wants_compiling()


def test_nothing_is_installed_during_a_game(workshop, quick_start, tree, pip):
    first = quick_start.enter(workshop, list)
    assert workshop.compile()
    (tree / "src" / "parlour" / "two.py").write_text("2")
    before = len(pip.asked)
    said = []
    second = quick_start.enter(workshop, said.append)
    assert said == ["Another game is running: this one uses the same build, not your changes."]
    assert len(pip.asked) == before
    os.close(first)
    os.close(second)
    os.close(quick_start.enter(workshop, said.append))
    assert pip.installed == str(tree)


def test_an_existing_installation_is_recorded(workshop):
    workshop.note_what_is_there()
    noted = workshop.installed()
    assert noted["digest"] == workshop.digest()
    assert noted["requirements"] == workshop.requirements()


def test_missing_pip_is_installed(root, tmp_path):
    venv.create(tmp_path, with_pip=False, symlinks=True)
    python = tmp_path / "bin" / "python"
    for _ in range(2):
        subprocess.run([python, root / "tools" / "quick_start.py", "--pip"], check=True)
    for words in ([python, "-m", "pip"], [tmp_path / "bin" / "pip"]):
        done = subprocess.run([*words, "--version"], capture_output=True, text=True, check=True)
        assert str(tmp_path) in done.stdout


GAME = ["play", "octa", "--size", "1", "--turn_limit", "2", "--seed", "8", "--against", "random"]


def test_a_clone_can_be_played_immediately_and_is_compiled_next_time(root, quick_start, tmp_path):
    tree = tmp_path / "clone"
    quick_start.Workshop(root).copied(tree)
    (tree / "tools" / "quick_start.py").write_bytes(
        (root / "tools" / "quick_start.py").read_bytes()
    )
    python = new_environment(tree / ".venv") / "python"
    home = {"HOME": str(tmp_path), "PARLOUR_DATA": str(tmp_path / "data")}
    environment = {**os.environ, **home, "PIP_NO_BUILD_ISOLATION": "0", "PARLOUR_COMPILE": "0"}
    environment.pop("PYTHONPATH", None)

    def play():
        command = [python, tree / "tools" / "quick_start.py", *GAME, "--plain"]
        done = subprocess.run(
            command, env=environment, input="1,1\n", capture_output=True, text=True, check=False
        )
        assert "Player 2 wins: more cells at the turn limit." in done.stdout, done.stderr
        return [line for line in done.stderr.splitlines() if not line.startswith("WARNING")]

    workshop = quick_start.Workshop(tree)
    first = play()
    assert first[1:3] == [
        "Installing the interpreted build, which starts at once (2 of 2) ...",
        "This is the interpreted build; the next start uses the compiled one (see "
        ".venv/quick_start/compile.log).",
    ]
    with (workshop.folder / "compiling").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # the background process has ended
    assert "interpreted build" in play()[0]

    place = workshop.folder / "next" / workshop.digest()
    place.mkdir(parents=True)
    repacked(place)
    version = [tree / ".venv" / "bin" / "parlour", "--version"]
    assert play() == ["Installing the compiled build, which is ready now ..."]
    done = subprocess.run(version, env=environment, capture_output=True, text=True, check=True)
    assert "(compiled;" in done.stdout
    assert play() == []


def test_serving_after_playing_compiles_nothing(workshop, pip):
    ready(workshop)
    assert not workshop.add_server(print)  # no compiled build yet
    assert workshop.compile()
    pip.asked.clear()
    assert workshop.add_server(print)
    installed = [word for words, _ in pip.asked for word in words]
    assert any(word.startswith("uvicorn") for word in installed)
    assert any(word.endswith(".whl") for word in installed)
    assert "wheel" not in installed
    assert str(workshop.root) not in installed


def test_serving_after_a_change_needs_a_new_build(workshop, tree, pip):
    ready(workshop)
    workshop.compile()
    (tree / "src" / "parlour" / "one.py").write_text("2")
    assert not workshop.add_server(print)
