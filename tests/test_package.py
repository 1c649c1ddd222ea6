"""The package: its description, what an index shows, and the way from the sources to a game."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from email import message_from_string

import pytest
import yaml
from readme_renderer import markdown

import parlour

COMPILED = parlour.build_info().compiled
NOT_SOURCES = shutil.ignore_patterns(
    ".git", ".venv", "build", "dist", "matches", "__pycache__", ".*_cache", ".hypothesis"
)

FOR_WHOEVER_UNPACKS = [
    "CITATION.cff",
    "LICENSE",
    "Makefile",
    "README.md",
    "deploy/compose.yaml",
    "docs/tutorial.md",
    "examples/train_octa.py",
    "src/parlour/py.typed",
    "src/parlour/web/pieces.svg",
    "tests/newcomer/walk.py",
    "tools/quick_start.py",
    "tools/site/demo/worker.js",
]
"""Some file of each kind that a source archive must bring to be played, tested and documented."""


@pytest.fixture
def description(root):
    return tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]


@pytest.fixture
def long_description(root, monkeypatch):
    """The README as the package carries it."""
    monkeypatch.syspath_prepend(str(root / "tools"))
    from hatch_readme import for_index

    return for_index((root / "README.md").read_text("utf-8"))


def run(command, **options):
    done = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def build(tree, target, folder, **environment):
    """The archive that hatchling makes of a tree."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(folder)]
    run(command, cwd=tree, env={**os.environ, **environment})
    (made,) = folder.iterdir()
    return made


def test_the_version_is_the_same_everywhere(root):
    assert yaml.safe_load((root / "CITATION.cff").read_text("utf-8"))["version"] == (
        parlour.__version__
    )
    changelog = (root / "CHANGELOG.md").read_text("utf-8")
    assert re.search(r"^## (\S+)", changelog, re.MULTILINE)[1] == parlour.__version__


def test_the_install_of_the_readme_brings_every_extra_but_the_clusters(root):
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    (everything,) = project["project"]["optional-dependencies"]["all"]
    sources = [path.read_text("utf-8") for path in (root / "src").rglob("*.py")]
    asked = {name for text in sources for name in re.findall(r"'parlour\[(\w+)\]'", text)}
    assert asked - set(re.findall(r"\w+", everything)) == {"ray", "dask"}
    assert "python -m pip install '.[all]'" in (root / "README.md").read_text("utf-8")


def test_the_licence_is_named_and_included(root, description):
    assert description["license"] == "MIT"
    text = (root / "LICENSE").read_text("utf-8")
    assert "MIT License" in text
    assert "the Parlour contributors" in text


def test_python_versions_agree(root, description):
    said = re.findall(r":: (3\.\d+)$", "\n".join(description["classifiers"]), re.MULTILINE)
    settings = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["tool"]["cibuildwheel"]
    assert settings["build"] == [f"cp{version.replace('.', '')}-*" for version in said]
    assert description["requires-python"] == f">={said[0]}"


def test_an_index_can_show_the_readme_and_every_link_in_it_leads_somewhere(long_description):
    shown = markdown.render(long_description)
    assert shown
    assert ">Parlour<" in shown
    assert "<img" not in shown
    links = re.findall('href="([^"]+)"', shown)
    assert all(link.startswith(("#", "http://127.0.0.1:")) for link in links)


def test_forms_and_the_workflow_can_be_read(root):
    forms = [*(root / ".github/ISSUE_TEMPLATE").glob("*.yml")]
    assert len(forms) == 4
    for form in forms:
        read = yaml.safe_load(form.read_text("utf-8"))
        if form.name == "config.yml":
            continue
        assert {"name", "description", "body"} <= set(read)
        fields = [field["id"] for field in read["body"]]
        assert len(set(fields)) == len(fields)
    jobs = yaml.safe_load((root / ".github/workflows/release.yml").read_text("utf-8"))["jobs"]
    for job in jobs.values():
        needs = job.get("needs", [])
        assert set([needs] if isinstance(needs, str) else needs) <= set(jobs)


def test_two_folders_make_the_same_archives_to_the_byte(root, tmp_path):
    made = []
    for name in ("one", "two"):
        tree = tmp_path / name / "tree"
        shutil.copytree(root, tree, ignore=NOT_SOURCES, copy_function=shutil.copyfile)
        sdist = build(tree, "sdist", tmp_path / name / "sdist")
        wheel = build(tree, "wheel", tmp_path / name / "wheel", PARLOUR_COMPILE="0")
        made.append((sdist, wheel))
    (sdist, wheel), (other_sdist, other_wheel) = made
    assert sdist.read_bytes() == other_sdist.read_bytes()
    assert wheel.read_bytes() == other_wheel.read_bytes()
    assert wheel.name == f"parlour-{parlour.__version__}-py3-none-any.whl"


def hurried_compiler(folder):
    """The system's compiler without optimisation: what is tested here is the way, not the speed."""
    compiler = folder / "cc"
    real = os.environ.get("CC") or shutil.which("cc")
    compiler.write_text(f'#!/bin/sh\nexec {real} "$@" -O0\n')
    compiler.chmod(0o755)
    return {"CC": str(compiler)} if COMPILED else {"PARLOUR_COMPILE": "0"}


def test_the_source_archive_builds_and_its_wheel_plays_where_there_is_no_compiler(root, tmp_path):
    sdist = build(root, "sdist", tmp_path / "sdist")
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    tree = tmp_path / f"parlour-{parlour.__version__}"
    assert [name for name in FOR_WHOEVER_UNPACKS if not (tree / name).is_file()] == []
    wheel = build(tree, "wheel", tmp_path / "wheel", **hurried_compiler(tmp_path))
    assert wheel.name.endswith("-py3-none-any.whl") != COMPILED
    with zipfile.ZipFile(wheel) as archive:
        prefix = f"parlour-{parlour.__version__}.dist-info"
        assert f"{prefix}/licenses/LICENSE" in archive.namelist()
        metadata = message_from_string(archive.read(f"{prefix}/METADATA").decode())
    assert metadata["License-Expression"] == "MIT"
    assert metadata["Project-URL"] is None

    home = tmp_path / "clean"
    venv.create(home, with_pip=True)
    bare = {
        "HOME": str(tmp_path),
        "PATH": str(home / "bin"),
        "PARLOUR_DATA": str(tmp_path / "data"),
    }
    registry = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
    pip = [str(home / "bin/python"), "-m", "pip", "install", "--quiet", "--only-binary", ":all:"]
    run([*pip, str(wheel)], env={**bare, **registry}, cwd=tmp_path)
    command = str(home / "bin/parlour")
    version = run([command, "--version"], env=bare, cwd=tmp_path)
    assert f"parlour {parlour.__version__} ({'compiled' if COMPILED else 'interpreted'}" in version
    game = [command, "play", "octa", "--size", "1", "--turn_limit", "2", "--seed", "8"]
    told = run([*game, "--against", "random", "--plain"], env=bare, cwd=tmp_path, input="1,1\n")
    assert "Player 2 wins: more cells at the turn limit." in told
    if COMPILED:  # as the release workflow tests every wheel
        settings = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
        checked = settings["tool"]["cibuildwheel"]["test-command"]
        assert "Report(" in run(["/bin/sh", "-c", checked], env=bare, cwd=tmp_path)
