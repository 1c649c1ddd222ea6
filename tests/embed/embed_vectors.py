"""Test vectors for the libraries in `embed/`: `python tests/embed/embed_vectors.py FOLDER`.

`octa.txt` has games on squares and on random graphs, one item per line:

    G cells size win_condition turn_limit stop_on_enemy   (size 0: not a square)
    L eight neighbours per cell, -1 for none
    C the cells in hexadecimal, two digits each: owner plus four times the arrow
    M cell player reason winner turns    (a move; reason -1: it is refused)
    S cell packed                        (the caller sets a cell)
    E the cells at the end

`banqi.jsonl` has matches, one per line: `match`, the start, and `steps`. A step has the match as
a `text`, what the functions return there, validations (`checks`), and the `action` that leads to
the next step.
"""

import json
import sys
from dataclasses import replace
from pathlib import Path

import parlour
from parlour.games import banqi, octa
from parlour.games.octa import CellState, Coordinate, Direction, GameCell

OCTA_GAMES = 2400
BANQI_VALIDATIONS = 100_000
REASONS = ("ongoing", "elimination", "majority", "tie")


class Graph(octa.GameMap):
    """Any table of neighbours; cell n has the coordinate (n, 0)."""

    def __init__(self, links):
        self.cells = [GameCell(Coordinate(n, 0)) for n in range(len(links) // 8)]
        for n, cell in enumerate(self.cells):
            for way, to in zip(Direction, links[8 * n : 8 * n + 8], strict=True):
                cell.neighbors[way] = None if to < 0 else self.cells[to]

    def get_cell(self, coordinate):
        n, y = coordinate
        return self.cells[n] if 0 <= n < len(self.cells) and y == 0 else None

    def get_all_cells(self):
        return list(self.cells)

    def get_size(self):
        return len(self.cells)

    def get_total_cell_count(self):
        return len(self.cells)


def octa_vectors(path, games=OCTA_GAMES):
    """Write games of random players who also try what is not allowed."""
    rng = parlour.Rng(1)
    with path.open("w", encoding="utf-8") as out:
        for number in range(games):
            write_octa_game(out, rng, number)


def write_octa_game(out, rng, number):
    size = 1 + rng.below(4) if number % 2 else 0
    by_majority, stops = number // 2 % 2, number // 4 % 2
    count = (2 * size + 1) ** 2 if size else 2 + rng.below(40)
    if size:
        game_map = octa.GraphGameMap(size)
        numbers = {cell.coordinate: n for n, cell in enumerate(game_map.get_all_cells())}
        beside = [near for cell in game_map.get_all_cells() for near in cell.neighbors.values()]
        links = [-1 if near is None else numbers[near.coordinate] for near in beside]
    else:
        links = [rng.below(count) if rng.below(4) else -1 for _ in range(8 * count)]
        game_map = Graph(links)
    cells = game_map.get_all_cells()
    for cell in cells:
        owner = rng.below(8)  # half neutral, some of each kind
        cell.state = CellState(owner if owner < 4 else 0)
        cell.direction = Direction(rng.below(8))
    limit = 1 + rng.below(2 * count)
    condition = list(octa.WinCondition)[by_majority]
    logic = octa.OctaGameLogic(game_map, octa.GameConfig(condition, limit, bool(stops)))
    out.write(f"G {count} {size} {by_majority} {limit} {stops}\n")
    out.write(f"L {' '.join(map(str, links))}\nC {packed(cells)}\n")
    for _ in range(min(3 * count, 80)):
        write_octa_step(out, rng, logic, cells)
    out.write(f"E {packed(cells)}\n")


def write_octa_step(out, rng, logic, cells):
    if rng.below(25) == 0:
        n, byte = rng.below(len(cells)), rng.below(32)
        cells[n].state, cells[n].direction = CellState(byte & 3), Direction(byte >> 2)
        out.write(f"S {n} {byte}\n")
        return
    player = logic.get_current_player()
    own = [n for n, cell in enumerate(cells) if cell.state is player.cell_state]
    n = own[rng.below(len(own))] if own and rng.below(8) else rng.below(len(cells))
    if rng.below(12) == 0:
        player = player.opponent
    reason = -1
    if logic.is_valid_move(cells[n], player):
        reason = REASONS.index(logic.make_move(cells[n], player).reason)
    else:
        with_error(octa.InvalidMoveError, logic.make_move, cells[n], player)
    winner = logic.get_result().winner
    number = 0 if winner is None else winner.value
    out.write(f"M {n} {player.value} {reason} {number} {logic.get_turn_count()}\n")
    if reason >= 0:
        logic.switch_player()


def with_error(kind, function, *arguments):
    """Call the function, which must raise this error. Return the error."""
    try:
        function(*arguments)
    except kind as error:
        return error
    raise AssertionError(f"{function.__name__}{arguments} raised nothing")


def packed(cells):
    return bytes(cell.state.value + 4 * cell.direction.value for cell in cells).hex()


WRONG_INDICES = (-1, 32, 1.5, "3", None, True)


def banqi_vectors(path, validations=BANQI_VALIDATIONS):
    """Write random matches until there are that many validations; return all error texts."""
    rng = parlour.Rng(2)
    seen, seed, errors = 0, 0, set()
    with path.open("w", encoding="utf-8") as out:
        while seen < validations:
            match = banqi.create_match(seed, first_flip_passes=seed % 2 == 1)
            line = {"match": match.to_dict(), "steps": []}
            if seed % 3:
                match = endgame(rng, match)
                line["match"] = match.to_dict()
            for _ in range(120):
                step, match = banqi_step(rng, match)
                line["steps"].append(step)
                seen += len(step["checks"])
                errors |= {each[3] for each in step["checks"]}
                if step["action"] is None:
                    break
            out.write(json.dumps(line) + "\n")
            seed += 1
    return errors - {None}


def endgame(rng, match):
    """Return a match with a few pieces, some of them face-down; all others are captured."""
    board, captured = [None] * 32, {"red": [], "black": []}
    for piece in match.board:
        if rng.below(6) == 0:
            place = rng.below(32)
            while board[place] is not None:
                place = rng.below(32)
            board[place] = replace(piece, is_revealed=rng.below(5) > 0)
        else:
            captured[piece.color.opponent].append(replace(piece, is_revealed=True, is_dead=True))
    return banqi.Match(
        board,
        "in-progress",
        ("red", "black")[rng.below(2)],
        captured["red"],
        captured["black"],
        first_flip_passes=match.first_flip_passes,
    )


def banqi_step(rng, match):
    """Return what the functions say about a match, and the match after a random action."""
    legal = banqi.get_legal_moves(match)
    step = {
        "text": match_text(match),
        "legal": legal.to_dict(),
        "win": banqi.check_win_condition(match).to_dict(),
        "checks": [check(rng, match, *each) for each in questions(rng, match, legal)],
        "action": None,
    }
    state = banqi.public_state(match)
    if match.status == "ended" or state.actor == parlour.OVER:
        return step, match
    action = state.sample(rng)
    step["action"] = [action] if action < 32 else list(divmod(action - 32, 32))
    return step, banqi.execute_action(match, action)


def match_text(match):
    """Return everything that changes in a match; the tests of the port write the same text."""
    board = "".join(map(piece_text, match.board))
    taken = ["".join(map(piece_text, each)) for each in (match.red_captured, match.black_captured)]
    turn, winner = match.current_turn or "-", match.winner or "-"
    return f"{board} {match.status} {turn} {winner} {taken[0]}/{taken[1]}"


def piece_text(piece):
    if piece is None:
        return "."
    sign = "KGMRHCP"[list(banqi.PieceKind).index(piece.kind)]
    flags = ("" if piece.is_revealed else "?") + ("+" if piece.is_dead else "")
    return flags + (sign if piece.color == "red" else sign.lower())


def questions(rng, match, legal):
    """Yield actions to try: random ones, wrong indices, and the legal ones."""
    pieces = [n for n, piece in enumerate(match.board) if piece] or [0]
    for _ in range(7):
        source, target = pieces[rng.below(len(pieces))], rng.below(32)
        if rng.below(3) == 0:
            target = pieces[rng.below(len(pieces))]
        elif rng.below(2) == 0:
            target = min(31, max(0, source + (1, -1, 8, -8)[rng.below(4)]))
        yield "Move", source, target
        yield "Capture", source, target
        yield "Flip", source if rng.below(2) else target, None
    for kind in ("Flip", "Move", "Capture"):
        pair = [rng.below(32), rng.below(32)]
        pair[0 if kind == "Flip" else rng.below(2)] = WRONG_INDICES[rng.below(len(WRONG_INDICES))]
        yield kind, pair[0], pair[1]
    yield from (("Flip", n, None) for n in legal.flips[:2])
    yield from (("Move", move.from_index, move.to_index) for move in legal.moves)
    yield from (("Capture", move.from_index, move.to_index) for move in legal.captures)


def check(rng, match, kind, source, target):
    """Return the question, its error or null, and the match after the action if it was made."""
    indices = (source,) if kind == "Flip" else (source, target)
    error = getattr(banqi, f"validate_{kind.lower()}")(match, *indices).error
    execute = getattr(banqi, f"execute_{kind.lower()}")
    if error is None:
        after = match_text(execute(match, *indices)) if rng.below(3) == 0 else None
        return [kind, source, target, None, after]
    if rng.below(10) == 0:
        assert str(with_error(parlour.IllegalAction, execute, match, *indices)) == error
    return [kind, source, target, error, None]


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    octa_vectors(folder / "octa.txt")
    print(*sorted(banqi_vectors(folder / "banqi.jsonl")), sep="\n")
