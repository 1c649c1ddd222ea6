"""The build step that adds docstrings and signatures to compiled modules."""

import inspect
import sys

import pytest

import parlour
from parlour.core.record import Line

SOURCE = '''
class Board:
    """A board of "quoted" words, 100 % ??! of them; and é."""

    def size(self):
        """How large.

        Two paragraphs.
        """

    @property
    def side(self):
        """One side."""


def play():
    """Play."""


def silent():
    pass
'''

CODE = r"""
static PyGetSetDef rules___Board_getseters[] = {
    {"side",
     (getter)rules___Board_get_side,
    NULL, NULL, NULL},
};
    {"size",
     (PyCFunction)CPyPy_rules___Board___size,
     METH_FASTCALL | METH_KEYWORDS, PyDoc_STR("size($self)\n--\n\n")},
static PyTypeObject CPyType_rules___Board_template_ = {
    .tp_doc = PyDoc_STR(NULL),
};
    {"play", (PyCFunction)CPyPy_rules___play, METH_FASTCALL, PyDoc_STR("play()\n--\n\n") /* x */},
    {"silent", (PyCFunction)CPyPy_rules___silent, METH_FASTCALL, PyDoc_STR("silent()\n--\n\n")},
"""


NAMED_TUPLES = [
    *(parlour.ActionView, parlour.Board, parlour.Cell, parlour.Playouts, parlour.Result),
    *(parlour.Scene, parlour.Symmetry, parlour.options.Option, Line),
]


@pytest.fixture
def c_docstrings(root, monkeypatch):
    monkeypatch.syspath_prepend(str(root / "tools"))
    import c_docstrings

    yield c_docstrings
    sys.modules.pop("c_docstrings")


@pytest.fixture
def add_docstrings(c_docstrings):
    return c_docstrings.add_docstrings


def test_types_functions_methods_and_properties_get_docstrings(add_docstrings, tmp_path):
    source = tmp_path / "src" / "game" / "rules.py"
    source.parent.mkdir(parents=True)
    source.write_text(SOURCE, "utf-8")
    code = tmp_path / "build" / "native.c"
    code.parent.mkdir()
    code.write_text(CODE, "utf-8")
    assert add_docstrings(code.parent, [source], tmp_path / "src") == 4
    written = code.read_text("utf-8")
    assert r'PyDoc_STR("size($self)\n--\n\nHow large.\012\012Two paragraphs.")' in written
    assert r'PyDoc_STR("play()\n--\n\nPlay.") /* x */' in written
    assert r"A board of \042quoted\042 words, 100 % \077\077! of them; and \303\251." in written
    assert 'NULL, PyDoc_STR("One side."), NULL}' in written
    assert r'PyDoc_STR("silent()\n--\n\n")' in written


def test_ambiguous_module_names_get_no_docstring(add_docstrings, tmp_path):
    sources = []
    for game in ("octa", "banqi"):
        source = tmp_path / "src" / game / "rules.py"
        source.parent.mkdir(parents=True)
        source.write_text(f'def play():\n    """Play {game}."""\n', "utf-8")
        sources.append(source)
    code = tmp_path / "build" / "native.c"
    code.parent.mkdir()
    line = '{{"play", (PyCFunction)CPyPy_{}___play, METH_FASTCALL, PyDoc_STR(NULL)}},\n'
    code.write_text("".join(line.format(n) for n in ("octa___rules", "rules")), "utf-8")
    assert add_docstrings(code.parent, sources, tmp_path / "src") == 1
    assert 'PyDoc_STR("Play octa.")' in code.read_text("utf-8")


def test_init_becomes_visible_with_the_calling_convention_of_its_function(add_docstrings, tmp_path):
    entry = '{{"__init__",\n (PyCFunction)CPyPy_rules___Board_____init__,\n {}, PyDoc_STR("x")}},\n'
    code = tmp_path / "native.c"
    code.write_text(entry.format("METH_FASTCALL | METH_KEYWORDS"), "utf-8")
    add_docstrings(tmp_path, [], tmp_path)
    visible = entry.format("METH_VARARGS | METH_KEYWORDS | METH_COEXIST")
    assert code.read_text("utf-8") == visible.replace("{{", "{").replace("}}", "}")


def test_named_tuples_get_a_statement_that_sets_their_docstring(c_docstrings):
    source = (
        "class Cell(NamedTuple):\n"
        '    """A \'cell\'."""\n'
        "class Plain:\n"
        '    """Not a tuple."""\n'
        "class Silent(NamedTuple):\n"
        "    x: int\n"
    )
    added = c_docstrings.document_tuples(source).removeprefix(source)
    assert added == "setattr(Cell, '__doc__', \"A 'cell'.\")\n"


@pytest.mark.parametrize("cls", NAMED_TUPLES, ids=lambda cls: cls.__name__)
def test_named_tuples_have_their_docstring_in_both_builds(root, cls):
    module = root / "src" / f"{cls.__module__.replace('.', '/')}.py"
    assert cls.__doc__.splitlines()[0] in module.read_text("utf-8")


@pytest.mark.parametrize("call", [parlour.Game, parlour.Game.__init__])
def test_the_signature_of_a_game_is_shown_in_both_builds(call):
    names = [name for name in inspect.signature(call).parameters if name != "self"]
    assert names[:5] == ["name", "title", "seats", "num_actions", "max_plies"]
    assert names[-1] == "faces"


def test_the_docstring_of_init_is_shown_in_both_builds():
    assert parlour.Game.__init__.__doc__.startswith("Describe the game.")
    assert parlour.Batch.__init__.__doc__.startswith("Start `count` games.")
