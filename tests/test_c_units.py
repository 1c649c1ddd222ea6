"""The build step that decides how mypyc's C is compiled."""

import sys

import pytest

TOP_LEVEL = "char CPyDef_game_____top_level__(void) {\n"


@pytest.fixture
def c_units(root, monkeypatch):
    monkeypatch.syspath_prepend(str(root / "tools"))
    import c_units

    yield c_units
    sys.modules.pop("c_units")


@pytest.fixture
def sources(tmp_path):
    names = (
        "__native_parlour___core___game.c",
        "__native_parlour___core___grid.c",
        "__native_parlour___games___cat_mouse___rules.c",
        "__native_parlour.c",
        "vecs/librt_vecs_api.c",
    )
    (tmp_path / "vecs").mkdir()
    for name in names:
        (tmp_path / name).write_text(TOP_LEVEL if "game.c" in name else "int one;\n")
    return [str(tmp_path / name) for name in names]


def included(unit):
    return [line for line in unit.read_text().splitlines() if line.startswith("#include")]


def test_kernels_and_packages_are_units_and_kernels_come_first(c_units, sources, tmp_path):
    kernels, core = tmp_path / "unit_kernels.c", tmp_path / "unit_core.c"
    assert c_units.write_units(tmp_path, sources) == [str(kernels), str(core)]
    assert included(core) == [
        '#include "__native_parlour___core___game.c"',
        '#include "__native_parlour___core___grid.c"',
    ]
    assert included(kernels) == [
        '#include "vecs/librt_vecs_api.c"',
        '#include "__native_parlour___games___cat_mouse___rules.c"',
        '#include "__native_parlour.c"',
    ]


def test_only_the_top_level_of_a_module_is_marked_as_run_once(c_units, sources, tmp_path):
    c_units.write_units(tmp_path, sources)
    assert (tmp_path / "__native_parlour___core___game.c").read_text() == "RUNS_ONCE " + TOP_LEVEL
    assert (tmp_path / "__native_parlour___core___grid.c").read_text() == "int one;\n"
    assert "#define RUNS_ONCE" in (tmp_path / "unit_core.c").read_text()


def test_kernels_keep_the_optimisation_that_pyproject_asks_for(c_units):
    assert not [flag for flag in c_units.flags_of("build/unit_kernels.c") if "-O" in flag]
    assert c_units.flags_of("build/unit_core.c")[-1] == "-O1"


def test_every_kernel_is_a_compiled_module(c_units, root):
    modules = {path.stem for path in (root / "src" / "parlour").rglob("*.py")}
    assert modules >= c_units.KERNELS
