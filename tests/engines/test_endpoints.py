"""Parlour's engines answer every command and survive invalid ones."""

import io

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import parlour
from parlour.core.errors import AgentError
from parlour.engines import PROTOCOLS, offer, protocols_of

GAMES = {"gtp": "blokus:variant=duo", "cdc": "banqi", "uci": "banqi", "ugi": "octa:size=2"}


def said(protocol, *lines, game=None, agent="random:seed=1"):
    """Return the answer of Parlour's engine to these lines."""
    asked = io.StringIO("".join(f"{line}\n" for line in lines))
    answers = io.StringIO()
    offer(protocol, parlour.game(game or GAMES[protocol]), agent, asked, answers)
    return answers.getvalue()


def gtp(*lines, **more):
    """Return the GTP answers one by one."""
    return said("gtp", *lines, **more).split("\n\n")[:-1]


# GTP.


def test_gtp_repeats_numbers_and_ends_each_answer_with_a_blank_line():
    assert said("gtp", "12 name", "version # which?", "quit") == "=12 Parlour\n\n= 0.1.0\n\n= \n\n"


def test_gtp_supports_the_commands_of_common_hosts():
    listed = gtp("list_commands")[0].removeprefix("= ").split("\n")
    wanted = (
        "list_commands known_command name version protocol_version set_game clear_board genmove "
        "play undo showboard all_legal final_score get_place get_value reg_genmove cputime "
        "set_random_seed param param_base loadsgf quit g p time_settings time_left"
    )
    assert set(wanted.split()) == set(listed)
    assert gtp("known_command genmove", "known_command x", "known_command") == [
        "= true",
        "= false",
        "= false",
    ]


@pytest.mark.parametrize(
    ("name", "colours", "moves"),
    [
        ("Blokus", "1 2 3 4", 58),
        ("Blokus Two-Player", "1 2 3 4", 58),
        ("Blokus Three-Player", "1 2 3 4", 58),
        ("Blokus Duo", "b w", 412),
    ],
)
def test_set_game_supports_the_four_variants(name, colours, moves):
    first, second = colours.split()[:2]
    answers = gtp(
        f"set_game {name}", f"all_legal {first}", f"genmove {first}", f"genmove {second}",
        game="blokus",
    )  # fmt: skip
    assert answers[0] == "= "
    if moves == 58:
        assert len(answers[1].split("\n")) == moves
    assert all(answer.startswith("= ") and len(answer) > 2 for answer in answers[1:])


def test_gtp_refuses_invalid_commands_without_changes():
    before, *refused, after = gtp(
        "showboard",
        "genmove w",
        "genmove x",
        "genmove",
        "play b",
        "play b a1",
        "play w e10",
        "set_game Go",
        "undo",
        "loadsgf /no/such/file",
        "param sims 5",
        "param_base resign 1",
        "set_random_seed x",
        "time_left b -1 0",
        "get_value",
        "get_place b",
        "what",
        "showboard",
    )
    assert all(answer.startswith("? ") and len(answer) > 8 for answer in refused)
    assert before == after


def test_reg_genmove_plays_nothing_and_undo_takes_back():
    answers = gtp("showboard", "reg_genmove b", "showboard", "genmove b", "undo", "showboard")
    assert answers[0] == answers[2] == answers[5]


def test_a_whole_game_ends_with_passes_a_score_and_places():
    lines = [f"genmove {side}" for _ in range(25) for side in "bw"]
    *_, first, second, score, blue, green = gtp(
        *lines, "genmove b", "genmove w", "final_score", "get_place b", "get_place w"
    )
    assert (first, second) == ("= pass", "= pass")
    assert score[2:3] in ("B", "W", "0")
    places = {"B": ("= 1", "= 2"), "W": ("= 2", "= 1"), "0": ("= 1 shared", "= 1 shared")}
    assert (blue, green) == places[score[2]]


def test_param_shows_and_sets_the_agents_settings():
    shown, _, changed = gtp("param", "param sims 7", "param", agent="mcts:sims=3,seed=1")
    assert shown.startswith("= sims 3\n")
    assert changed.startswith("= sims 7\n")


