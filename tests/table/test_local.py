"""A table in this process, as the people at its keyboard see it."""

import pytest
from kuhn import Kuhn
from nim import Nim
from scouts import Scouts

import parlour
from parlour.table import (
    ChanceSource,
    LocalGame,
    NotYourTurn,
    OfferDraw,
    Play,
    Table,
    TableError,
    TimeControl,
    Undo,
)

PERSON, AGENT = "person", "random:seed=1"


def local(game, *seats, seed=1, **more):
    chance = ChanceSource.from_seed(seed)
    return LocalGame(Table(game, seats, seed=seed, chance=chance, **more))


def test_clocks_are_those_of_the_table():
    now = [0.0]
    game = local(Nim(heap=20), control=TimeControl(60), now=lambda: now[0])
    now[0] = 5.0
    assert game.clocks == (55.0, 60.0)
    assert game.check_clocks() == []
    assert local(Nim()).clocks == ()
    now[0] = 61.0
    assert game.check_clocks()[0].sentence == "player 1: ran out of time"
    assert game.is_over


def test_an_open_draw_offer_is_named_and_answered_by_the_other_person():
    game = local(parlour.game("banqi"))
    assert game.draw_offer is None
    game.send(OfferDraw())
    assert game.draw_offer == 0
    game.send(OfferDraw())
    assert game.is_over
    assert "draw" in game.outcome()


def test_a_taken_back_action_can_be_repeated():
    game = local(Nim(heap=9))
    assert not game.can_redo
    game.send(Play("take1"))
    assert game.last_event.text == "take1"
    game.send(Undo())
    assert game.can_redo
    assert game.last_event is None


def test_an_offer_at_the_agents_turn_is_refused_without_a_person():
    game = local(Nim(heap=9), AGENT, AGENT)
    assert game.people == ()
    assert not game.is_my_turn
    with pytest.raises(NotYourTurn):
        game.send(OfferDraw())


def test_the_key_of_chance_is_promised_before_and_proved_after():
    game = local(Scouts())
    assert game.promise() == game.table.commitment
    assert game.proof() == ""
    while not game.is_over:
        game.send(Play(game.table.game.action_to_text(game.table.state, legal(game)[0])))
    assert game.proof() == game.table.chance.key.hex()
    plain = local(Nim(heap=1))
    plain.send(Play("take1"))
    assert (plain.promise(), plain.proof()) == ("", "")


def legal(game):
    return list(game.table.state.legal_actions())


def test_a_position_with_secrets_is_one_that_the_viewer_cannot_tell_from_the_true_one():
    game = local(Kuhn(), PERSON, AGENT)
    guess = game.table.game.state_from_text(game.position_text())
    assert guess.scene(0) == game.table.state.scene(0)
    assert local(Kuhn(), AGENT, AGENT).position_text() is None
    assert local(Nim(heap=4)).position_text() == Nim(heap=4).state_to_text(Nim(heap=4).start())


def test_a_spectator_of_a_game_with_secrets_may_not_analyse_it():
    with pytest.raises(TableError, match="only the seat to act may ask"):
        local(Kuhn(), AGENT, AGENT).analyse()


def test_a_preview_shows_the_cells_that_would_change_owner():
    game = local(parlour.game("octa", size=1), seed=8)
    action = legal(game)[0]
    before = game.table.state
    after = before.apply(action)
    changed = [n for n in range(9) if before.cell(n)[0] != after.cell(n)[0]]
    assert sorted(game.preview(action)) == changed
    assert local(Kuhn()).preview(0) == ()
    assert local(parlour.game("octa", size=1), AGENT, AGENT, seed=8).preview(action) == ()


def test_the_games_own_texts_are_given():
    game = local(parlour.game("blokus"))
    assert "V3" in game.explain("V3")
    assert game.help_topics() == game.table.game.guide().topics()
    assert all(text for _, text in game.topics())
    assert game.remark() == game.table.game.guide().remark(game.table.state, game.table.state, 0)
    assert game.fields() == game.table.game.json_fields(game.table.state, 1, 0)
    neutral = local(parlour.game("octa", size=1), seed=8).why_not((4,), "")
    assert neutral == "that cell is neutral; choose one of your own"


def test_introductions_name_the_seed_and_the_seat_or_the_resumed_file():
    new = local(Nim(heap=9), PERSON, AGENT, seed=5)
    assert new.introduction() == ["New game, seed 5.", "You are player 1."]
    assert local(parlour.game("cat_mouse")).greeting() == ""
    new.send(Play("take1"))
    assert new.greeting() == "The game was resumed where it stopped."
    again = LocalGame(new.table, resumed="nim.txt")
    assert again.introduction() == ["Resuming nim.txt after 1 action."]


def test_a_game_without_a_file_says_that_it_is_not_saved(tmp_path):
    assert local(Nim()).where() == ""
    assert local(Nim()).save() == "This game is not saved."
    path = tmp_path / "game.txt"
    game = local(Nim(heap=9), path=path)
    assert game.where() == "The game is not saved."
    assert game.save() == f"Saved in {path}."
    assert game.where() == f"The game is saved in {path}."
    assert game.record_text().startswith("parlour record 1\ngame nim\n")
    assert "note key" in path.read_text("utf-8")
    assert "note key" not in game.record_text()
    game.close()
