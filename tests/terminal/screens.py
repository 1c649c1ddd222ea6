"""Screens of the full-screen game, played by keys: the snapshots, and how to regenerate them.

    python tests/terminal/screens.py

writes them to tests/terminal/snapshots/ for review as a diff; add the names of screens to write
only those. The word `image` also regenerates the pictures for the documentation.
"""

import asyncio
import re
import sys
from functools import cache, partial
from html import unescape
from pathlib import Path
from zlib import crc32

sys.path.insert(0, str(Path(__file__).parent.parent / "examples"))

from boardless import TwentyOne
from hex import Hex
from hex_holes import Yavalath
from kuhn import Kuhn
from scouts import Scouts
from tiles import Tiles

import parlour
from parlour import CHANCE, OVER, Record, Rng
from parlour.agents import Agent
from parlour.agents.base import Analysis, Choice
from parlour.core.colours import COLOURS, Paint
from parlour.drawing.choices import advice_of
from parlour.table import PERSON, LocalGame, Play
from parlour.table.locations import Unfinished
from parlour.table.opening import GameSetup
from parlour.terminal import palette
from parlour.terminal.app import ParlourApp
from parlour.terminal.draft import Draft
from parlour.terminal.replay import Replay
from parlour.terminal.replay_screen import ReplayApp
from parlour.terminal.start import StartApp

FOLDER = Path(__file__).parent / "snapshots"
IMAGES = Path(__file__).parent.parent.parent / "docs" / "images"

PEOPLE = (PERSON,) * 2


game_of = cache(parlour.game)
"""Searching for installed games takes longer than most of the screens."""


def octa():
    return game_of("octa")


# Flip the first row and a piece below, then take the piece in the middle.
FLIPS = ["enter", "right", "enter", "right", "enter", "down", "left", "left", "enter"]
FLIPS += ["up", "right", "enter"]

LAID = ["Z", "full_stop", "enter", "F", "full_stop", "enter", "V", "full_stop", "enter"]
LAID += ["W", "full_stop", "enter", "X", "full_stop"]

GAMES = {
    "octa": (octa, [*["down"] * 4, *["right"] * 4]),
    "banqi": (lambda: game_of("banqi"), ["enter", "right", "enter", "down", "enter", "right"]),
    "blokus": (lambda: game_of("blokus"), LAID),
    "cat_mouse": (lambda: game_of("cat_mouse"), ["up", "left"]),
    "scouts": (Scouts, FLIPS),
    "tiles": (Tiles, ["V", "full_stop", "enter", "V", "full_stop"]),
    "hex": (Hex, ["enter", "right", "right", "enter", *["down"] * 4]),
    "hex_holes": (Yavalath, ["enter", "down", "left", "enter", "down"]),
    "boardless": (TwentyOne, ["2", "up", "enter"]),
}
"""Small in the dark theme, large in the light one."""

STARTS = {
    "start_octa_80_dark": (["down"] * 3, (80, 24), "dark"),
    "start_blokus_80_light": (["down", "tab", "down", "down"], (80, 24), "light"),
    "start_banqi_120_light": (["tab"], (120, 40), "light"),
    "start_wrong_80_dark": (["down"] * 3 + ["tab", "colon", *"99", "enter"], (80, 24), "dark"),
    "start_small": (["down", "tab", "down"], (44, 14), "dark"),
    "start_resume_80_dark": (["up", "tab", "down"], (80, 24), "dark"),
    "start_rules_80_light": (["down", "question_mark"], (80, 24), "light"),
}
"""Start screens: keys, size and theme; with games to resume if the name says so."""
SMALL, LARGE = ((80, 24), "dark"), ((120, 40), "light")

REPLAYS = {
    "octa": (octa, ["1", "0", "enter", "m"]),
    "banqi": (GAMES["banqi"][0], ["4", "5", "enter"]),
    "blokus": (GAMES["blokus"][0], ["2", "0", "enter", "m"]),
    "blokus_lines": (GAMES["blokus"][0], ["2", "0", "enter", "a"]),
    "cat_mouse": (GAMES["cat_mouse"][0], ["1", "2", "enter"]),
    "kuhn": (Kuhn, ["end", "left"]),
    "boardless": (TwentyOne, ["right", "m"]),
    "help": (octa, ["question_mark"]),
}
"""The keys that lead to a move of a replay."""


class Scripted(Agent):
    """Plays and evaluates by a fixed rule, so that tuning does not change the pictures."""

    def best(self, state):
        """Return an action whose position in the list depends on the ply."""
        actions = state.legal_actions()
        return actions[_mixed(state) % len(actions)]

    def analyse(self, state):
        """Return every action with an invented value, best first."""
        game, mixed = state.game, _mixed(state)
        choices = []
        for action in state.legal_actions():
            text = game.action_to_text(state, action)
            value = (action * 37 + mixed) % 181 / 100 - 0.9
            choices.append(Choice(action, text, value, 0, 1, (text,)))
        choices.sort(key=lambda choice: -choice.value)
        return Analysis(tuple(choices), len(choices), 0.0)


def _mixed(state):
    """Return a number that differs between positions."""
    return crc32(state.game.state_to_text(state).encode())


