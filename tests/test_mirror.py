"""The step that copies sources which are not compiled into the installed package."""

import subprocess
import sys

import pytest

PROJECT = """\
[tool.hatch.build.targets.wheel.hooks.custom]
include = ["/src/parlour/core/game.py", "/src/parlour/games/*/rules.py"]
"""


@pytest.fixture
def module(root, monkeypatch):
    monkeypatch.syspath_prepend(str(root / "tools"))
    import mirror

    yield mirror
    sys.modules.pop("mirror")


def write(folder, files):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def files(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_text()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.fixture
def source(tmp_path):
    names = ("cli.py", "web/page.js", "web/page.css", "core/game.py")
    write(tmp_path / "source", dict.fromkeys(names, "1"))
    return tmp_path / "source"


@pytest.fixture
def installed(tmp_path, module, source):
    module.mirror(source, tmp_path / "installed")
    write(tmp_path / "installed", {"core/game.abi3.so": "native"})
    return tmp_path / "installed"


def test_everything_is_copied_the_first_time(module, source, tmp_path):
    module.mirror(source, tmp_path / "new")
    assert files(tmp_path / "new") == files(source)


def test_nothing_is_written_if_nothing_has_changed(module, source, installed):
    before = (installed / "cli.py").stat().st_mtime_ns
    assert module.mirror(source, installed) == []
    assert (installed / "cli.py").stat().st_mtime_ns == before


def test_changed_and_new_files_are_copied(module, source, installed):
    write(source, {"cli.py": "2", "web/new.svg": "1"})
    changed = module.mirror(source, installed)
    assert changed == [installed / "cli.py", installed / "web" / "new.svg"]
    assert files(source).items() <= files(installed).items()


def test_removed_files_and_folders_are_removed(module, source, installed):
    (source / "cli.py").unlink()
    for path in (source / "web").iterdir():
        path.unlink()
    (source / "web").rmdir()
    module.mirror(source, installed)
    assert set(files(installed)) == {"core/game.py", "core/game.abi3.so"}
    assert not (installed / "web").exists()


def test_compiled_modules_stay_until_their_source_is_removed(module, source, installed):
    module.mirror(source, installed)
    assert (installed / "core" / "game.abi3.so").exists()
    (source / "core" / "game.py").unlink()
    module.mirror(source, installed)
    assert not (installed / "core" / "game.abi3.so").exists()


def test_files_made_by_python_and_the_build_stay(module, source, installed):
    (installed / "core" / "__pycache__").mkdir()
    write(installed, {"interpreted.txt": "no compiler"})
    assert module.mirror(source, installed) == []
    assert (installed / "core" / "__pycache__").is_dir()
    assert (installed / "interpreted.txt").is_file()


def test_compiled_sources_and_the_modules_they_import_need_a_build(module, tmp_path):
    write(
        tmp_path / "src" / "parlour",
        {
            "core/game.py": "from parlour.core.sizes import SIZE\nimport parlour.table",
            "core/sizes.py": "SIZE = 1",
            "core/plain.py": "",
            "games/octa/rules.py": "from parlour.core import game",
            "games/octa/scene.py": "",
            "table.py": "",
        },
    )
    (tmp_path / "pyproject.toml").write_text(PROJECT)
    found = module.compiled_sources(tmp_path)
    names = [path.relative_to(tmp_path / "src" / "parlour").as_posix() for path in found]
    assert names == ["core/game.py", "core/sizes.py", "games/octa/rules.py", "table.py"]


def test_make_asks_for_the_real_sources_that_are_compiled(root):
    command = [sys.executable, root / "tools" / "mirror.py", "--sources"]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert "src/parlour/games/octa/rules.py" in listed
    assert (
        "src/parlour/games/blokus/pieces.py" in listed
    )  # not compiled, but its constants are used
    assert "src/parlour/cli.py" not in listed
