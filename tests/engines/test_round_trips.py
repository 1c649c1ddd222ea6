"""Games through each protocol equal games in one process."""

import shlex

import pytest
from engine_commands import ours, toml

import parlour
from parlour.arena.contest import play_game
from parlour.arena.plan import Plan
from parlour.engines.agents import _idle

SILENT = {"go": "", "restart": True}


def moves_of(game, agents):
    plan = Plan.of_match(game, agents, 1, 5)
    played, record = play_game(game, plan.task(0))
    assert played.fault is None, played.fault
    return record.actions


def assert_same(game, protocol, texts, options=()):
    """Play with agents in this process, then with all of them through the protocol."""
    through = [ours(protocol, game.name, text, *options) for text in texts]
    assert moves_of(game, through) == moves_of(game, texts)


@pytest.mark.parametrize(
    ("variant", "texts"),
    [
        ("classic", ["random:seed=1", "random:seed=2", "random:seed=3", "random:seed=4"]),
        ("two-player", ["random:seed=1", "random:seed=2"]),
        ("three-player", ["random:seed=1", "random:seed=2", "random:seed=3"]),
        ("duo", ["mcts:sims=2,cutoff=2,seed=1", "random:seed=2"]),
    ],
)
def test_blokus_through_gtp(variant, texts):
    assert_same(parlour.game("blokus", variant=variant), "gtp", texts)


@pytest.mark.parametrize("rules", ["house", "taiwan", "olympiad"])
def test_banqi_through_cdc(rules):
    game = parlour.game("banqi", rules=rules, quiet_limit=9)
    texts = ["search:nodes=15,seed=1", "mcts:sims=6,cutoff=4,seed=2"]
    assert_same(game, "cdc", texts, ("--rules", rules))


@pytest.mark.parametrize("rules", ["house", "taiwan", "olympiad"])
def test_banqi_through_uci(rules, tmp_path, monkeypatch):
    game = parlour.game("banqi", rules=rules, quiet_limit=9)
    texts = ["search:nodes=15,seed=1", "mcts:sims=6,cutoff=4,seed=2"]
    commands = [
        ours("uci", "banqi", text, "--rules", rules, "--quiet-limit", "9") for text in texts
    ]
    engines = {
        f"e{number}": {"protocol": "uci", "command": shlex.split(text.partition(":")[2]), **SILENT}
        for number, text in enumerate(commands)
    }
    toml(tmp_path, monkeypatch, **engines)
    assert moves_of(game, ["engine:e0", "engine:e1"]) == moves_of(game, texts)


@pytest.mark.parametrize(
    ("game", "texts"),
    [
        ("octa:size=2", ["search:nodes=60,seed=1", "mcts:sims=20,seed=2"]),
        ("octa:size=3,stop_on_enemy=true", ["greedy:seed=1", "mcts:sims=10,seed=2"]),
        ("blokus:variant=duo", ["random:seed=1", "random:seed=2"]),
        ("blokus:variant=two-player", ["random:seed=1", "random:seed=2"]),
    ],
)
def test_games_for_two_through_ugi(game, texts, tmp_path, monkeypatch):
    played = parlour.game(game)
    engines = {
        f"e{number}": {
            "protocol": "ugi",
            # The host sets the options: none are on the command line.
            "command": shlex.split(ours("ugi", played.name, text, *start).partition(":")[2]),
            **SILENT,
        }
        for number, text in enumerate(texts)
        for start in [["--variant", "duo"] if played.name == "blokus" else []]
    }
    toml(tmp_path, monkeypatch, **engines)
    assert moves_of(played, ["engine:e0", "engine:e1"]) == moves_of(played, texts)


def test_a_kept_engine_plays_the_next_game_like_a_new_one(tmp_path, monkeypatch):
    command = ours("ugi", "octa", "mcts:sims=10,seed=1").partition(":")[2]
    kept = {"protocol": "ugi", "command": shlex.split(command), "go": "", "restart": False}
    toml(tmp_path, monkeypatch, kept=kept)
    game = parlour.game("octa", size=2)
    plan = Plan.of_match(game, ["engine:kept", "random:seed=3"], 2, 5)
    processes = set()
    for number in range(2):
        played, _ = play_game(game, plan.task(number))
        assert played.fault is None
        ((driver,),) = _idle.values()
        processes.add(driver.process.process.pid)
    assert len(processes) == 1
    _idle.popitem()[1][0].process.close()
