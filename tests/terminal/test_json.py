"""The game for programs: one JSON object per line, in and out."""

import io
import json

import pytest
from nim import Nim
from scouts import Scouts

import parlour
from parlour.table import PERSON, ChanceSource
from parlour.table.opening import GameSetup
from parlour.terminal.jsonl import JsonGame


def talk(game, *requests, seed=7, **opening):
    """Return the answers of the game: the start, then one for each request."""
    lines = (line if isinstance(line, str) else json.dumps(line) for line in requests)
    out = io.StringIO()
    text = "".join(f"{line}\n" for line in lines)
    assert JsonGame(GameSetup(game, seed=seed, **opening).live, io.StringIO(text), out).run() == 0
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_every_answer_contains_the_position():
    start, after = talk(Nim(heap=3), {"action": "take2"}, seed=4)
    assert start["game"] == "nim"
    assert start["seed"] == 4
    assert start["status"] == "playing"
    assert start["actor"] == 0
    assert start["actions"] == ["take1", "take2", "take3"]
    assert after["events"] == [{"seat": 0, "action": "take2", "words": "take2"}]
    assert after["actor"] == 1
    assert after["state"] == "1 left, player 2 to move"


def test_an_id_or_a_bare_string_is_an_action():
    assert talk(Nim(heap=3), {"action": 1})[1]["state"] == "1 left, player 2 to move"
    assert talk(Nim(heap=3), '"take2"')[1]["state"] == "1 left, player 2 to move"


def test_cat_and_mouse_has_the_fields_of_its_specification():
    game = parlour.game("cat_mouse")
    start, *_, end = talk(game, *_solution(game))
    assert start["status"] == "playing"
    assert start["message"] is None
    start, end = start["cat_mouse"], end["cat_mouse"]
    assert start["grid"] == {"width": 25, "height": 25}
    assert start["seed"] == 7
    state = game.start(7)
    assert start["cat"] == dict(zip(("row", "col"), divmod(state.cat, 25), strict=True))
    assert start["mouse"] == dict(zip(("row", "col"), divmod(state.mouse, 25), strict=True))
    assert len(start["obstacles"]) == sum(state.layout.walls)
    assert all(state.layout.walls[o["row"] * 25 + o["col"]] for o in start["obstacles"])
    assert end["status"] == "won"
    assert end["message"] == "The cat trapped the mouse in 41 steps."


def _solution(game):
    state = game.start(7)
    return [json.dumps(game.action_to_text(state, move)) for move in game.guide().solution(state)]


def test_an_error_is_an_object_and_changes_nothing():
    requests = (
        "hello",
        "[1]",
        "{}",
        {"command": "undoo"},
        {"action": "take9"},
        {"action": 77},
        {"action": None},
        {"command": "undo"},
        {"command": "draw"},
    )
    start, *errors, end = talk(Nim(heap=3), *requests, {"command": "state"})
    assert len(errors) == len(requests)
    for error in errors:
        assert set(error) == {"error", "code", "message"}
        assert error["error"] is True
        assert error["message"]
    assert errors[2]["message"].startswith('a request needs "action" or "command"')
    assert "did you mean 'undo'" in errors[3]["message"]
    assert [error["code"] for error in errors] == [
        *["bad_message"] * 4,
        *["bad_action", "illegal", "illegal"],
        *["not_allowed"] * 2,
    ]
    assert end["state"] == start["state"]


def test_blank_lines_are_ignored():
    assert len(talk(Nim(), "", "   ", {"command": "state"})) == 2


def test_every_command_is_executed():
    assert [
        answer["state"] for answer in talk(Nim(), {"action": "take1"}, {"command": "undo"})
    ] == [
        "10 left, player 1 to move",
        "9 left, player 2 to move",
        "10 left, player 1 to move",
    ]
    assert talk(Nim(heap=3), {"command": "hint"})[1]["hint"] == "take3"
    assert talk(Nim(heap=3), {"command": "analyse"})[1]["analysis"][0]["text"] == "take3"
    resigned = talk(Nim(), {"command": "resign"})[1]
    assert resigned["result"] == {"returns": [-1.0, 1.0], "reason": "player 1 resigned"}
    assert resigned["actions"] == []
    scene = talk(Nim(heap=3), {"command": "scene"})[1]["scene"]
    assert scene["cells"][0]["label"] == "a stone"
    again = talk(Nim(), {"action": "take1"}, {"command": "new"})[2]
    assert again["state"] == "10 left, player 1 to move"
    assert len(talk(Nim(), {"command": "quit"}, {"command": "state"})) == 1


def test_redo_repeats_the_action_and_the_reply():
    requests = ({"action": "take1"}, {"command": "undo"}, {"command": "redo"}, {"command": "redo"})
    _, after, undone, again, refused = talk(Nim(heap=9), *requests, seats=(PERSON, "random"))
    assert undone["state"] == "9 left, player 1 to move"
    assert again == after
    assert (refused["error"], refused["message"]) == (True, "there is nothing to redo")


def test_a_draw_is_offered_and_accepted():
    offered, accepted = talk(Scouts(), {"command": "draw"}, {"command": "draw"})[1:]
    assert offered["draw_offer"] == 0
    assert accepted["result"]["returns"] == [0.0, 0.0]


