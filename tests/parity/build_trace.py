"""What one build says of a case, item by item; `test_parity.py` runs it in both builds.

A case is the text of a game, `core`, `documentation` or `mistakes`. As a program it prints JSON:
the build, and the items, each a name and a value in text. Everything is seeded, and agents count
nodes or simulations, so that two builds of the same sources say the same.
"""

import ast
import copy
import importlib
import json
import pickle
import sys
import tomllib
from inspect import getdoc
from operator import attrgetter
from pathlib import Path

from boardless import TwentyOne
from climb import Climb
from connect_four import ConnectFour
from dice import Dice
from goofspiel import Goofspiel
from hex import Hex
from hex_holes import Yavalath
from kuhn import Kuhn
from mistakes import MISTAKES
from nim import Nim
from scouts import Scouts
from tiles import Tiles

import parlour
from parlour import OVER, Batch, Record, Rng
from parlour.agents import agent_settings
from parlour.core import checks, grid, observer, options, rng, scene
from parlour.core.perft import divide
from parlour.testing import check_game

ROOT = Path(__file__).parent.parent.parent

EXAMPLES = {
    "climb": Climb,
    "connect_four": ConnectFour,
    "dice": Dice,
    "goofspiel": Goofspiel,
    "hex": Hex,
    "kuhn": Kuhn,
    "nim": Nim,
    "scouts": Scouts,
    "tiles": Tiles,
    "twenty_one": TwentyOne,
    "yavalath": Yavalath,
}

SEEDS = (0, 7, -1, 2**63, 2**64 - 1, -(2**63), 2**64 + 5)

ODD_VALUES = (True, False, None, -1, 2**31, 2**63, 2**64, -(2**63) - 1, 1.0, "", "?", b"1", [1])
NO_COUNTS = (True, False, None, -1, -(2**64), 2.0, "3")


class Effort:
    """How much is traced: less where the interpreted build is slow."""

    def __init__(self, plies=120, looks=6, perft=2_000, games=8, sims=24, nodes=300, steps=24):
        self.plies = plies
        """The largest number of decisions and outcomes of the walk; its end is traced too."""
        self.looks = looks
        """Positions of the walk that are traced in full."""
        self.perft = perft
        self.games = games
        self.sims = sims
        self.nodes = nodes
        self.steps = steps


EFFORTS = {
    "banqi:rules=olympiad,repetition=false,quiet_limit=1000": Effort(games=1, sims=6, nodes=0),
    "blokus": Effort(plies=90, looks=2, perft=60, games=1, sims=2, nodes=0, steps=4),
    "blokus:variant=duo": Effort(plies=60, looks=4, perft=500, games=1, sims=4, nodes=20, steps=6),
    "cat_mouse": Effort(plies=50, games=3, sims=8, steps=8),
    # Cheap enough for visits that a byte cannot hold.
    "octa:size=1": Effort(sims=600, nodes=4000),
    "octa:size=20": Effort(plies=4, looks=1, perft=5, games=0, sims=0, nodes=0, steps=2),
}


class Trace:
    """Names and values, in the order of the calls."""

    def __init__(self):
        self.items = []

    def add(self, name, ask, *arguments):
        """Add the result of a call, or its error."""
        try:
            value = ask(*arguments)
        except Exception as error:
            self.items.append((name, f"{type(error).__name__}: {error}"))
            return None
        self.items.append((name, in_text(value)))
        return value


def in_text(value):
    """Return a value as text, with the types of its parts."""
    if isinstance(value, memoryview):
        return repr(value.tobytes())
    if type(value).__module__.startswith("librt"):
        return repr(list(value))
    return repr(value)


def trace(case):
    """Return every item of a case; an error that ends the trace is the last one."""
    found = Trace()
    try:
        trace_case(found, case)
    except Exception as error:
        found.items.append(("the rest", f"{type(error).__name__}: {error}"))
    return found.items


def trace_case(found, case):
    if case == "core":
        trace_core(found)
    elif case == "documentation":
        trace_documentation(found)
    elif case == "mistakes":
        for mistake in MISTAKES:
            found.add(mistake.name, failure_of, mistake)
    else:
        for name, game_class in EXAMPLES.items():
            if name not in parlour.game_names():
                parlour.register(name, game_class)
        effort = EFFORTS.get(case) or EFFORTS.get(case.partition(":")[0]) or Effort()
        trace_game(found, parlour.game(case), effort)


