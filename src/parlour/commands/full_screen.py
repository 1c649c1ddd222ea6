"""The full screen: the start screen and games, one after another, until the player leaves."""

from dataclasses import replace

from parlour.commands.games import games_and_problems
from parlour.commands.play import Wish, opening_of, seats_of, tell_where
from parlour.core.errors import ParlourError
from parlour.core.game import Game
from parlour.table import LocalGame
from parlour.table.locations import records_folder, unfinished_games
from parlour.table.opening import GameSetup
from parlour.terminal.app import TO_START, ParlourApp
from parlour.terminal.draft import NO_CLOCK, RANDOM, Draft, GameChoice
from parlour.terminal.start import StartApp

LATEST = 60
"""So many of the latest records are looked through for games to resume."""

Sitting = tuple[GameSetup, LocalGame]
"""How games are opened, and the first of them."""


def run(wish: Wish, opening: GameSetup | None) -> int:
    """Play what was asked for, or what the start screen brings; the exit status."""
    theme = wish.theme
    draft: Draft | None = None
    note = ""
    sitting = None if opening is None else _sit_down(opening)
    last: LocalGame | None = None
    status = 0
    while True:
        if sitting is None:
            left = unfinished_games(records_folder(), most=LATEST)
            if draft is None:
                draft, note = _draft(wish)
            draft.found(left)
            start = StartApp(draft, lambda choice: _begin(wish, choice), theme, note)
            sitting, theme, note = start.run(), start.wanted_theme, ""
            status = start.return_code or 0
        if sitting is None:
            break
        app = _app(sitting, theme, wish.delay)
        ended = app.run()
        last = app.session.game if isinstance(app.session.game, LocalGame) else None
        theme, sitting = app.wanted_theme, None
        status = app.return_code or 0
        if ended != TO_START:
            status = status or ended or 0
            break
    if last is not None:
        tell_where(last)
    return status


def _sit_down(opening: GameSetup) -> Sitting:
    return opening, opening.live(apart=True)


def _app(sitting: Sitting, theme: str | None, delay: float) -> ParlourApp:
    """The app for a game and those after it; agents among themselves are watched with a delay."""
    opening, first = sitting
    waiting = [first]

    def open_game() -> LocalGame:
        return waiting.pop() if waiting else _sit_down(opening)[1]

    return ParlourApp(open_game, theme, None if first.has_people else delay)


def _draft(wish: Wish) -> tuple[Draft, str]:
    """The start screen's draft with what the command line asked for, and what to say first."""
    games, problems = games_and_problems()
    if not games:
        raise ParlourError("; ".join(problems) or "there are no games: is parlour installed?")
    settings = {}
    for setting in wish.settings:
        option, equals, value = setting.partition("=")
        if not any(option == each.name for made in games.values() for each in type(made).OPTIONS):
            raise ParlourError(f"no game has an option {option!r}; 'parlour games' lists them")
        settings[option] = value if equals else ""

    def wanted_seats(played: Game) -> tuple[str, ...]:
        return seats_of(played, wish)

    draft = Draft(
        games,
        (),
        wanted_seats,
        settings,
        wish.clock or NO_CLOCK,
        RANDOM if wish.seed is None else str(wish.seed),
    )
    return draft, " ".join(f"{problem[:1].upper()}{problem[1:]}." for problem in problems)


def _begin(wish: Wish, choice: GameChoice) -> Sitting:
    """Sit down at what was chosen; `ParlourError` says why that cannot be."""
    if choice.resumed is not None:
        return _sit_down(opening_of(Wish(resume=str(choice.resumed), keep=wish.keep)))
    seats = [f"{seat}={who}" for seat, who in enumerate(choice.seats, 1)]
    return _sit_down(
        opening_of(
            replace(
                wish,
                game=choice.game,
                mine=min(wish.mine, len(seats)),
                against=None,
                settings=choice.settings,
                seats=seats,
                clock=choice.clock,
                seed=choice.seed,
            )
        )
    )
