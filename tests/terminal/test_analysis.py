"""Lines of play with their values beside the board."""

from nim import Nim
from textual.content import Content

import parlour
from parlour.agents import AT_MOST, Analysis, Choice
from parlour.core.scene import display_width
from parlour.drawing.choices import advice_of
from parlour.terminal.analysis import WIDTH, advice_panel
from parlour.terminal.markup import cropped, packed
from parlour.terminal.small_shapes import dotted_shape, small_shape

STATE = Nim(heap=7).start()


def plain(lines):
    return [Content.from_markup(line).plain for line in lines]


def choice(action, value, line, visits=0, **more):
    return Choice(action, line[0], value, visits, 3, line, **more)


def panel(*choices, **more):
    return plain(advice_panel(advice_of(STATE, Analysis(choices, 9, 0.1), 0), **more))


def blokus(ply=12):
    state = parlour.game("blokus").start(1)
    agent = parlour.agent("greedy:seed=1")
    for _ in range(ply):
        state = state.apply(agent.choose(state))
    return state, agent.analyse(state)


def test_values_are_shown_as_wins_losses_and_figures():
    lines = panel(
        choice(2, 0.9985, ("take3", "take1"), ends_in=7),
        choice(1, -0.125, ("take2",), 1234),
        choice(0, -0.25, ("take1",), bound=AT_MOST),
    )
    assert lines == [
        "",
        "Analysis",
        "  take3  win in 7",
        "  take1",
        "  take2  -0.125 (1234)",
        "  take1",
        "  at most -0.250",
    ]


def test_no_line_is_too_wide_and_no_action_is_broken():
    state, analysis = blokus()
    advice = advice_of(state, analysis, 0)
    for width in (WIDTH, 30, 40):
        for is_exact in (False, True):
            lines = plain(advice_panel(advice, is_exact, width))
            assert all(display_width(line) <= width for line in lines)
        shown = "\n".join(plain(advice_panel(advice, False, width)))
        assert all(view.words[0] in shown for view in advice.choices[:6])


def test_exact_texts_wrap_only_after_commas():
    state, analysis = blokus()
    lines = plain(advice_panel(advice_of(state, analysis, 0), True, WIDTH))
    parts = {cell for view in analysis.choices[:6] for cell in view.text.split(",")}
    shown = {cell for line in lines[2:] for cell in line.replace(",", " ").split()}
    assert parts <= shown


def test_a_choice_shows_its_piece_in_its_orientation():
    state, analysis = blokus()
    advice = advice_of(state, analysis, 0)
    lines = plain(advice_panel(advice, False, 40, most=1))[2:]
    (first, *_) = advice.choices
    assert len(first.shape) == len(first.cells) > 1
    picture = small_shape(first.shape, lies_down=False)
    for line, part in zip(lines, picture, strict=False):
        assert line.startswith(part)


def test_a_game_without_pieces_has_no_pictures():
    assert advice_of(STATE, Analysis((choice(0, 0, ("take1",)),), 1, 0.0), 0).choices[0].shape == ()


def test_omitted_choices_are_counted_and_a_missing_analysis_is_shown():
    lines = panel(*[choice(0, 0.1, ("take1",))] * 9, most=4)
    assert lines[-1] == "  and 5 more"
    assert plain(advice_panel(None))[-1] == "  thinking ..."


def test_words_are_wrapped_and_never_cut():
    assert packed(["L5 at a1, ", "I3 at b2, ", "O4 at c3"], 21) == [
        "L5 at a1, I3 at b2,",
        "O4 at c3",
    ]
    assert packed(["much-too-long"], 6) == ["much-…"]
    assert cropped("帥帥帥", 5) == "帥帥…"
    assert cropped("abc", 3) == "abc"


def test_a_dotted_shape_is_one_line_of_braille():
    assert dotted_shape(((0, 0), (1, 0), (2, 0), (3, 0))) == "⡇"
    assert dotted_shape(((0, 0), (0, 1), (0, 2), (1, 2))) == "⠉⠃"
    assert dotted_shape(tuple((row, 0) for row in range(5))) == ""
    assert dotted_shape(()) == ""
