"""`parlour new`: a package that is created, installed, tested and played; and refusals."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import parlour
from parlour.cli import main
from parlour.commands.new import (
    LONGEST_NAME,
    FolderExists,
    checked_name,
    make_package,
    rendered,
    template_files,
)

PARLOUR = Path(parlour.__file__).parent.parent
PROGRAM = [sys.executable, "-m", "parlour.cli"]
RUFF = [sys.executable, "-m", "ruff"]
FORMS = pytest.mark.parametrize("compiled", [False, True], ids=["plain", "compiled"])
NAMES = ["go2", "invalid", "my_game_2", "x" * LONGEST_NAME]


def run(command, folder, *places, text=""):
    return subprocess.run(
        command,
        cwd=folder,
        env=dict(os.environ, PYTHONPATH=os.pathsep.join(map(str, (*places, PARLOUR)))),
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A folder with a space in its name, the package in it, and where it is installed."""
    home = tmp_path_factory.mktemp("my games")
    made = run([*PROGRAM, "new", "hop_per"], home)
    assert made.returncode == 0, made.stderr
    install = ["-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--target"]
    done = run([sys.executable, *install, home / "site", home / "hop_per"], home)
    assert done.returncode == 0, done.stdout + done.stderr
    return home / "hop_per", home / "site", made.stdout


class TestThePackage:
    def test_it_has_an_entry_point_a_game_a_test_and_a_readme(self, installed):
        package, _, said = installed
        project = tomllib.loads((package / "pyproject.toml").read_text("utf-8"))["project"]
        assert project["name"] == "hop-per"
        assert project["entry-points"]["parlour.games"] == {"hop_per": "hop_per:HopPerGame"}
        assert (package / "src" / "hop_per.py").is_file()
        assert "# Hop Per\n" in (package / "README.md").read_text("utf-8")
        assert said.splitlines()[1:3] == ["  cd hop_per", "  python -m pip install -e ."]

    def test_its_own_tests_pass(self, installed):
        package, site, _ = installed
        done = run([sys.executable, "-m", "pytest", "-p", "no:cacheprovider"], package, site)
        assert "2 passed" in done.stdout, done.stdout + done.stderr

    def test_it_is_listed_among_the_games(self, installed):
        _, site, _ = installed
        done = run([*PROGRAM, "games"], site, site)
        assert "hop_per: Hop Per\n  size (an int from 4 to 12; 6): rows and columns" in done.stdout

    def test_it_can_be_played_immediately(self, installed, monkeypatch, tmp_path):
        _, site, _ = installed
        words = ["play", "hop_per", "--plain", "--people", "--seed", "1", "--blocked", "0"]
        moves = "a1\na2\nb1\nb2\nc1\nc2\na1\nd1\nquit\n"
        done = run([*PROGRAM, *words], site, site, text=moves)
        assert done.returncode == 0, done.stderr
        assert "Blue to move." in done.stdout
        assert "that cell is not empty" in done.stdout
        assert "Red wins." in done.stdout

    def test_it_is_checked_by_name(self, installed):
        _, site, _ = installed
        done = run([*PROGRAM, "check", "hop_per", "--no-speed"], site, site)
        assert done.returncode == 0, done.stdout
        assert "parlour.game('hop_per', size=6, blocked=2) keeps every promise" in done.stdout


