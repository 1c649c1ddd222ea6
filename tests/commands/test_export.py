"""Pictures of positions, and GIFs of games."""

import io
import re
import sys

import pytest
from scouts import Scouts

import parlour
from parlour import MissingExtra, ParlourError, Record
from parlour.commands.export import export_record


@pytest.fixture
def record(tmp_path):
    game = parlour.game("octa", size=1)
    state, actions = game.start(8), []
    while state.actor != parlour.OVER:
        actions.append(state.legal_actions()[0])
        state = state.apply(actions[-1])
    path = tmp_path / "game.parlour"
    path.write_text(Record(game, 8, actions).to_text(), "utf-8")
    return path


def test_positions_are_exported_as_svg_and_png(record, tmp_path, capsys):
    svg, png = tmp_path / "a.svg", tmp_path / "a.png"
    assert export_record(record, svg, png, None, 3, 0.5) == 0
    assert "Turn 4 of 8" in svg.read_text("utf-8")
    assert png.read_bytes().startswith(b"\x89PNG")
    assert "a.svg: " in capsys.readouterr().out
    export_record(record, svg, None, None, None, 0.5)
    assert re.search(r"wins|tie", svg.read_text("utf-8"))
    with pytest.raises(ParlourError, match=r"positions 0 \(the start\) to 8, not 99"):
        export_record(record, svg, None, None, 99, 0.5)
    with pytest.raises(ParlourError, match="cannot be written"):
        export_record(record, tmp_path, None, None, None, 0.5)


def test_a_game_is_exported_as_a_gif(record, tmp_path):
    from PIL import Image

    gif = tmp_path / "a.gif"
    export_record(record, None, None, gif, None, 0.1)
    with Image.open(io.BytesIO(gif.read_bytes())) as film:
        assert film.n_frames == 9


def test_a_gif_ends_at_the_chosen_action(record, tmp_path):
    from PIL import Image

    gif = tmp_path / "a.gif"
    export_record(record, None, None, gif, 3, 0.1)
    with Image.open(io.BytesIO(gif.read_bytes())) as film:
        assert film.n_frames == 4


def test_chance_has_no_frame_and_the_flip_is_animated(tmp_path):
    parlour.register("scouts", Scouts)
    path = tmp_path / "game.parlour"
    path.write_text(Record(Scouts(), 1, [0, 1, 1, 0]).to_text(), "utf-8")
    svg, gif = tmp_path / "a.svg", tmp_path / "a.gif"
    export_record(path, svg, None, gif, None, 0.1)
    assert svg.read_text("utf-8").count('stroke-width="3"') == 1
    from PIL import Image

    with Image.open(gif) as film:
        assert film.n_frames == 3


@pytest.mark.parametrize(
    ("module", "kind", "words"),
    [("resvg_py", "--png", "a picture in pixels"), ("PIL", "--gif", "a film")],
)
def test_without_the_extra_the_error_names_it(record, tmp_path, monkeypatch, module, kind, words):
    monkeypatch.setitem(sys.modules, module, None)
    wanted = tmp_path / "out"
    png, gif = (wanted, None) if kind == "--png" else (None, wanted)
    with pytest.raises(MissingExtra, match=re.escape(f"{words} needs the extra")):
        export_record(record, None, png, gif, None, 0.5)
