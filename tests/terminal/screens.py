"""Scenes of the full-screen game, played by keys: the snapshots, and how to make them anew.

    python tests/terminal/screens.py

writes them to tests/terminal/snapshots/, to be reviewed as a diff and looked at; with names
of screens after it, only those. With the word `image` it also makes the pictures for the
documents anew.
"""

import asyncio
import re
import sys
from functools import cache
from html import unescape
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "examples"))

from boardless import TwentyOne
from hex import Hex
from hex_holes import Yavalath
from kuhn import Kuhn
from scouts import Scouts
from tiles import Tiles

import parlour
from parlour import CHANCE, OVER, Record, Rng
from parlour.core.colours import COLOURS, Paint
from parlour.scenes.choices import advice_of
from parlour.table import PERSON, LocalGame, Play
from parlour.table.opening import Opening
from parlour.terminal import palette
from parlour.terminal.app import ParlourApp
from parlour.terminal.replay import Replay
from parlour.terminal.replay_screen import ReplayApp

FOLDER = Path(__file__).parent / "snapshots"
IMAGE = Path(__file__).parent.parent.parent / "docs" / "images" / "terminal.svg"

PEOPLE = (PERSON,) * 2


def octa():
    return parlour.game("octa")


# Turn over the first row and a token below, then take the token in the middle in hand.
FLIPS = ["enter", "right", "enter", "right", "enter", "down", "left", "left", "enter"]
FLIPS += ["up", "right", "enter"]

LAID = ["Z", "full_stop", "enter", "F", "full_stop", "enter", "V", "full_stop", "enter"]
LAID += ["W", "full_stop", "enter", "X", "full_stop"]

GAMES = {
    "octa": (octa, [*["down"] * 4, *["right"] * 4]),
    "banqi": (lambda: parlour.game("banqi"), ["enter", "right", "enter", "down", "enter", "right"]),
    "blokus": (lambda: parlour.game("blokus"), LAID),
    "cat_mouse": (lambda: parlour.game("cat_mouse"), ["up", "left"]),
    "scouts": (Scouts, FLIPS),
    "tiles": (Tiles, ["V", "full_stop", "enter", "V", "full_stop"]),
    "hex": (Hex, ["enter", "right", "right", "enter", *["down"] * 4]),
    "hex_holes": (Yavalath, ["enter", "down", "left", "enter", "down"]),
    "boardless": (TwentyOne, ["2", "up", "enter"]),
}
"""In both sizes and both themes."""

SIZES = ((80, 24), (120, 40))
THEMES = ("dark", "light")

REPLAYS = {
    "octa": (octa, "greedy:seed=3,blunder=0.3", "greedy", ["1", "0", "enter", "m"]),
    "banqi": (GAMES["banqi"][0], "greedy:seed=3,blunder=0.3", "greedy", ["4", "5", "enter"]),
    "blokus": (GAMES["blokus"][0], "greedy:seed=3,blunder=0.5", "greedy", ["2", "0", "enter", "m"]),
    "blokus_lines": (
        GAMES["blokus"][0],
        "greedy:seed=3,blunder=0.5",
        "greedy",
        ["2", "0", "enter", "a"],
    ),
    "cat_mouse": (GAMES["cat_mouse"][0], "random:seed=1", "exact", ["1", "2", "enter"]),
    "kuhn": (Kuhn, "mcts:sims=5,seed=1", "mcts:sims=40,seed=1", ["end", "left"]),
    "boardless": (TwentyOne, "mcts:sims=5,seed=1", "mcts:sims=40,seed=1", ["right", "m"]),
    "help": (octa, "random:seed=1", "random:seed=1", ["question_mark"]),
}
"""Who played, who thinks about it, and the keys to a move; in both sizes and both themes."""

LONGEST_REPLAY = 60

SCREENS = {
    "octa_small": (octa, ["down", "down"], (44, 14), "dark"),
    "octa_scrolled": (lambda: parlour.game("octa", size=20), ["right"] * 4, (80, 24), "dark"),
    "octa_refusal": (octa, ["left", "left", "enter"], (80, 24), "dark"),
    "banqi_letters": (GAMES["banqi"][0], [*GAMES["banqi"][1], "l"], (80, 24), "dark"),
    "tiles_fits_not": (Tiles, ["V", "r", "up", "up", "left"], (80, 24), "light"),
    "hex_scrolled": (Hex, ["down", "right"] * 8, (44, 14), "dark"),
    "help": (Tiles, ["question_mark"], (80, 24), "dark"),
    "replay_help": ("replay", "help", (80, 24), "dark"),
    **{
        f"{name}_{size[0]}_{theme}": (make, keys, size, theme)
        for name, (make, keys) in GAMES.items()
        for size in SIZES
        for theme in THEMES
    },
    **{
        f"{kind}_{name}_{size[0]}_{theme}": (kind, name, size, theme)
        for kind, names in (("replay", [*REPLAYS][:-1]), ("analysis", ("octa", "blokus")))
        for name in names
        for size in SIZES
        for theme in THEMES
    },
}