class TestTheTexts:
    @FORMS
    @pytest.mark.parametrize("name", NAMES)
    def test_files_pass_the_formatter_and_linter_for_every_name(self, name, compiled, tmp_path):
        make_package(tmp_path / name, compiled)
        for command in (["format", "--check"], ["check"]):
            done = run([*RUFF, *command, "--no-cache", "."], tmp_path / name)
            assert done.returncode == 0, done.stdout

    @FORMS
    @pytest.mark.parametrize("name", NAMES)
    def test_no_placeholder_is_left(self, name, compiled):
        for path, text in rendered(name, compiled):
            assert "my_game" not in (path + text).replace(name, "")
            assert "my-game" not in text.replace(name.replace("_", "-"), "")
            assert name != "go2" or ("MyGame" not in text and "My Game" not in text)

    @FORMS
    def test_the_classes_are_named_after_the_game(self, compiled):
        files = dict(rendered("cat_chess", compiled))
        assert "class CatChessGame(Game" in files["src/cat_chess.py"]
        assert 'title="Cat Chess"' in files["src/cat_chess.py"]
        assert 'cat_chess = "cat_chess:CatChessGame"' in files["pyproject.toml"]

    @FORMS
    def test_no_other_files_are_made(self, compiled):
        files = {"README.md", "pyproject.toml", "src/hopper.py", "tests/test_hopper.py"}
        paths = {path for path, _ in rendered("hopper", compiled)}
        assert paths == (files | {"setup.py"} if compiled else files)

    def test_tool_caches_beside_a_template_are_not_copied(self, tmp_path):
        for path in ("README.md", "src/game.py", "src/__pycache__/game.pyc", ".ruff_cache/1"):
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).touch()
        assert [path for path, _ in template_files(tmp_path)] == ["README.md", "src/game.py"]


class TestRefusals:
    def test_nothing_is_overwritten(self, tmp_path, capsys):
        folder = tmp_path / "hopper"
        folder.mkdir()
        (folder / "README.md").write_text("mine")
        with pytest.raises(
            FolderExists, match="already exists; choose another name or remove it"
        ) as caught:
            make_package(folder)
        assert caught.value.code == "exists"
        assert [path.name for path in folder.iterdir()] == ["README.md"]
        assert (folder / "README.md").read_text() == "mine"
        assert main(["new", str(folder)]) == 2
        assert len(capsys.readouterr().err.splitlines()) == 1

    def test_a_file_is_not_overwritten(self, tmp_path):
        (tmp_path / "hopper").write_text("mine")
        with pytest.raises(FolderExists):
            make_package(tmp_path / "hopper")
        assert (tmp_path / "hopper").read_text() == "mine"

    def test_a_partly_created_package_is_removed(self, tmp_path, monkeypatch):
        def full_disk(name, compiled):
            yield "src/hopper.py", "made\n"
            raise OSError(28, "No space left on device")

        monkeypatch.setattr("parlour.commands.new.rendered", full_disk)
        with pytest.raises(OSError, match="No space left"):
            make_package(tmp_path / "hopper")
        assert list(tmp_path.iterdir()) == []

    def test_the_parent_folder_must_exist(self, tmp_path):
        with pytest.raises(parlour.OptionError, match=r"there is no folder .* for hopper"):
            make_package(tmp_path / "nowhere" / "hopper")

    @pytest.mark.parametrize(
        "name", ["", ".", "..", "9x", "_x", "Hopper", "a b", "a.b", "ä", "x" * (LONGEST_NAME + 1)]
    )
    def test_an_invalid_name_raises_with_the_rule(self, name):
        with pytest.raises(
            parlour.OptionError, match="a game's name must have small letters, digits"
        ):
            checked_name(name)

    @pytest.mark.parametrize(
        ("name", "words"),
        [
            ("lambda", "lambda is a Python keyword"),
            ("octa", "a game octa already exists"),
            ("cat-mouse", "a game cat_mouse already exists"),
            ("json", "json would hide the module json"),
            ("parlour", "parlour would hide the module parlour"),
            ("mypy_extensions", "mypy_extensions would hide the module"),
            ("import-linter", "a package import_linter is already installed"),
        ],
    )
    def test_a_taken_name_raises_with_the_reason(self, name, words):
        with pytest.raises(parlour.OptionError, match=words):
            checked_name(name)

    def test_a_game_registered_in_this_process_counts(self):
        from nim import Nim

        parlour.register("hopper", Nim)
        with pytest.raises(parlour.OptionError, match="a game hopper already exists"):
            checked_name("hopper")

    def test_a_dash_is_an_underscore(self):
        assert checked_name("cat-chess") == "cat_chess"
