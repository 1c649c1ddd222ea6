"""Engines at tables, with clocks, logs and takebacks; and third-party games."""

import shlex

import pytest
from engine_commands import fake, ours, toml

import parlour
from parlour.agents import Limit, Occasion, SeatedAgent, agent_names
from parlour.agents.isolation import needs_isolation, vetted
from parlour.agents.registry import is_built_in
from parlour.arena.match import run_match
from parlour.engines import dialect_of
from parlour.interchange import GtpDialect
from parlour.table import Table
from parlour.table.events import Play, Undo
from parlour.table.local import LocalGame

PLAIN = ours("ugi", "octa", "random:seed=1")
FIRST = f"ugi:{shlex.join(fake('ugi', 'none', 'octa:size=1'))}"
"""An agent that starts fast and plays the first legal action."""


@pytest.fixture
def logs(tmp_path, monkeypatch):
    folder = tmp_path / "logs"
    monkeypatch.setenv("PARLOUR_ENGINE_LOGS", str(folder))
    return folder


def test_engine_agents_are_built_in_and_not_isolated():
    assert {"gtp", "cdc", "uci", "ugi", "engine"} <= set(agent_names())
    assert is_built_in("gtp:anything")
    assert not needs_isolation("cdc:anything", parlour.game("banqi"))
    assert vetted(PLAIN, parlour.game("octa"), 7) == PLAIN


def test_the_traffic_of_a_game_is_kept_with_its_label(logs):
    start = parlour.game("octa", size=2).start(9)
    seated = SeatedAgent(parlour.agent(PLAIN), 0, b"")
    seated.begin(start, Occasion(9, "00012-1"))
    seated.choose(start)
    seated.close()
    (log,) = logs.iterdir()
    assert log.name.startswith("00012-1-python-")
    text = log.read_text()
    assert "> setoption name Seed value 9" in text
    assert "> setoption name size value 2" in text
    assert "< bestmove " in text
    assert "# parlour.game('octa', size=2" in text


@pytest.mark.parametrize("processes", [0, 1])
def test_a_match_keeps_the_traffic_in_its_folder(processes, tmp_path, monkeypatch):
    monkeypatch.delenv("PARLOUR_ENGINE_LOGS", raising=False)
    monkeypatch.chdir(tmp_path)
    run_match("octa:size=1", [PLAIN, "random"], 2, processes=processes, folder="match")
    names = sorted(path.name for path in (tmp_path / "match" / "engines").iterdir())
    assert [name[:14] for name in names] == ["00001-1-python", "00002-2-python"]
    assert "< bestmove " in (tmp_path / "match" / "engines" / names[0]).read_text()
    run_match("octa:size=1", [PLAIN, "random"], 2, processes=processes, folder="match")
    assert len(list((tmp_path / "match" / "engines").iterdir())) == 2


def test_logs_go_where_the_user_says_or_nowhere(logs, tmp_path, monkeypatch):
    run_match("octa:size=1", [FIRST, "random"], 2, processes=0, folder=tmp_path / "one")
    assert len(list(logs.iterdir())) == 2
    monkeypatch.setenv("PARLOUR_ENGINE_LOGS", "")
    run_match("octa:size=1", [FIRST, "random"], 2, processes=0, folder=tmp_path / "two")
    assert not (tmp_path / "one" / "engines").exists()
    assert not (tmp_path / "two" / "engines").exists()


def test_links_in_a_match_folder_are_not_followed(tmp_path, monkeypatch):
    monkeypatch.delenv("PARLOUR_ENGINE_LOGS", raising=False)
    outside, folder = tmp_path / "outside", tmp_path / "match"
    outside.mkdir()
    arguments = {"processes": 0, "folder": folder}
    run_match("octa:size=1", [FIRST, "random"], 2, **arguments)
    for log in (folder / "engines").iterdir():
        log.unlink()
    (folder / "engines").rmdir()
    (folder / "engines").symlink_to(outside)
    assert len(run_match("octa:size=1", [FIRST, "random"], 4, **arguments).games) == 4
    assert list(outside.iterdir()) == []


