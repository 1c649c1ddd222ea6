"""The draft of the start screen, without a display."""

from functools import cache

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from kuhn import Kuhn
from nim import Nim

import parlour
from parlour.core.errors import ParlourError
from parlour.core.options import choice, flag, fraction, integer, text
from parlour.core.registry import game_with
from parlour.table import PERSON, Table
from parlour.table.locations import unfinished_games
from parlour.terminal.draft import PLAYERS, Draft
from parlour.terminal.fields import FieldKind, stepped
from parlour.terminal.opponents import seats_for
from parlour.terminal.previews import facts, moment, seat_names, seen, under_way

OURS = ("banqi", "blokus", "cat_mouse", "octa")


game_of = cache(parlour.game)


def draft_of(*names, **more):
    games = {name: game_of(name) for name in names or OURS}
    return Draft(games, **more)


def number_of(draft, name):
    return [field.name for field in draft.fields].index(name)


def set_field(draft, name, value):
    draft.set(number_of(draft, name), value)


@pytest.mark.parametrize("name", parlour.game_names())
def test_every_declared_option_is_a_field_with_its_default(name):
    draft = draft_of(name)
    options = [field for field in draft.fields if field.kind is FieldKind.OPTION]
    declared = parlour.core.registry.game_class(name).OPTIONS
    assert [field.name for field in options] == [option.name for option in declared]
    assert [field.value for field in options] == [
        option.to_text(option.default) for option in declared
    ]
    assert all(option.help in field.help for field, option in zip(options, declared, strict=True))
    assert draft.problem == ""
    assert draft.choice().settings == ()


@pytest.mark.parametrize("name", parlour.game_names())
def test_stepping_through_an_options_values_stays_valid(name):
    draft = draft_of(name)
    for number, field in enumerate(draft.fields):
        if field.kind is not FieldKind.OPTION:
            continue
        for by in (1, 1, 1, -1, -1, -1, -1, -1, 1):
            draft.change(number, by)
            assert draft.fields[number].problem == ""
        draft.set(number, field.value)
    assert draft.problem == ""


OPTIONS = [
    integer("count", 4, 1, 6, "a number"),
    integer("limit", None, 1, 9, "a number or auto"),
    fraction("share", None, 0, 1, "a share"),
    fraction("odds", 0.5, 0.25, 0.75, "odds"),
    flag("strict", None, "yes or no"),
    flag("open", False, "yes or no"),
    choice("rules", "house", ("house", "club"), "a preset"),
    text("title", "x", "a text"),
]


@given(st.sampled_from(OPTIONS), st.lists(st.sampled_from([1, -1]), max_size=30), st.text())
@example(OPTIONS[0], [], "nan")
@example(OPTIONS[2], [], "inf")
def test_stepping_works_from_any_value(option, walk, junk):
    value = option.to_text(option.default)
    for by in walk:
        value = stepped(option, value, by)
        option.from_text(value)
    if option.kind != "text":
        option.from_text(stepped(option, junk, 1))
        option.from_text(stepped(option, junk, -1))


def test_steps_reach_every_value_of_a_small_option():
    reached = set()
    for option in OPTIONS:
        value = option.to_text(option.default)
        for by in [1] * 30 + [-1] * 60:
            value = stepped(option, value, by)
            reached.add((option.name, value))
    assert {value for name, value in reached if name == "count"} == set("123456")
    assert {value for name, value in reached if name == "limit"} == {*"123456789", "auto"}
    assert {value for name, value in reached if name == "strict"} == {"auto", "true", "false"}
    assert {value for name, value in reached if name == "rules"} == {"house", "club"}
    assert {"auto", "0.05", "0.95"} <= {value for name, value in reached if name == "share"}


@pytest.mark.parametrize(
    ("game", "name", "value"),
    [
        ("octa", "size", "99"),
        ("octa", "size", "four"),
        ("octa", "win_condition", ""),
        ("cat_mouse", "density", "2"),
        ("banqi", "repetition", "perhaps"),
    ],
)
def test_an_invalid_option_shows_the_librarys_message(game, name, value):
    draft = draft_of(game)
    set_field(draft, name, value)
    with pytest.raises(ParlourError) as raised:
        game_with(game, [f"{name}={value}"])
    assert draft.fields[number_of(draft, name)].problem == str(raised.value)
    assert draft.problem == str(raised.value)
    with pytest.raises(ParlourError, match=f"^{name} must be"):
        draft.choice()
    set_field(draft, name, "auto" if value == "perhaps" else "2")
    assert draft.fields[number_of(draft, name)].value in ("auto", "2")


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("player 2", "nobody", "nobody"),
        ("player 2", "level:10", "an int from 1 to 9, as in level:5, not"),
        ("clock", "soon", "write a clock like 5m"),
        ("seed", "x", "a seed must be a whole number or random, not 'x'"),
    ],
)
def test_an_invalid_seat_clock_or_seed_shows_a_message_in_place(name, value, sentence):
    draft = draft_of("octa")
    set_field(draft, name, value)
    field = draft.fields[number_of(draft, name)]
    assert field.value == value
    assert sentence in field.problem
    with pytest.raises(ParlourError):
        draft.choice()


def test_the_choice_has_the_selected_values():
    draft = draft_of("octa")
    for name, value in (("size", "2"), ("player 1", "best"), ("clock", "5m+3"), ("seed", "7")):
        set_field(draft, name, value)
    chosen = draft.choice()
    assert chosen == ("octa", ("size=2",), ("best", "level:3"), "5m+3", 7, None)
    assert draft.played.options["size"] == 2
    assert seats_for(draft.played, given={0: "best"}) == chosen.seats


