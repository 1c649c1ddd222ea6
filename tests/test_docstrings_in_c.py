"""The build step that gives compiled modules their docstrings."""

import sys

import pytest

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


@pytest.fixture
def add_docstrings(root, monkeypatch):
    monkeypatch.syspath_prepend(str(root / "tools"))
    from c_docstrings import add_docstrings

    yield add_docstrings
    sys.modules.pop("c_docstrings")


def test_types_functions_methods_and_properties_get_theirs(add_docstrings, tmp_path):
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


def test_two_modules_of_one_name_are_told_apart_or_left_alone(add_docstrings, tmp_path):
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