@cache
def played(name):
    """A game between agents, as a record."""
    make, player, _, _ = REPLAYS[name]
    game = make()
    state, actions, rng, agent = game.start(8), [], Rng(8), parlour.agent(player)
    while state.actor != OVER and len(actions) < LONGEST_REPLAY:
        actions.append(int(state.sample(rng) if state.actor == CHANCE else agent.choose(state)))
        state = state.apply(actions[-1])
    return Record(game, 8, actions)


@cache
def advices(name):
    """What an agent thinks of that game."""
    review = Replay(played(name)).review
    list(review.steps(parlour.agent(REPLAYS[name][2]).analyse))
    return review.advices


async def shoot_replay(name, size, theme, title=None):
    """A game that is looked back on, with its analysis."""
    replay = Replay(played(name))
    replay.review.advices = advices(name)
    app = ReplayApp(replay, theme, None)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        app.view.board.shows_signs = True
        await pilot.press(*REPLAYS[name][3])
        await pilot.pause()
        return app.export_screenshot(title=title, simplify=title is None)


async def shoot_analysis(name, size, theme):
    """A game under way, with lines of play beside the board."""
    make, keys = GAMES[name]
    game = make()
    opening = Opening(game, (PERSON,) * game.seats, 8)
    app = ParlourApp(lambda: LocalGame(opening.sit_down(), apart=True), theme, frame_seconds=0)
    async with app.run_test(size=size) as pilot:
        await pilot.press(*keys, "escape")
        session = app.session
        state = session.game.table.state
        app.shows_analysis, app._thought_of = True, session.game.version
        session.advice = advice_of(state, parlour.agent("greedy").analyse(state), None)
        app.show()
        await pilot.pause()
        return app.export_screenshot(simplify=True)


async def shoot(name):
    """The screen of that name, as SVG."""
    make, keys, size, theme = SCREENS[name]
    if make == "replay":
        return await shoot_replay(keys, size, theme)
    if make == "analysis":
        return await shoot_analysis(keys, size, theme)
    game = make()
    opening = Opening(game, PEOPLE[: game.seats], 8)
    app = ParlourApp(lambda: LocalGame(opening.sit_down(), apart=True), theme, frame_seconds=0)
    async with app.run_test(size=size) as pilot:
        app.board.shows_signs = True
        await pilot.press(*keys)
        await pilot.pause()
        return app.export_screenshot(simplify=True)


async def shoot_analysis_for_readers():
    """The picture in the documents: lines of play for a position of Blokus."""
    return await shoot_replay(
        "blokus_lines", (104, 32), "dark", title="parlour replay game.parlour, with a"
    )


async def shoot_replay_for_readers():
    """The picture in the documents: a game of Octa that is looked back on."""
    return await shoot_replay("octa", (104, 32), "dark", title="parlour replay game.parlour")


async def shoot_for_readers():
    """The picture in the documents: a game of Octa under way, with its evaluation."""
    opening = Opening(octa(), PEOPLE, 8)
    app = ParlourApp(lambda: LocalGame(opening.sit_down(), apart=True), "dark", frame_seconds=0)
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
"""For each game's page: so many actions from its start."""


async def shoot_page(name):
    """The picture on a game's page: a game under way."""
    game = parlour.game(name)
    opening = Opening(game, (PERSON,) * game.seats, 8)
    app = ParlourApp(lambda: LocalGame(opening.sit_down(), apart=True), "dark", frame_seconds=0)
    agent = parlour.agent("greedy:seed=3")
    async with app.run_test(size=(88, 30)) as pilot:
        app.board.shows_signs = True
        for _ in range(PICTURES[name]):
            app.session.ask(Play(agent.choose(app.session.game.table.state)))
        app.session.cursor = app.session.scene.actions[0].cells[-1]
        await pilot.press(*["tab", "full_stop"] if name == "blokus" else ["t", "t"])
        await pilot.pause()
        return app.export_screenshot(title=f"parlour play {name}")


def content(picture):
    """What must not change by itself: the lines of text, and where our own colours are."""
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
    if sys.argv[1:] == ["image"]:  # it has an analysis in it, which no two runs share
        IMAGE.parent.mkdir(exist_ok=True)
        IMAGE.write_text(asyncio.run(shoot_for_readers()), "utf-8")
        for name, shot in (
            ("replay", shoot_replay_for_readers),
            ("analysis", shoot_analysis_for_readers),
        ):
            IMAGE.with_stem(name).write_text(asyncio.run(shot()), "utf-8")
        for page in PICTURES:
            path = IMAGE.with_stem(page)
            path.write_text(asyncio.run(shoot_page(page)), "utf-8")
    FOLDER.mkdir(exist_ok=True)
    for screen in [name for name in SCREENS if name in sys.argv] or SCREENS:
        (FOLDER / f"{screen}.svg").write_text(asyncio.run(shoot(screen)), "utf-8")
        print(screen)
