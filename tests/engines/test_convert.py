"""Convert records to files of other programs and back."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import parlour
from parlour import ParlourError, Record
from parlour.cli import main
from parlour.commands.convert import formats
from parlour.core.errors import RecordError

GAMES = [
    ("blokus", "blksgf"),
    ("blokus:variant=duo", "blksgf"),
    ("blokus:variant=two-player", "blksgf"),
    ("blokus:variant=three-player", "blksgf"),
    ("banqi", "cdc"),
    ("banqi:rules=taiwan", "cdc"),
    ("banqi:rules=olympiad", "uci"),
    ("banqi:rules=taiwan,quiet_limit=30", "uci"),
]


def played(name, seed, most=10_000):
    """Return a random game, or its beginning."""
    game = parlour.game(name)
    state, rng, actions = game.start(0), parlour.Rng(seed), []
    while state.result() is None and (len(actions) < most or state.actor == parlour.CHANCE):
        actions.append(state.sample(rng))
        state = state.apply(actions[-1])
    return Record(game, 0, actions)


@pytest.mark.parametrize(("name", "form"), GAMES)
@pytest.mark.parametrize("most", [0, 1, 9, 10_000])
def test_records_round_trip(name, form, most):
    record = played(name, 3, most)
    _, found = formats()[form]
    options = {} if form == "blksgf" else record.game.options
    assert found.read(found.write(record), options) == record


@pytest.mark.parametrize(("name", "form"), GAMES)
def test_the_command_converts_both_ways(name, form, tmp_path, capsys):
    record = played(name, 5, 12)
    (tmp_path / "a.parlour").write_text(record.to_text())
    there, back = tmp_path / f"b.{form}", tmp_path / "c.parlour"
    assert main(["convert", str(tmp_path / "a.parlour"), str(there)]) == 0
    given_options = [] if form == "blksgf" else ["--set", f"rules={record.game.options['rules']}"]
    if "quiet_limit" in name:
        given_options += ["--set", "quiet_limit=30"]
    assert main(["convert", str(there), str(back), *given_options]) == 0
    assert Record.from_text(back.read_text()) == record
    assert f"{len(record.actions)} actions" in capsys.readouterr().out


def test_pentobis_files_are_read():
    text = (
        "\ufeff( ;FF[4]CA[UTF-8] GM[Blokus Duo]\nPB[a \\] b]C[x;(y)]\n"
        ";B[e10,f10,g10,e11,e12]BM[1](;W[J5,k5,l5,l6,l7];B[h9,h8,i8])(;W[j5]C[other]))\n"
    )
    record = formats()["blksgf"][1].read(text, {})
    assert len(record.actions) == 3
    assert record.game == parlour.game("blokus", variant="duo")


def test_old_files_name_colours_and_list_cells_one_by_one():
    text = "(;GM[Blokus];BLUE[a20][a19];YELLOW[t20])"
    assert len(formats()["blksgf"][1].read(text, {}).actions) == 2


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "line 1: this is not the Smart Game Format"),
        ("hello", "line 1: a game must begin with '(;', not 'HELLO'"),
        ("(;GM[Blokus Duo]", "line 1: the game is not closed by ')': the file was cut off"),
        ("(;GM[Blokus Duo]\n;B[e10", "line 2: a value is not closed by ']'"),
        ("(;GM[Go])", "line 1: the game must be one of Blokus, "),
        ("(;B[e10])", "line 1: a property like GM[Blokus Duo] must name the variant"),
        ("(;GM[Blokus Duo]\n;W[j5])", "line 2: it is the turn of b, not of W"),
        ("(;GM[Blokus Duo]\n;B[a1])", "line 2: B[a1] is not legal: "),
        ("(;GM[Blokus Duo]\n;B[a99])", "line 2: 'a99' is not a cell"),
        ("(;GM[Blokus Duo]AB[e10])", "line 1: AB sets up pieces"),
        ("(;GM[Blokus Duo]GM[Blokus])", "line 1: GM occurs twice"),
        ("(;GM[Blokus Duo])(;GM[Blokus Duo])", "line 1: a file holds one game"),
        ("(" * 300 + ";GM[Blokus Duo]" + ")" * 300, "line 1: variations are more than 200 deep"),
        ("(;GM[Blokus Duo]!)", "line 1: expected ';', a name or a value, not '!)'"),
        ("(;[x])", "line 1: a value in brackets needs a name before it"),
    ],
)
def test_a_wrong_file_is_refused_with_its_line(text, reason):
    with pytest.raises(RecordError) as caught:
        formats()["blksgf"][1].read(text, {})
    assert str(caught.value).startswith(reason)


@pytest.mark.parametrize(
    ("form", "text", "reason"),
    [
        ("cdc", "reset_board\nmove a8 b8", "line 2: "),
        ("cdc", "flip a8", "line 1: a flip must be a square and a piece"),
        ("cdc", "flip a8 K\nreset_board", "line 2: reset_board must come before the first move"),
        ("cdc", "dance", "line 1: unknown command 'dance'"),
        ("uci", "startpos", "line 1: a game must begin with 'position startpos'"),
        ("uci", "position startpos moves a0a0", "line 1: '' is not a piece"),
        ("uci", "position startpos moves a0b0", "line 1: "),
    ],
)
def test_a_wrong_transcript_is_refused_with_its_line(form, text, reason):
    with pytest.raises(RecordError) as caught:
        formats()[form][1].read(text, {})
    assert str(caught.value).startswith(reason)


def test_wrong_commands_are_refused_in_one_line(tmp_path, capsys):
    (tmp_path / "a.parlour").write_text(played("banqi", 1, 3).to_text())
    source = str(tmp_path / "a.parlour")
    (tmp_path / "bytes.cdc").write_bytes(b"\xff\xfe")
    for words, reason in (
        ([source, str(tmp_path / "b.blksgf")], "blksgf is for blokus; this is a game of banqi"),
        ([source, str(tmp_path / "b.xyz")], "name the format: --to NAME, one of blksgf, cdc"),
        ([str(tmp_path / "no.blksgf"), source], "no.blksgf cannot be read: No such file"),
        ([str(tmp_path / "bytes.cdc"), source], "bytes.cdc is not a text file in UTF-8"),
        (
            [source, str(tmp_path / "b.cdc"), "--set", "rules=house"],
            "contains its options: leave out --set rules=house",
        ),
    ):
        assert main(["convert", *words]) == 2
        error = capsys.readouterr().err
        assert reason in error
        assert error.count("\n") == 1
    assert main(["convert", source, str(tmp_path / "b.txt"), "--to", "cdc"]) == 0


def test_an_error_is_one_line_with_any_separator():
    text = "(;GM[Blokus Duo];B[e10,\n f10,\n\n a1])"
    with pytest.raises(ParlourError, match=r"^line 1: e10,f10,a1 is not a piece: [^\n]*$"):
        formats()["blksgf"][1].read(text, {})


SIGNS = "();[]\\ GMBW1234aekt09,=\nK"
WHOLE = {
    form: formats()[form][1].write(played(name, 2, 12)) for name, form in dict(GAMES[::-1]).items()
}


@pytest.mark.parametrize("form", ["blksgf", "cdc", "uci"])
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_damaged_file_is_read_or_refused(form, data):
    text = WHOLE[form]
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text)))
        cut = data.draw(st.integers(0, 5))
        text = text[:at] + data.draw(st.text(SIGNS, max_size=5)) + text[at + cut :]
    found = formats()[form][1]
    try:
        record = found.read(text, {})
    except ParlourError as error:
        assert "\n" not in str(error)
        return
    assert found.read(found.write(record), record.game.options) == record
