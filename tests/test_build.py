"""The two builds: which one runs, and the install without a compiler."""

import os
import subprocess
import sys
import zipfile

import pytest

import parlour
from parlour.commands.new import template_files


def test_build_info_has_version_build_python_and_system():
    info = parlour.build_info()
    assert info.version == parlour.__version__
    assert info.python == sys.version.split()[0]
    assert info.compiled == (info.reason == "")
    assert str(info).startswith(f"parlour {parlour.__version__} (")
    assert ("interpreted: " in str(info)) == (not info.compiled)


def fake_compiler(folder, message):
    compiler = folder / "cc"
    compiler.write_text(f"#!/bin/sh\necho '{message}' >&2\nexit 1\n")
    compiler.chmod(0o755)
    return str(compiler)


WHEEL = [sys.executable, "-m", "pip", "wheel", "--no-build-isolation", "--no-deps", "--verbose"]


def build_wheel(root, folder, **environment):
    done = subprocess.run(
        [*WHEEL, "--wheel-dir", str(folder), str(root)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = folder.glob("*.whl")
    return wheel, done.stdout + done.stderr


def data_files(package):
    """Return the paths of the page's files and of all translations."""
    found = [*(package / "web").rglob("*"), *package.rglob("languages/*.json")]
    return {path.relative_to(package) for path in found if path.is_file() and "." in path.name} - {
        path.relative_to(package) for path in package.rglob("__pycache__/*")
    }


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ("cc: not a compiler", "no working C compiler was found when it was installed"),
        (
            "fatal error: Python.h: No such file or directory",
            "the Python headers (Python.h) were not found when it was installed",
        ),
        (None, "PARLOUR_COMPILE=0 was set when it was installed"),
    ],
    ids=["no-compiler", "no-headers", "not-wanted"],
)
def test_without_a_compiler_the_wheel_is_interpreted_and_says_so_in_one_line(
    root, tmp_path, message, reason
):
    environment = {"CC": fake_compiler(tmp_path, message)} if message else {"PARLOUR_COMPILE": "0"}
    wheel, output = build_wheel(root, tmp_path, **environment)
    assert wheel.name.endswith("-py3-none-any.whl")
    assert f"parlour: installing the interpreted build: {reason}" in output
    installed = tmp_path / "installed"
    zipfile.ZipFile(wheel).extractall(installed)
    assert data_files(installed / "parlour") == data_files(root / "src/parlour")
    templates = [path for path, _ in template_files(root / "src/parlour/templates")]
    assert [path for path, _ in template_files(installed / "parlour/templates")] == templates
    assert not [*installed.rglob("*.so"), *installed.rglob("*.pyd")]
    done = subprocess.run(
        [sys.executable, "-m", "parlour.cli", "--version"],
        env={**os.environ, "PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert f"(interpreted: {reason};" in done.stdout
    assert len(done.stdout.splitlines()) == 1


def test_a_build_leaves_the_source_tree_as_it_was(root):
    assert not [*(root / "src").rglob("*.so"), *(root / "src").rglob("*.pyd")]
    assert (root / "pyproject.toml").is_file()
    assert not (root / "pyproject.toml.bak").exists()


def test_only_librt_and_mypy_extensions_are_needed_at_run_time():
    code = (
        "import sys, parlour\n"
        "[parlour.game(name).start(1) for name in parlour.game_names()]\n"
        "print(*sorted({m.partition('.')[0] for m in sys.modules} - set(sys.stdlib_module_names)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    ours = {"parlour", "parlour__mypyc", "librt", "mypy_extensions", "__main__", "__mp_main__"}
    assert {name for name in done.stdout.split() if name not in ours} <= KNOWN_TO_SITE


KNOWN_TO_SITE = {"sitecustomize", "usercustomize", "_distutils_hack", "_virtualenv"}
