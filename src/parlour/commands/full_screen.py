"""The full-screen program: the start screen and games, until the player quits."""

from dataclasses import replace

from parlour.commands.games import games_and_problems
from parlour.commands.play import Wish, opening_of, print_where, seats_of
from parlour.core.errors import ParlourError
from parlour.core.game import Game
from parlour.table import LocalGame
from parlour.table.locations import records_folder, unfinished_games
from parlour.table.opening import GameSetup
from parlour.terminal.app import TO_START, ParlourApp
from parlour.terminal.draft import NO_CLOCK, RANDOM, Draft, GameChoice
from parlour.terminal.last_choices import LastChoices
from parlour.terminal.start import StartApp

LATEST = 60
"""The number of recent records that are searched for games to resume."""

Sitting = tuple[GameSetup, LocalGame]
"""The setup of games, and the first of them."""


def run(wish: Wish, opening: GameSetup | None) -> int:
    """Play the requested game, or one from the start screen; return the exit status."""
    theme = wish.theme
    draft: Draft | None = None
    choices = LastChoices()
    note = ""
    sitting = None if opening is None else _sit_down(opening)
    last: LocalGame | None = None
    status = 0
    while True:
        if sitting is None:
            left = unfinished_games(records_folder(), most=LATEST)
            if draft is None:
                draft, note = _draft(wish, choices)
            draft.found(left)
            start = StartApp(draft, lambda choice: _begin(wish, choice, choices), theme, note)
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
        print_where(last)
    return status


def _sit_down(opening: GameSetup) -> Sitting:
    return opening, opening.live(isolated=True)


def _app(sitting: Sitting, theme: str | None, delay: float) -> ParlourApp:
    """Return the app for a game and those after it; a game between agents has a delay."""
    opening, first = sitting
    waiting = [first]

    def open_game() -> LocalGame:
        return waiting.pop() if waiting else _sit_down(opening)[1]

    return ParlourApp(open_game, theme, None if first.has_people else delay)


def _draft(wish: Wish, choices: LastChoices) -> tuple[Draft, str]:
    """Return the start screen's draft with the command line's choices, and the first message."""
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
        {} if has_wishes(wish) else choices.by_game,
    )
    return draft, " ".join(f"{problem[:1].upper()}{problem[1:]}." for problem in problems)


def has_wishes(wish: Wish) -> bool:
    """Return whether the command line says what to play, so that earlier choices do not count."""
    return bool(wish.game or wish.seats or wish.against or wish.people or wish.mine != 1)


def _begin(wish: Wish, choice: GameChoice, choices: LastChoices) -> Sitting:
    """Open the chosen game. Raise `ParlourError` if that is not possible."""
    if choice.resumed is not None:
        return _sit_down(opening_of(Wish(resume=str(choice.resumed), keep=wish.keep)))
    seats = [f"{seat}={who}" for seat, who in enumerate(choice.seats, 1)]
    if wish.keep:
        choices.keep(choice)
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