def test_agents_act_before_the_answer():
    _, after = talk(Nim(heap=9), {"action": "take1"}, seats=(PERSON, "random"))
    assert [event["seat"] for event in after["events"]] == [0, 1]
    assert talk(Nim(heap=9), seats=("random", PERSON))[0]["events"][0]["seat"] == 0


def test_the_commitment_is_published_and_the_key_revealed():
    source = ChanceSource.from_seed(7)
    start, flipped, over = talk(Scouts(), {"action": "a1"}, {"command": "resign"})
    assert start["commitment"] == source.commitment
    assert start["key"] is None
    assert [event["seat"] for event in flipped["events"]] == [0, None]
    assert over["key"] == source.key.hex()


class TestAgentsThatFail:
    def stuck(self, name, *requests):
        return talk(Nim(heap=9), {"action": "take1"}, *requests, seats=(PERSON, name))

    def test_the_answer_is_the_position_after_the_move_and_the_fault(self, agents_here):
        _, after, again = self.stuck("odd_agents:Crashing", {"command": "state"})
        assert after["state"] == "8 left, player 2 to move"
        assert [event["seat"] for event in after["events"]] == [0]
        assert "error" not in after
        fault = after["fault"]
        assert (fault["code"], fault["seat"]) == ("agent_fault", 1)
        assert fault["message"].startswith(
            "the agent odd_agents:Crashing failed: crashed: ZeroDivisionError"
        )
        assert again["fault"] == fault

    def test_the_client_cannot_move_for_the_agent(self, agents_here):
        _, _, refused, same = self.stuck(
            "odd_agents:Crashing", {"action": "take1"}, {"command": "state"}
        )
        assert refused["code"] == "not_your_turn"
        assert same["state"] == "8 left, player 2 to move"

    @pytest.mark.parametrize("name", ["Quitting", "Illegal"])
    def test_every_fault_has_a_one_line_message(self, name, agents_here):
        self.check_sentence(name)

    @pytest.mark.parametrize("name", ["Dying", "Forking", "Forger"])
    def test_every_fault_of_a_process_has_a_one_line_message(self, name):
        self.check_sentence(name)

    def check_sentence(self, name):
        _, after = self.stuck(f"odd_agents:{name}")
        assert after["fault"]["message"].startswith(f"the agent odd_agents:{name} failed: ")
        assert "\n" not in after["fault"]["message"]

    def test_another_agent_can_take_over(self, agents_here):
        request = {"command": "replace", "agent": "random"}
        _, _, after = self.stuck("odd_agents:Crashing", request)
        assert "fault" not in after
        words = [event["words"] for event in after["events"]]
        assert words[0] == "random takes the seat of player 2"
        assert words[1].startswith("take")
        assert after["actor"] == 0

    def test_the_client_can_take_over(self, agents_here):
        request = {"command": "replace", "agent": "person"}
        _, _, mine, after = self.stuck("odd_agents:Crashing", request, {"action": "take1"})
        assert mine["actor"] == 1
        assert mine["actions"] == ["take1", "take2", "take3"]
        assert after["state"] == "7 left, player 1 to move"

    def test_a_seat_can_be_named_and_handed_over(self):
        request = {"command": "replace", "agent": "random", "seat": 0}
        _, over = talk(Nim(heap=9), request, seats=(PERSON, "random"))
        assert over["status"] == "over"

    def test_an_invalid_replacement_changes_nothing(self):
        wrong = (
            {"command": "replace"},
            {"command": "replace", "agent": 3},
            {"command": "replace", "agent": "nobody"},
            {"command": "replace", "agent": "random", "seat": "2"},
            {"command": "replace", "agent": "random", "seat": True},
            {"command": "replace", "agent": "random", "seat": 2},
        )
        start, *errors, end = talk(Nim(), *wrong, {"command": "state"})
        codes = [error["code"] for error in errors]
        assert codes == [*["bad_message"] * 2, "bad_agent", *["bad_message"] * 2, "not_allowed"]
        assert end["state"] == start["state"]

    def test_undo_goes_back_before_the_fault(self, agents_here):
        _, _, undone = self.stuck("odd_agents:Crashing", {"command": "undo"})
        assert "fault" not in undone
        assert undone["actor"] == 0


def test_an_agents_output_is_not_in_the_stream(capfd):
    _, after = talk(Nim(heap=9), {"action": "take1"}, seats=(PERSON, "odd_agents:Spewing"))
    assert [event["seat"] for event in after["events"]] == [0, 1]
    assert "spew" not in "".join(capfd.readouterr())


@pytest.mark.parametrize(
    "line",
    [
        json.dumps({"command": "x" * 1_000_000}),
        json.dumps({"command": ["x" * 1_000_000]}),
        json.dumps({"action": "x" * 1_000_000}),
        json.dumps("x" * 1_000_000),
        json.dumps({"command": "replace", "agent": "x" * 1_000_000}),
        "x" * 1_000_000,
    ],
)
def test_a_long_line_is_not_echoed_whole(line):
    _, answer = talk(Nim(), line)
    assert answer["error"] is True
    assert len(json.dumps(answer)) < 1_000