def test_standard_error_is_kept(logs):
    command = shlex.join(fake("ugi", "die", "octa:size=2"))
    start = parlour.game("octa", size=2).start(0)
    player = parlour.agent(f"ugi:{command}")
    player.begin(start, 0)
    with pytest.raises(parlour.ParlourError):
        player.choose(start)
    (log,) = logs.iterdir()
    assert "! no more memory for thoughts" in log.read_text()


@pytest.mark.parametrize(
    ("protocol", "game", "said"),
    [
        ("gtp", "blokus:variant=duo", ["time_settings 60 2 1", "time_left b 60 0"]),
        ("cdc", "banqi", ["15 time_settings 60000 2000 0", "16 time_left other 60000"]),
        ("uci", "banqi", ["go wtime 60000 btime 50000 winc 2000 binc 2000"]),
        ("ugi", "octa:size=2", ["go p1time 60000 p2time 50000 p1inc 2000 p2inc 2000"]),
    ],
)
def test_clocks_are_passed_on(protocol, game, said, logs):
    start = parlour.game(game).start(0)
    player = parlour.agent(f"{protocol}:{shlex.join(fake(protocol, 'none', game))}")
    player.begin(start, 0)
    player.choose(start, Limit(60.0, 2.0, (50.0,)))
    player.close()
    (log,) = logs.iterdir()
    for line in said:
        assert f"> {line}\n" in log.read_text()


@pytest.mark.parametrize("apart", [False, True])
def test_an_engine_plays_at_a_table_and_after_a_takeback(apart, tmp_path, monkeypatch):
    command = fake("ugi", "none", "octa:size=2")
    toml(tmp_path, monkeypatch, mine={"protocol": "ugi", "command": command, "go": ""})
    table = Table(parlour.game("octa", size=2), ["person", "engine:mine"], seed=5)
    live = LocalGame(table, isolated=apart)
    try:
        for request in (Play("1,1"), Undo(), Play("-1,-1")):
            live.send(request)
            while not live.is_my_turn:
                live.next_events()
        assert len(table.record().actions) == 2
        assert not table.is_over
    finally:
        live.close()


def test_an_engine_undoes_its_move_if_another_one_is_played():
    game = parlour.game("blokus:variant=duo")
    start = game.start(0)
    player = parlour.agent(f"gtp:{shlex.join(fake('gtp', 'none', 'blokus:variant=duo'))}")
    player.begin(start, 0)
    chosen = player.choose(start)
    other = next(action for action in start.legal_actions() if action != chosen)
    state = start
    for action in (other, start.apply(other).legal_actions()[0]):
        state = state.apply(action)
        player.watch(action, state)
    assert state.refusal(player.choose(state)) is None
    player.close()


class Duel(parlour.Game):
    """A third-party game with its own dialect: take one or two from five."""

    def __init__(self, **options):
        super().__init__(name="duel", title="Duel", seats=2, num_actions=3, max_plies=5)

    def dialect(self, protocol):
        return DuelGtp(self) if protocol == "gtp" else "nonsense" if protocol == "uci" else None


class DuelGtp(GtpDialect):
    name = "Duel"

    def move_to_text(self, state, action):
        return f"take{action}"


def test_a_third_party_game_can_define_a_dialect():
    found = dialect_of(Duel(), "gtp")
    assert found.setup() == ("set_game Duel",)
    assert found.move_to_text(None, 2) == "take2"
    assert type(dialect_of(Duel(), "ugi")).__name__ == "PositionDialect"
    with pytest.raises(parlour.ParlourError, match="gives str, not a PositionDialect"):
        dialect_of(Duel(), "uci")


def test_settings_are_sent_before_the_first_game(tmp_path, monkeypatch, logs):
    command = fake("gtp", "none", "blokus:variant=duo")
    engine = {"protocol": "gtp", "command": command, "first": ["set_random_seed 4"]}
    toml(tmp_path, monkeypatch, mine=engine)
    player = parlour.agent("engine:mine")
    player.begin(parlour.game("blokus:variant=duo").start(0), 0)
    player.close()
    (log,) = logs.iterdir()
    lines = [line[12:] for line in log.read_text().splitlines() if line[10:11] == ">"]
    assert lines[:4] == [
        "list_commands",
        "set_random_seed 4",
        "set_game Blokus Duo",
        "clear_board",
    ]
