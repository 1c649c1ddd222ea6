"""The commands that print and are done: games, records, analyse, solve, perft, bench."""

import json
import time
from collections.abc import Iterable
from pathlib import Path

from parlour.agents import agent
from parlour.core.errors import ParlourError, RecordError
from parlour.core.game import CHANCE, OVER, Game, State
from parlour.core.perft import divide, perft
from parlour.core.playouts import playouts
from parlour.core.registry import game, game_class
from parlour.table import load
from parlour.terminal.advice import ADVISER, analyse, analysis_lines
from parlour.terminal.drawing import draw
from parlour.terminal.opening import game_with, loaded_titles
from parlour.terminal.records import is_unfinished, record_files, records_folder

NEGATIVE = 1


def list_games(as_json: bool = False) -> int:
    """The games and their options."""
    for name in loaded_titles():
        made = game(name)
        if as_json:
            options = {
                option.name: {"default": option.default, "takes": option.expectation()}
                for option in game_class(name).OPTIONS
            }
            about = {"name": name, "title": made.title, "seats": made.seats, "options": options}
            print(json.dumps(about, ensure_ascii=False))
            continue
        print(f"{name}: {made.title}")
        for option in game_class(name).OPTIONS:
            default = option.to_text(option.default)
            print(f"  {option.name} ({option.expectation()}; {default}): {option.help}")
    return 0


def list_records() -> int:
    """The kept games, the latest first."""
    folder = records_folder()
    files = record_files(folder)
    for path in files:
        try:
            record = load(path)
        except RecordError:
            print(f"{path.name}  damaged: 'parlour replay --check' says where")
            continue
        plies = f"{len(record.actions)} actions"
        how = "unfinished" if is_unfinished(record) else "over"
        print(f"{path.name}  {record.game.title}, {plies}, {how}")
    print(f"{len(files)} in {folder}")
    return 0


def position(source: str, settings: Iterable[str], seed: int, at: int | None) -> State:
    """The state that SOURCE means: a record's file, at an action or its end, or a game's start."""
    path = Path(source)
    if path.suffix or path.is_file():
        record = load(path)
        states = list(record.states())
        number = len(states) - 1 if at is None else at
        if not 0 <= number < len(states):
            raise ParlourError(f"{source} has actions 1 to {len(states) - 1}, not {number}")
        return states[number]
    return game_with(source, settings).start(seed)


def print_analysis(state: State, adviser: str | None, as_json: bool, most: int) -> int:
    """What an agent thinks of a position; status 1 if there is nothing to decide."""
    if state.actor in (OVER, CHANCE):
        print("Nobody is to decide here: " + state.scene(None).status)
        return NEGATIVE
    analysis = analyse(state, adviser or ADVISER)
    if as_json:
        for choice in analysis.choices[:most]:
            print(json.dumps(choice._asdict(), ensure_ascii=False))
        return 0
    print(draw(state.scene(None)) + "\n")
    print("\n".join(analysis_lines(analysis, most)))
    print(f"{analysis.work} positions or simulations in {analysis.seconds:.2f} s")
    return 0


def print_solution(state: State) -> int:
    """A shortest way to win; status 1 if the game gives none."""
    moves = state.solution()
    if state.actor == OVER:
        print("The game is over: " + state.scene(None).status)
        return NEGATIVE
    if moves is None:
        print(f"{state.game.title} gives no solution from here.")
        return NEGATIVE
    texts = []
    for move in moves:
        texts.append(state.game.action_to_text(state, move))
        state = state.apply(move)
    print(f"{len(moves)} actions: {' '.join(texts)}")
    return 0


def print_perft(state: State, depth: int, divided: bool) -> int:
    """How many ways there are to play so many decisions."""
    started = time.perf_counter()
    if divided:
        counts = divide(state, depth)
        for text, count in counts.items():
            print(f"{text} {count}")
        total = sum(counts.values())
    else:
        total = 0
        for plies in range(1, depth + 1):
            total = perft(state, plies)
            print(f"depth {plies}: {total}", flush=True)
    print(f"{total} in {time.perf_counter() - started:.2f} s")
    return 0


def print_bench(names: Iterable[str], seconds: float) -> int:
    """Random plies and simulations a second, each game with its default options."""
    for name in names:
        played: Game = game(name)
        state = played.start(1)
        games, plies, spent = 1, 0, 0.0
        while spent < seconds:
            started = time.perf_counter()
            plies = playouts(state, games, 1).plies
            spent = time.perf_counter() - started
            if spent < seconds:
                games = max(games * 2, int(games * seconds / max(spent, 1e-6) * 0.6))
        while state.actor == CHANCE:
            state = state.apply(state.legal_actions()[0])
        analysis = agent("mcts", time=seconds).analyse(state)
        rate = analysis.work / max(analysis.seconds, 1e-9)
        print(f"{name}: {plies / spent:,.0f} random plies/s, {rate:,.0f} MCTS simulations/s")
    return 0