def test_the_same_seed_gives_the_same_moves():
    lines = ("set_random_seed 5", "genmove b", "genmove w")
    assert gtp(*lines, agent="random") == gtp(*lines, agent="random")


def test_loadsgf_takes_a_position_of_a_file(tmp_path):
    file = tmp_path / "game.blksgf"
    file.write_text("(;GM[Blokus Duo];B[e10,f10,g10,e11,e12];W[j5,k5,l5,l6,l7])")
    whole, board, part, first = gtp(
        f"loadsgf {file}", "showboard", f"loadsgf {file} 2", "showboard", game="blokus"
    )
    assert (whole, part) == ("= ", "= ")
    assert (board.count(" P"), board.count(" O")) == (5, 5)
    assert (first.count(" P"), first.count(" O")) == (5, 0)


def test_clocks_are_kept():
    answers = gtp(
        "time_settings 1 0 0", "time_left b 1 0", "genmove b", agent="mcts:sims=100000000"
    )
    assert answers[2].startswith("= ")


# CDC.


def test_cdc_answers_in_one_line_with_the_number():
    answers = said(
        "cdc",
        "0 protocol_version",
        "1 name",
        "3 known_command flip",
        "14 ready",
        "12 genmove other",
    ).split("\n")
    assert answers[:4] == ["=0 1.1.0", "=1 Parlour", "=3 true", "=14"]
    source, target = answers[4].removeprefix("=12 ").split()
    assert source == target


def test_cdc_has_eighteen_commands_and_init_board():
    listed = said("cdc", "4 list_commands").removeprefix("=4 ").split()
    assert len(listed) == 19
    assert (listed[0], listed[12], listed[17]) == ("protocol_version", "genmove", "showboard")


def test_cdc_plays_moves_and_refuses_wrong_ones():
    answers = said(
        "cdc",
        "9 num_moves_to_draw 40",
        "7 reset_board",
        "11 flip a8 K",
        "11 flip b8 k",
        "12 genmove black",
        "10 move a8 c8",
        "11 flip a1 X",
        "12 move a8 b8",
        "6 boardsize 9 9",
        "9 num_moves_to_draw x",
        "77 nothing",
        "nothing",
        "5 quit",
        "0 protocol_version",
        game="banqi:rules=taiwan",
    ).split("\n")
    assert answers[:4] == ["=9", "=7", "=11", "=11"]
    assert answers[4].startswith("?12 it is red's turn")
    assert [answer[:1] for answer in answers[5:12]] == ["?"] * 7
    assert answers[12:] == ["=5", ""]


def test_init_board_sets_a_position_up():
    row = "X" * 31
    first, second, third = said(
        "cdc", f"18 init_board K{row} red", "12 genmove red", "18 init_board KK red"
    ).split("\n")[:3]
    assert first == "=18"
    assert second.startswith("=12 ")
    assert third.startswith("?18 init_board takes 32 signs")


# UCI and UGI.


def test_uci_introduces_itself_with_options():
    lines = said("uci", "uci", "isready").split("\n")
    assert lines[0].startswith("id name Parlour")
    assert "option name rules type combo default house var house var taiwan var olympiad" in lines
    assert lines[-3:] == ["uciok", "readyok", ""]


@pytest.mark.parametrize(
    "go", ["go nodes 30", "go movetime 20", "go wtime 900 btime 900 winc 10 binc 10", "go depth 1"]
)
def test_uci_moves_within_every_kind_of_budget(go):
    fen = "GXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXX r A2E2R2H2C2S5g1a2e2r2h2c2s5 0 2"
    line = said("uci", f"position fen {fen}", go, agent="best").strip()
    assert line.startswith("bestmove ")
    assert len(line) == len("bestmove a0a0")


def test_stop_ends_an_infinite_search():
    lines = said("uci", "position startpos", "go infinite", "isready", "stop", "quit", agent="best")
    assert lines.startswith("readyok\nbestmove ")