LONGEST_REPLAY = 60

SCREENS = {
    "octa_small": (octa, ["down", "down"], (44, 14), "dark"),
    "octa_scrolled": (lambda: game_of("octa", size=20), ["right"] * 4, (80, 24), "dark"),
    "octa_refusal": (octa, ["left", "left", "enter"], (80, 24), "dark"),
    "banqi_letters": (GAMES["banqi"][0], [*GAMES["banqi"][1], "l"], (80, 24), "dark"),
    "tiles_fits_not": (Tiles, ["V", "r", "up", "up", "left"], (80, 24), "light"),
    "hex_scrolled": (Hex, ["down", "right"] * 8, (44, 14), "dark"),
    "help": (Tiles, ["question_mark"], (80, 24), "dark"),
    "replay_help": ("replay", "help", (80, 24), "dark"),
    **{
        f"rules_{name}": (GAMES[name][0], [*GAMES[name][1], "question_mark", "tab"], size, theme)
        for name, size, theme in (
            ("octa", (80, 24), "dark"),
            ("banqi", (120, 40), "light"),
            ("blokus", (120, 40), "dark"),
            ("cat_mouse", (80, 24), "light"),
        )
    },
    **dict.fromkeys(STARTS, ()),
    **{
        f"{name}_{size[0]}_{theme}": (make, keys, size, theme)
        for name, (make, keys) in GAMES.items()
        for size, theme in (SMALL, LARGE)
    },
    **{
        f"{kind}_{name}_{size[0]}_{theme}": (kind, name, size, theme)
        for kind, name, (size, theme) in (
            ("replay", "octa", SMALL),
            ("replay", "octa", LARGE),
            ("replay", "banqi", SMALL),
            ("replay", "blokus", LARGE),
            ("replay", "blokus_lines", SMALL),
            ("replay", "cat_mouse", LARGE),
            ("replay", "kuhn", SMALL),
            ("replay", "boardless", SMALL),
            ("analysis", "octa", SMALL),
            ("analysis", "blokus", LARGE),
        )
    },
}


def left_games():
    """Return unfinished games as the start screen finds them."""
    agent = Scripted()
    found = []
    for number, (name, plies) in enumerate((("blokus", 26), ("octa", 15), ("banqi", 21))):
        record = parlour.Record(game_of(name), 8)
        for _ in range(plies):
            state = record.final
            action = agent.choose(state) if state.actor >= 0 else state.sample(Rng(8))
            record = record.grown([action], [state.apply(action)])
        seats = {f"seat.{seat + 1}": "level:4" for seat in range(1, record.game.seats)}
        record = record.with_notes({"seat.1": PERSON, **seats})
        found.append(Unfinished(f"someday {number}", Path(f"{name}.parlour"), record))
    return found


def start_app(is_resuming, theme):
    """Return the start screen with the four built-in games."""
    games = {name: game_of(name) for name in ("banqi", "blokus", "cat_mouse", "octa")}
    return StartApp(Draft(games, left_games() if is_resuming else ()), lambda choice: None, theme)


async def shoot_start(name, look=None):
    """Return the start screen of that name as SVG."""
    keys, size, theme = STARTS[name]
    app = start_app("resume" in name, theme)
    async with app.run_test(size=size) as pilot:
        app.shows_signs = True
        await pilot.press(*keys)
        await pilot.pause()
        if look is not None:
            look(app)
        return app.export_screenshot(simplify=True)


@cache
def played(make, player):
    """Return the record of an agent's game against itself."""
    game = make()
    state, actions, rng = game.start(8), [], Rng(8)
    agent = parlour.agent(player) if player else Scripted()
    while state.actor != OVER and len(actions) < LONGEST_REPLAY:
        actions.append(int(state.sample(rng) if state.actor == CHANCE else agent.choose(state)))
        state = state.apply(actions[-1])
    return Record(game, 8, actions)


@cache
def advices(make, player):
    """Return the agent's analysis of that game."""
    review = Replay(played(make, player)).review
    list(review.steps((parlour.agent("greedy") if player else Scripted()).analyse))
    return review.advices


async def shoot_replay(name, size, theme, title=None, look=None, player=""):
    """Return a replay with its analysis, of a game by the named agent or the scripted one."""
    make, keys = REPLAYS[name]
    replay = Replay(played(make, player))
    replay.review.advices = advices(make, player)
    app = ReplayApp(replay, theme, None)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        app.view.board.shows_signs = True
        await pilot.press(*keys)
        await pilot.pause()
        if look is not None:
            look(app)
        return app.export_screenshot(title=title, simplify=title is None)


async def shoot_analysis(name, size, theme, look=None):
    """Return a game in progress with lines of play beside the board."""
    make, keys = GAMES[name]
    game = make()
    opening = GameSetup(game, (PERSON,) * game.seats, 8)
    app = ParlourApp(lambda: LocalGame(opening.sit_down(), isolated=True), theme, frame_seconds=0)
    async with app.run_test(size=size) as pilot:
        await pilot.press(*keys, "escape")
        session = app.session
        state = session.game.table.state
        app.shows_analysis, app._thought_of = True, session.game.version
        session.advice = advice_of(state, Scripted().analyse(state), None)
        app.show()
        await pilot.pause()
        if look is not None:
            look(app)
        return app.export_screenshot(simplify=True)


