"""Octa in C++ (`embed/octa`), compared with the Python rules by shared vectors."""

import ctypes
import re
import subprocess
from pathlib import Path

import pytest
from embed_vectors import OCTA_GAMES
from patience import PATIENCE
from programs import found_program

HERE = Path(__file__).parent
STRICT = ["-std=c++17", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror"]
SANITIZED = ["-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]


def run(*command, **more):
    words = list(map(str, command))
    done = subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE, **more)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """The shared library, as CMake builds it."""
    cmake = found_program("cmake")
    found_program("g++")
    folder = tmp_path_factory.mktemp("cmake")
    source = HERE.parent.parent / "embed" / "octa"
    flags = " ".join(STRICT[1:])
    run(cmake, "-S", source, "-B", folder, f"-DCMAKE_CXX_FLAGS={flags}")
    run(cmake, "--build", folder)
    return folder / "libocta_c.so"


def test_the_classes_and_the_c_abi_play_like_the_python_rules(root, tmp_path, octa_file):
    embed = root / "embed" / "octa"
    program = tmp_path / "read_octa"
    sources = [HERE / "read_octa.cpp", embed / "src" / "octa_c.cpp"]
    compiler = found_program("g++")
    run(compiler, *STRICT, *SANITIZED, "-I", embed / "include", *sources, "-o", program)
    assert run(program, octa_file) == f"{OCTA_GAMES} games\n"


def test_a_c_program_can_include_the_header(root, tmp_path):
    source = tmp_path / "user.c"
    source.write_text('#include "octa/octa_c.h"\nint main(void) { return OCTA_ELIMINATION; }\n')
    include = root / "embed" / "octa" / "include"
    run(found_program("gcc"), "-std=c99", *STRICT[1:], "-I", include, "-c", source, cwd=tmp_path)


def test_csharp_plays_the_same_games_through_p_invoke(tmp_path, library, octa_file):
    mono, compiler = found_program("mono-runtime", "mono"), found_program("mono-mcs", "mcs")
    program = tmp_path / "ReadOcta.exe"
    run(compiler, "-warnaserror", f"-out:{program}", HERE / "ReadOcta.cs")
    environment = {"LD_LIBRARY_PATH": str(library.parent), "HOME": str(tmp_path)}
    assert run(mono, program, octa_file, env=environment) == f"{OCTA_GAMES} games\n"


def test_python_plays_the_same_games_through_ctypes(library, octa_file):
    octa = ctypes.CDLL(str(library))
    octa.octa_new.restype = ctypes.c_void_p
    games, game, head, links = 0, None, [], []
    for line in octa_file.read_text("utf-8").splitlines():
        kind, rest = line[0], line[2:]
        if kind in "CE":
            cells = bytes.fromhex(rest)
        else:
            words = [int(word) for word in rest.split()]
        if kind == "G":
            head, games = words, games + 1
        elif kind == "L":
            links = (ctypes.c_int32 * len(words))(*words)
        elif kind == "C":
            game = ctypes.c_void_p(octa.octa_new(head[0], links, cells, *head[2:]))
            assert game.value
        elif kind == "S":
            assert octa.octa_set_cell(game, *words) == 1
        elif kind == "M":
            assert octa.octa_make_move(game, *words[:2]) == words[2], line
            assert [octa.octa_get_winner(game), octa.octa_get_turn_count(game)] == words[3:]
            if words[2] >= 0:
                octa.octa_switch_player(game)
        else:
            assert bytes(octa.octa_get_cell(game, n) for n in range(len(cells))) == cells
            octa.octa_free(game)
    assert games == OCTA_GAMES


def test_the_example_of_the_readme_compiles_and_runs(root, tmp_path):
    text = (root / "embed" / "octa" / "README.md").read_text("utf-8")
    code = re.search(r"```cpp\n(.*?)```", text, re.DOTALL)[1]
    shown = re.search(r"```text\n(.*?)```", text, re.DOTALL)[1]
    (tmp_path / "example.cpp").write_text(code, "utf-8")
    include = root / "embed" / "octa" / "include"
    program = tmp_path / "example"
    run(found_program("g++"), *STRICT, "-I", include, tmp_path / "example.cpp", "-o", program)
    assert run(program) == shown