# A game.


def trace_game(found, game, effort):
    trace_description(found, game)
    states, actions = trace_walk(found, game, effort)
    first = lines = 1
    for depth in (1, 2, 3):
        if first * lines <= effort.perft:
            lines = found.add(f"perft {depth}", parlour.perft, states[0], depth)
            first = max(first, lines)
    late = states[-min(len(states), 8)]
    found.add("perft 2 near the end", divide, late, 2)
    found.add("playouts", parlour.playouts, states[0], effort.games, 5)
    found.add("playouts near the end", parlour.playouts, late, min(3, effort.games), 6)
    trace_record(found, game, actions)
    trace_batch(found, game, effort)
    trace_agents(found, states, effort)


def trace_description(found, game):
    for name in ("title", "seats", "num_actions", "max_plies", "has_chance", "has_secrets"):
        found.add(name, getattr, game, name)
    found.add("game", repr, game)
    found.add("board", lambda: (game.board, game.faces))
    found.add("rules", game.guide().rules)
    found.add("coach", lambda: game.guide().coach(game.start(0)))
    known = parlour.heuristics(game)
    found.add("agents", lambda: (known.best_agent, known.levels))
    found.add("weights", lambda: dict(known.weights))
    for seed in SEEDS:
        found.add(f"start of seed {seed}", lambda seed=seed: game.state_to_text(game.start(seed)))
    for seed in ODD_VALUES:
        found.add(f"start of seed {seed!r}", lambda seed=seed: game.start(seed).actor)
    for option in type(game).OPTIONS:
        for value in ODD_VALUES:
            found.add(f"option {option.name}={value!r}", option.check, value)
    eye = parlour.observer(game)
    found.add("observer", repr, eye)
    found.add("planes", lambda: (eye.planes, eye.extra_names))
    found.add("symmetries", eye.symmetries)
    found.add(
        "action grid", lambda: None if eye.action_grid() is None else bytes(eye.action_grid())
    )