async def shoot(name, look=None):
    """Return the screen of that name as SVG; `look` is called with the app first."""
    if name in STARTS:
        return await shoot_start(name, look)
    make, keys, size, theme = SCREENS[name]
    if make == "replay":
        return await shoot_replay(keys, size, theme, look=look)
    if make == "analysis":
        return await shoot_analysis(keys, size, theme, look)
    game = make()
    opening = GameSetup(game, PEOPLE[: game.seats], 8)
    app = ParlourApp(lambda: LocalGame(opening.sit_down(), isolated=True), theme, frame_seconds=0)
    async with app.run_test(size=size) as pilot:
        app.shows_signs = app.board.shows_signs = True
        for key in keys:  # a screen in front stops the layout of the one behind it
            await pilot.press(key)
            await pilot.pause()
        if look is not None:
            look(app)
        return app.export_screenshot(simplify=True)


async def shoot_analysis_for_readers():
    """Return the picture for the documentation: lines of play in Blokus."""
    return await shoot_replay(
        "blokus_lines",
        (104, 32),
        "dark",
        title="parlour replay game.parlour, with a",
        player="greedy:seed=3,blunder=0.5",
    )


async def shoot_replay_for_readers():
    """Return the picture for the documentation: the replay of a game of Octa."""
    return await shoot_replay(
        "octa",
        (104, 32),
        "dark",
        title="parlour replay game.parlour",
        player="greedy:seed=3,blunder=0.3",
    )


async def shoot_for_readers():
    """Return the picture for the documentation: a game of Octa in progress, with its evaluation."""
    opening = GameSetup(octa(), PEOPLE, 8)
    app = ParlourApp(lambda: LocalGame(opening.sit_down(), isolated=True), "dark", frame_seconds=0)
    async with app.run_test(size=(92, 26)) as pilot:
        for _ in range(18):
            agent = parlour.agent("mcts:sims=300,seed=1,keep=false")
            app.session.ask(Play(agent.choose(app.session.game.table.state)))
        await pilot.press("a", "e")
        while app.session.advice is None:
            await pilot.pause(0.1)
        await pilot.pause()
        return app.export_screenshot(title="parlour play octa")


PICTURES = {"octa": 14, "banqi": 30, "blokus": 28, "cat_mouse": 6}
"""The number of actions before the picture on each game's page."""


async def shoot_page(name):
    """Return the picture for a game's page: a game in progress."""
    game = parlour.game(name)
    opening = GameSetup(game, (PERSON,) * game.seats, 8)
    app = ParlourApp(lambda: LocalGame(opening.sit_down(), isolated=True), "dark", frame_seconds=0)
    agent = parlour.agent("greedy:seed=3")
    async with app.run_test(size=(88, 30)) as pilot:
        app.shows_signs = app.board.shows_signs = True
        for _ in range(PICTURES[name]):
            app.session.ask(Play(agent.choose(app.session.game.table.state)))
        app.session.cursor = app.session.scene.actions[0].cells[-1]
        await pilot.press(*["tab", "full_stop"] if name == "blokus" else ["t", "t"])
        await pilot.pause()
        return app.export_screenshot(title=f"parlour play {name}")


FOR_READERS = {
    "terminal": shoot_for_readers,
    "replay": shoot_replay_for_readers,
    "analysis": shoot_analysis_for_readers,
    **{name: partial(shoot_page, name) for name in PICTURES},
}
"""The pictures in the documentation, by file name."""


def content(picture):
    """Return what must stay the same: the lines of text, and the places of Parlour's colours."""
    lines = {}
    for x, y, text in re.findall(r'<text[^>]* x="([\d.]+)" y="([\d.]+)"[^>]*>([^<]*)<', picture):
        lines.setdefault(float(y), []).append((float(x), unescape(text).replace("\xa0", " ")))
    text = ["".join(words for _, words in sorted(line)) for _, line in sorted(lines.items())]
    ours = {paint.fill for paint in COLOURS.values()}
    for theme in (palette.DARK, palette.LIGHT):
        ours |= {paint.fill for paint in theme if isinstance(paint, Paint)} - {theme.plain.fill}
    rectangles = re.findall(
        r'<rect fill="(#[0-9a-f]{6})" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)"', picture
    )
    return text, [rectangle for rectangle in rectangles if rectangle[0] in ours]


if __name__ == "__main__":
    if sys.argv[1:] == ["image"]:  # its analysis differs from run to run
        IMAGES.mkdir(exist_ok=True)
        for name, shot in FOR_READERS.items():
            (IMAGES / f"{name}.svg").write_text(asyncio.run(shot()), "utf-8")
    FOLDER.mkdir(exist_ok=True)
    for screen in [name for name in SCREENS if name in sys.argv] or SCREENS:
        (FOLDER / f"{screen}.svg").write_text(asyncio.run(shoot(screen)), "utf-8")
        print(screen)
