"""Build hook of the wheel: compile with mypyc if there is a compiler, otherwise stay interpreted.

hatch-mypyc compiles in place. This hook gives it a copy, so that the source tree stays as it is
(and interpreted) and parallel builds do not interfere.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NOTE = "interpreted.txt"
IMPORT = "from mypyc.build import mypycify\n"
OWN_MYPYCIFY = """\
import sys
from pathlib import Path
sys.path.insert(0, {root!r})
from c_docstrings import with_docstrings
from c_units import in_units
mypycify = in_units(with_docstrings(mypycify, Path("src")))
"""
SETUP = "setup(\n"
PARALLEL = "    options={{'build_ext': {{'parallel': {cores}}}}},\n"
PROBE = "#include <Python.h>\nint main(void) { return 0; }\n"
PROBE_SETUP = """\
from setuptools import Extension, setup
setup(name="probe", ext_modules=[Extension("probe", ["probe.c"])])
"""


class ParlourBuildHook(BuildHookInterface):
    """Adds the compiled modules to the wheel, or a note on why there are none."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile before hatchling collects the files of the wheel."""
        if self.target_name != "wheel" or version == "editable":
            return
        self.work = Path(os.path.realpath(tempfile.mkdtemp(prefix="parlour-build-")))
        try:
            self.add_modules(version, build_data)
        except BaseException:
            shutil.rmtree(self.work, ignore_errors=True)
            raise

    def add_modules(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the compiled modules, or the note."""
        reason = why_not_compile(self.work)
        if reason:
            self.app.display_warning(f"parlour: installing the interpreted build: {reason}")
            note = self.work / NOTE
            note.write_text(reason + "\n", "utf-8")
            build_data["force_include"][str(note)] = f"parlour/{NOTE}"
            return
        tree = self.work / "tree"
        shutil.copytree(Path(self.root) / "src", tree / "src", ignore=ignore_artifacts)
        (tree / "pyproject.toml").touch()
        self.compile(tree, version)
        built = [*tree.glob("src/**/*.so"), *tree.glob("src/**/*.pyd")]
        for module in built:
            build_data["force_include"][str(module)] = str(module.relative_to(tree / "src"))
        build_data["infer_tag"] = True
        build_data["pure_python"] = False

    def compile(self, tree: Path, version: str) -> None:
        """Let hatch-mypyc compile the copy in place."""
        import hatch_mypyc.plugin  # here, because an interpreted build does without it

        hook = hatch_mypyc.plugin.MypycBuildHook(
            str(tree),
            self.config,
            self.build_config,
            self.metadata,
            self.directory,
            self.target_name,
            self.app,
        )
        here = os.getcwd()
        construct = hatch_mypyc.plugin.construct_setup_file
        hatch_mypyc.plugin.construct_setup_file = self.setup_file
        os.chdir(tree)
        try:
            hook.initialize(version, {"artifacts": [], "force_include": {}})
        finally:
            os.chdir(here)
            hatch_mypyc.plugin.construct_setup_file = construct

    def setup_file(self, *arguments: Any, **options: Any) -> str:
        """Return hatch-mypyc's setup file, with docstrings, units and every core."""
        import hatch_mypyc.utils

        code = hatch_mypyc.utils.construct_setup_file(*arguments, **options)
        assert code.count(IMPORT) == code.count(SETUP) == 1, "unknown setup file of hatch-mypyc"
        code = code.replace(
            IMPORT, IMPORT + OWN_MYPYCIFY.format(root=os.path.join(self.root, "tools"))
        )
        return code.replace(SETUP, SETUP + PARALLEL.format(cores=os.cpu_count() or 1))

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the copy after hatchling has written the wheel."""
        if hasattr(self, "work"):
            shutil.rmtree(self.work, ignore_errors=True)


def ignore_artifacts(_folder: str, names: list[str]) -> list[str]:
    """Return the files that a copy of the sources leaves out."""
    return [name for name in names if name.endswith((".so", ".pyd")) or name == "__pycache__"]


def why_not_compile(work: Path) -> str:
    """Return why this machine cannot compile an extension module, or an empty string."""
    if os.environ.get("PARLOUR_COMPILE") == "0":
        return "PARLOUR_COMPILE=0 was set when it was installed"
    probe = work / "probe"
    probe.mkdir()
    (probe / "probe.c").write_text(PROBE, "utf-8")
    (probe / "setup.py").write_text(PROBE_SETUP, "utf-8")
    done = subprocess.run(
        [sys.executable, "setup.py", "build_ext", "--inplace"],
        cwd=probe,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode == 0:
        return ""
    if "Python.h" in done.stdout + done.stderr:
        return "the Python headers (Python.h) were not found when it was installed"
    return "no working C compiler was found when it was installed"