def test_uci_reports_errors_and_keeps_the_position():
    lines = said(
        "uci",
        "position startpos moves a0a0=G",
        "position fen nonsense",
        "position fen 8/8/8/8 r - 0 1",
        "position startpos moves a0a0",
        "position",
        "setoption name Nothing value 1",
        "setoption name quiet_limit value -5",
        "go sideways",
        "go nodes many",
        "register",
        "go",
    ).split("\n")
    assert all(line.startswith("info string ") for line in lines[:-2])
    assert len(lines) == 11
    assert lines[-2].startswith("bestmove ")


def test_setting_a_preset_derives_its_rules_again():
    lines = said("uci", "setoption name rules value taiwan", "uci").split("\n")
    assert "option name first_flip_passes type check default true" in lines
    assert "option name quiet_limit type spin default 50 min 1 max 1000" in lines


def test_ugi_answers_queries():
    answers = said(
        "ugi",
        "ugi",
        "setoption name Seed value 7",
        "uginewgame",
        "position startpos",
        "query p1turn",
        "query gameover",
        "query result",
        "query weather",
    )
    assert answers.split("ugiok\n")[1].split("\n")[:4] == [
        "response true",
        "response false",
        "response none",
        "info string query takes gameover, p1turn or result, not 'weather'",
    ]


def test_ugi_reports_the_winner():
    game = parlour.game("octa:size=2")
    state, texts = game.start(0), []
    rng = parlour.Rng(1)
    while state.result() is None:
        action = state.sample(rng)
        texts.append(game.action_to_text(state, action))
        state = state.apply(action)
    first = state.result().returns[0]
    won = "draw" if first == 0 else "p1win" if first > 0 else "p2win"
    answers = said("ugi", f"position startpos moves {' '.join(texts)}", "query result", "go")
    assert answers.split("\n")[0] == f"response {won}"
    assert "bestmove (none)" in answers


# Invalid input.

WORDS_OF_HOSTS = (
    "genmove play b w 1 2 red black other startpos fen moves position go nodes movetime infinite "
    "setoption name value Seed rules query result 0 7 10 11 12 18 99 -1 1e9 a1 a8 b8 K k = ? # "
    "\x00 \x1b[2J ☃ undo param loadsgf / set_game Blokus Duo quit. all_legal get_place init_board"
)
lines_of_nonsense = st.lists(
    st.one_of(
        st.lists(st.sampled_from(WORDS_OF_HOSTS.split()), max_size=6).map(" ".join),
        st.text(max_size=40).map(lambda text: text.replace("\n", " ")),
    ),
    max_size=12,
)


@pytest.mark.parametrize("protocol", PROTOCOLS)
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(lines=lines_of_nonsense)
def test_invalid_input_neither_ends_an_engine_nor_emits_control_characters(protocol, lines):
    last = {"gtp": "name", "cdc": "1 name", "uci": "isready", "ugi": "isready"}[protocol]
    right = {"gtp": "= Parlour\n\n", "cdc": "=1 Parlour\n", "uci": "readyok\n", "ugi": "readyok\n"}
    answers = said(protocol, *lines, "stop" if protocol in ("uci", "ugi") else "", last)
    assert answers.endswith(right[protocol])
    assert all(sign.isprintable() or sign == "\n" for sign in answers)


def test_an_endless_line_is_cut():
    assert said("gtp", "name " + "x" * 2**20, "version").endswith("= 0.1.0\n\n")


def test_an_invalid_offer_is_refused_before_it_starts():
    with pytest.raises(AgentError, match="does not support gtp; its engines speak ugi"):
        said("gtp", game="octa")
    with pytest.raises(AgentError, match="unknown protocol 'gpt'"):
        said("gpt", game="octa")
    with pytest.raises(AgentError, match="unknown agent 'bst'"):
        said("gtp", agent="bst")


def test_protocols_follow_from_the_game_and_its_options():
    assert protocols_of(parlour.game("blokus")) == ["gtp"]
    assert protocols_of(parlour.game("blokus:variant=duo")) == ["gtp", "ugi"]
    assert protocols_of(parlour.game("banqi")) == ["cdc", "uci"]
    assert protocols_of(parlour.game("octa")) == ["ugi"]
    assert protocols_of(parlour.game("cat_mouse")) == []