def trace_walk(found, game, effort):
    """Trace a random game: a little of every position, and all of some."""
    state, source = game.start(7), Rng(7)
    states, actions = [state], []
    while state.actor != OVER and len(actions) < effort.plies:
        action = found.add(f"ply {len(actions)}: sample", state.sample, source)
        actions.append(action)
        state = state.play(action)
        states.append(state)
    every = max(1, len(states) // effort.looks)
    eye = parlour.observer(game)
    for ply, position in enumerate(states):
        ask = asker(found, f"ply {ply}")
        trace_position(ask, position)
        if ply % every == 0 or position is state:
            trace_everything(ask, game, states[0], position, eye)
    return states, actions


def asker(found, where):
    return lambda name, ask, *arguments: found.add(f"{where}: {name}", ask, *arguments)


def trace_position(ask, state):
    game = state.game
    ask("text", game.state_to_text, state)
    ask("actor", lambda: state.actor)
    ask("legal actions", state.legal_actions)
    ask("result", state.result)
    ask("key", state.key)
    known = parlour.heuristics(game)
    ask("fingerprint", known.fingerprint, state)
    ask("evaluations", known.evaluate_seats, state)
    ask("chance outcomes", state.chance_outcomes)


def trace_everything(ask, game, start, state, eye):
    legal = [int(action) for action in state.legal_actions()]
    seats = range(game.seats)
    known, guide = parlour.heuristics(game), game.guide()
    ask("legal actions in any order", lambda: sorted(eye.legal_actions(state)))
    ask("repr", repr, state)
    ask("status words", lambda: (game.seat_names(state), guide.remark(start, state, None)))
    ask("JSON fields", game.json_fields, state, 7, None)
    ask("solution", guide.solution, state)
    for topic in guide.topics():
        ask(f"help on {topic}", guide.explain, state, topic, None)
    for viewer in (None, *seats):
        ask(f"scene of {viewer}", state.scene, viewer)
    for seat in seats:
        ask(f"observation of {seat}", eye.observe, state, seat)
        ask(f"evaluation of {seat}", known.evaluate, state, seat)
        ask(f"determinized for {seat}", lambda seat=seat: state.determinize(seat, Rng(3)).key())
    ask("evaluation in a window", known.evaluate_within, state, -0.1, 0.1)
    for name in ("evaluation_weight", "futility_margin", "is_repetition"):
        ask(name, getattr(known, name), state)
    ask("known values", lambda: [known.known_value(state, deep) for deep in (False, True)])
    trace_search_hooks(ask, known, state, legal)
    trace_random_hooks(ask, known, state)
    trace_texts(ask, game, state, legal)
    trace_refusals(ask, game, state)
    ask("copied", lambda: copy.deepcopy(state) == state and pickle.loads(pickle.dumps(state)).key())


def trace_search_hooks(ask, known, state, legal):
    if state.actor < 0:
        return
    for depth in (1, 2, 4):
        ask(f"search actions {depth}", known.search_actions, state, depth)
        after = known.null_move(state, depth)
        ask(f"null move {depth}", lambda after=after: after and after.key())
    ask("priors", lambda: known.priors(state, state.legal_actions()))
    ask("quiescence actions", known.quiescence_actions, state)
    some = legal[:: 1 + len(legal) // 50]
    ask("move order", lambda: [known.move_order(state, action) for action in some])
    ask("can reduce", lambda: [known.can_reduce(state, action) for action in some])


def trace_random_hooks(ask, known, state):
    if state.actor == OVER:
        return
    ask("samples", lambda: [state.sample(source) for source in [Rng(4)] for _ in range(20)])
    if state.actor >= 0:
        policy = known.rollout_policy
        ask("rollout policy", lambda: [policy(state, s) for s in [Rng(4)] for _ in range(9)])

    def played_out():
        end, made = state.playout(Rng(5), 6)
        return end.key(), made

    def advanced():
        position = state.scratch()
        return [
            (position := position.advance(position.sample(source))).key()
            for source in [Rng(6)]
            for _ in range(3)
            if position.actor != OVER
        ]

    ask("playout", played_out)
    ask("advanced", advanced)
    ask("unchanged", state.key)


def trace_texts(ask, game, state, legal):
    some = legal[:: 1 + len(legal) // 40]
    for action in some:
        ask(f"texts of {action}", game.action_to_text, state, action)
        ask(f"words of {action}", game.action_words, state, action, None)
        ask(f"view of {action}", game.action_view, state, action)
        ask(
            f"read {action}",
            lambda a=action: game.action_from_text(state, game.action_to_text(state, a)),
        )
        ask(f"after {action}", lambda a=action: state.apply(a).key())
    if some:
        ask("frames", game.frames, state, some[0], None)
    for cells in ((), (0,), (1, 0), (5, 6), (-1,), (10**6,)):
        ask(f"action at {cells}", game.action_at, state, cells, "")
    text = game.state_to_text(state)
    ask("read back", lambda: game.state_from_text(text).key())
    for number, wrong in enumerate(damaged(text)):
        ask(f"damaged text {number}", lambda wrong=wrong: game.state_from_text(wrong).key())


def damaged(text):
    """Yield the text with characters removed, changed or added."""
    source = Rng(len(text))
    for number, sign in enumerate(("", "?", "9", " ", "\n", "=", "A", "-1", "x")):
        at = source.below(len(text) + 1)
        yield text[:at] + sign + text[at + 1 - number % 2 :]


def trace_refusals(ask, game, state):
    ids = range(0, game.num_actions, 1 + game.num_actions // 40)
    for action in (*ids, game.num_actions, *ODD_VALUES):
        ask(f"refusal of {action!r}", state.refusal, action)
    for action in ODD_VALUES:
        ask(f"played {action!r}", lambda action=action: state.play(action).key())
    for seat in (-1, game.seats, 2**70):
        ask(f"scene of {seat!r}", state.scene, seat)
    ask("perft of True", parlour.perft, state, True)


def trace_record(found, game, actions):
    record = Record(game, 7, actions)
    text = record.to_text()
    found.add("record", record.to_text)
    found.add("record in repr", repr, record)
    found.add("record read", lambda: Record.from_text(text) == record)
    found.add("record cut", lambda: record.cut(len(actions) // 2).to_text())
    found.add("record cut too late", lambda: record.cut(len(actions) + 1))
    found.add("record pickled", lambda: pickle.loads(pickle.dumps(record)).to_text())
    for number, wrong in enumerate(damaged(text)):
        found.add(f"damaged record {number}", lambda wrong=wrong: Record.from_text(wrong).actions)
    for value in ODD_VALUES:
        found.add(f"record of {value!r}", lambda value=value: Record(game, 7, [value]).to_text())
        found.add(f"record of seed {value!r}", lambda value=value: Record(game, value).to_text())


BATCH_VIEWS = (
    *("actor", "acted", "plies", "start_seeds", "done", "returns", "obs", "extras", "mask"),
    *("legal_ids", "legal_starts", "final_obs", "final_extras", "final_actor"),
)


def trace_batch(found, game, effort):
    batch = Batch(game, 3, seed=5, legal=True, final=True, max_plies=max(2, effort.steps // 2))
    for step in range(effort.steps):
        if step % (1 + effort.steps // 3) == 0:
            for view in BATCH_VIEWS:
                found.add(f"batch, step {step}: {view}", getattr, batch, view)
        batch.step(batch.sample())
    found.add("batch restored", lambda: bytes(Batch.restore(batch.save()).obs) == bytes(batch.obs))
    found.add("batch saved", batch.save)
    for value in ODD_VALUES:
        found.add(f"batch step {value!r}", batch.step, [value] * 3)
        found.add(f"batch state {value!r}", lambda value=value: batch.state(value).key())
    for value in NO_COUNTS:
        found.add(f"batch of {value!r}", lambda value=value: Batch(game, value).count)


# Agents.


def agent_texts(effort):
    """Return the agents that search, with budgets that do not depend on time."""
    sims, nodes = effort.sims, effort.nodes
    texts = ["random:seed=3", "greedy:seed=3", "greedy:seed=4,blunder=0.5"]
    if sims:
        texts += [
            f"mcts:sims={sims},seed=3",
            f"mcts:sims={sims},seed=5,cutoff=3,exploration=1.4,width=3,trust=0.5,keep=false",
        ]
    if nodes:
        texts += [f"search:nodes={nodes}", "search:depth=1,lines=1", "exact:seed=2"]
    return texts


def delegating_texts(game):
    """Return the agents that delegate to another agent."""
    weights = "".join(f",weights={name}:0.9" for name in list(parlour.heuristics(game).weights)[:1])
    return [*(f"level:{number},seed=6" for number in (1, 2, 3, 4)), f"tuned:by=greedy{weights}"]


def trace_agents(found, states, effort):
    decisions = [state for state in states if state.actor >= 0]
    asked = {0, len(decisions) // 2, len(decisions) - 1} if decisions else ()
    for at in sorted(asked):
        texts = agent_texts(effort)
        for text in texts + (delegating_texts(states[0].game) if at == 0 else []):
            ask = asker(found, f"{text} at decision {at}")
            trace_agent(ask, parlour.agent(text), decisions[at])
    ended = [state for state in states if state.actor < 0][:1]
    for state in ended:
        found.add("an agent where none is asked", parlour.agent("greedy").choose, state)


def trace_agent(ask, agent, state):
    """Trace an agent's analysis, its choice, and its choice with a warm cache."""

    def analysed():
        analysis = agent.analyse(state)
        return analysis.work, analysis.choices[:20]

    ask("analysis", analysed)
    ask("begin", agent.begin, state, int(state.actor))
    action = ask("choice", agent.choose, state)
    ask("opinion", lambda: agent.opinion)
    if action is None:
        return
    after = state.apply(action)
    ask("watch", agent.watch, action, after)
    if after.actor >= 0:
        ask("next choice", agent.choose, after)
    ask("random numbers used", agent.rng.words)
    ask("close", agent.close)


# Core functions.


def trace_core(found):
    for seed in (*SEEDS, *ODD_VALUES):
        found.add(f"numbers of seed {seed!r}", lambda seed=seed: numbers(Rng(seed)))
        found.add(f"seed {seed!r} folded", rng.fold_seed, seed)
    for n in (0, -1, 1, 2, 3, 7, 2**16 + 1, 2**30 + 3, 2**31 - 1, 2**31):
        found.add(f"below {n}", lambda n=n: [s.below(n) for s in [Rng(2)] for _ in range(30)])
    found.add("words", rng.rng_from_words, 1, 2, 3, 2**32)
    for text in ("mouse", "octa:size=0", "octa:size", "octa:sise=2", "octa:size=2,size=3", "-", 5):
        found.add(f"game {text!r}", parlour.game, text)
        found.add(f"record {text!r}", Record.from_text, text)
    found.add("option of a wrong type", lambda: parlour.game("octa", size=True))
    found.add("option by a wrong name", lambda: parlour.game("octa", self=True))
    start = parlour.game("octa:size=1").start(1)
    for value in (*ODD_VALUES, 10**9):
        found.add(f"perft {value!r}", parlour.perft, start, value)
        found.add(f"divide {value!r}", divide, start, value)
        found.add(
            f"int {value!r}", lambda value=value: (checks.is_int(value), checks.as_int(value))
        )
        found.add(f"shown {value!r}", checks.shown, value)
        for text in ("mcts", "search", "level"):
            for option in agent_settings(text):
                found.add(f"{text} {option.name}={value!r}", option.check, value)
                found.add(f"{text} {option.name} reads", option.from_text, str(value))
    for value in NO_COUNTS:
        found.add(f"playouts {value!r}", lambda value=value: parlour.playouts(start, value))
    for option in (
        options.integer("i", 1, 0, 9, ""),
        options.fraction("f", None, 0, 1, ""),
        options.flag("b", None, ""),
        options.choice("c", "x", ("x", "y"), ""),
        options.text("t", None, ""),
    ):
        found.add(f"option {option.name}", lambda option=option: (option, option.expectation()))
        for value in (*ODD_VALUES, 0.5, "x", "auto", "true", "0.25", "\ud800"):
            found.add(f"option {option.name}={value!r}", option.check, value)
            if isinstance(value, str):
                found.add(f"option {option.name} reads {value!r}", option.from_text, value)
    for part in (-1, 0, 1, 2, 254, 255, 256, 10**6):
        found.add(f"share {part}", lambda part=part: [observer.share(part, n) for n in (1, 3, 300)])
    for rows, cols in ((1, 1), (3, 4), (41, 41)):
        found.add(f"links {rows}x{cols}", grid.neighbour_table, rows, cols, grid.CLOCKWISE)
    for text in ("", "abc", "帥x", "e\u0301", "\U0001f600"):
        found.add(f"width of {text!r}", scene.display_width, text)


def numbers(source):
    drawn = [source.next32() for _ in range(40)]
    copied = copy.copy(source)
    pickled = pickle.loads(pickle.dumps(source))
    return drawn, source.random(), source.words(), copied.random(), pickled.random()


def compiled_files():
    """Return the sources that the wheel compiles."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    patterns = project["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"]["custom"]["include"]
    return sorted({path for pattern in patterns for path in ROOT.glob(pattern.lstrip("/"))})


def failure_of(mistake):
    """Return the type of its error and whether the message is right; other words may vary."""
    try:
        check_game(mistake.broken, seeds=[0, 1], shrink=False)
    except Exception as error:
        return type(error).__name__, mistake.message in str(error)


def trace_documentation(found):
    """Trace the docstrings of functions, classes and methods."""
    for path in compiled_files():
        name = ".".join(path.relative_to(ROOT / "src").with_suffix("").parts)
        module = importlib.import_module(name)
        for place in documented(ast.parse(path.read_text("utf-8")).body):
            found.add(f"{name}.{place}", lambda m=module, p=place: getdoc(attrgetter(p)(m)))


def documented(nodes):
    """Yield the public names with docstrings, except methods of tuples, which mypyc drops."""
    for node in nodes:
        if not isinstance(node, ast.ClassDef | ast.FunctionDef):
            continue
        if ast.get_docstring(node) and not node.name.startswith("_"):
            yield node.name
            if isinstance(node, ast.ClassDef) and "NamedTuple" not in map(ast.unparse, node.bases):
                yield from (f"{node.name}.{each}" for each in documented(node.body))


if __name__ == "__main__":
    build = "compiled" if parlour.build_info().compiled else "interpreted"
    json.dump((build, trace(sys.argv[1])), sys.stdout)