def test_a_variant_with_more_seats_keeps_the_known_ones():
    draft = draft_of("blokus")
    set_field(draft, "yellow", "level:9")
    set_field(draft, "variant", "duo")
    assert draft.seats == [PERSON, "level:9"]
    assert number_of(draft, "clock")
    set_field(draft, "variant", "classic")
    assert draft.seats == [PERSON, "level:9", "level:3", "level:3"]
    assert "clock" not in [field.name for field in draft.fields]


def test_people_get_the_first_seats_and_agents_keep_the_others():
    draft = draft_of("blokus")
    set_field(draft, "yellow", "level:9")
    set_field(draft, "people", "3")
    assert draft.seats == [PERSON, PERSON, PERSON, "level:9"]
    set_field(draft, "people", "0")
    assert draft.seats == ["level:9"] * 4
    set_field(draft, "people", "4")
    assert draft.seats == [PERSON] * 4
    for nonsense in ("5", "-1", "many", "", "٣"):
        set_field(draft, "people", nonsense)
        assert draft.seats == [PERSON] * 4
    set_field(draft, "people", "1")
    assert draft.seats == [PERSON, *["level:3"] * 3]


def test_seats_step_through_people_levels_and_the_best():
    draft = draft_of("octa")
    number = number_of(draft, "player 1")
    seen_there = []
    for _ in PLAYERS:
        seen_there.append(draft.fields[number].value)
        assert draft.problem == ""
        draft.change(number, 1)
    assert seen_there == [PERSON, *(f"level:{n}" for n in range(1, 10)), "best"]
    assert draft.fields[number].value == PERSON


def test_each_game_keeps_its_selection():
    draft = draft_of()
    while draft.name != "octa":
        draft.step(1)
    set_field(draft, "size", "3")
    draft.step(-1)
    assert draft.name == "cat_mouse"
    draft.step(1)
    assert draft.settings == ("size=3",)
    draft.step(99)
    assert draft.name == "octa"
    draft.step(-99)
    assert draft.name == "banqi"


def test_the_draft_starts_with_the_command_lines_choices():
    draft = draft_of(
        "octa", settings={"size": "2"}, clock="5m", seed="9", seats_of=lambda game: ("best", PERSON)
    )
    assert draft.choice() == ("octa", ("size=2",), ("best", PERSON), "5m", 9, None)


def test_invalid_seats_show_a_message_until_others_are_chosen():
    def seats_of(game):
        return seats_for(game, mine=3)

    draft = draft_of("octa", seats_of=seats_of)
    assert draft.seats == [PERSON, "level:3"]
    assert draft.problem == "Octa has seats 1 to 2, not 3"
    set_field(draft, "people", "2")
    assert draft.problem == ""


def left(folder, name, plies=0, seats=(PERSON, "level:2"), **options):
    """Return an unfinished game after this many actions."""
    game = parlour.game(name, **options)
    table = Table(game, seats[: game.seats], seed=3, path=folder / f"{name}.parlour")
    for _ in range(plies):
        table.play(table.state.legal_actions()[0])
    table.save()
    table.close()


def test_unfinished_games_are_a_separate_entry(tmp_path):
    left(tmp_path, "octa", 1)
    left(tmp_path, "cat_mouse", seats=(PERSON,))
    found = unfinished_games(tmp_path)
    draft = draft_of("octa", unfinished=found)
    assert draft.entries == ["", "octa"]
    assert draft.name == "octa"
    draft.step(-1)
    assert draft.fields == []
    assert draft.problem == ""
    draft.step_resumed(9)
    assert draft.choice().resumed == found[1].path
    words = draft.words_on(next(each for each in found if each.record.game.name == "octa"))
    assert words.endswith(", 1 action, with level:2")
    assert draft.scene == found[1].record.final.scene(None)
    assert draft.scene_of("") == found[0].record.final.scene(None)
    draft.found([])
    assert draft.entries == ["octa"]
    assert draft.name == "octa"


def test_only_the_latest_files_are_read(tmp_path):
    left(tmp_path, "octa", 1)
    left(tmp_path, "blokus", seats=(PERSON,) * 4)
    assert len(unfinished_games(tmp_path)) == 2
    assert len(unfinished_games(tmp_path, most=1)) == 1
    assert [each.record.game.name for each in unfinished_games(tmp_path, "octa")] == ["octa"]


@pytest.mark.parametrize("make", [Nim, Kuhn, *(lambda n=n: parlour.game(n) for n in OURS)])
def test_a_picture_shows_a_fixed_position_in_mid_game(make):
    state = under_way(make())
    assert state.actor != parlour.core.game.OVER
    assert make().state_to_text(state) == make().state_to_text(under_way(make()))


class Failing(Nim):
    """A game that fails wherever it is used."""

    def scene(self, state, seat):
        raise RuntimeError("no")

    def seat_names(self, state):
        raise RuntimeError("no")


def test_a_failing_game_has_no_picture_and_the_others_still_do():
    draft = Draft({"nim": Failing(), "octa": parlour.game("octa")})
    assert draft.scene_of("nim") == parlour.core.scene.Scene()
    assert seat_names(Failing()) == ("player 1", "player 2")
    assert draft.scene_of("octa").cells
    assert seen(lambda: under_way(Failing())) == parlour.core.scene.Scene()


def test_facts_name_players_board_chance_and_secrets():
    assert facts(parlour.game("cat_mouse")) == "1 player · 25 × 25"
    assert facts(parlour.game("banqi")) == "2 players · 4 × 8 · chance"
    assert facts(Kuhn()).endswith("chance · secrets")


def test_timestamps_are_shown_in_local_time():
    assert moment("2026-11-16T14:05:09.123456Z")[-6:-5] == " "
    assert moment("") == moment("yesterday") == "some time ago"
