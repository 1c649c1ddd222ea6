"""A session without a display: it uses only scenes, events and requests."""

import ast
import inspect

import pytest
from goofspiel import Goofspiel
from hex import Hex
from kuhn import Kuhn
from nim import Nim
from scouts import Scouts
from tiles import Tiles

import parlour
from parlour import ActionView, Board, Cell, IllegalAction, Scene, SeatView, Section
from parlour.agents import Choice
from parlour.core.rng import Rng
from parlour.drawing.choices import Advice, ChoiceView
from parlour.table import (
    PERSON,
    ChanceSource,
    EventKind,
    EventView,
    LocalGame,
    OfferDraw,
    Play,
    Resign,
    Table,
    Undo,
)
from parlour.terminal import session as session_module
from parlour.terminal.session import Session


class ScriptedGame:
    """A game that is played elsewhere: two cells and scripted answers."""

    title = "Far"
    rules = (Section("", "Take a cell."),)
    has_people = True
    is_shared = False
    viewer = 0
    clocks = ()
    draw_offer = None
    last_cells = ()
    last_event = None
    returns = None
    notice = ""
    names = ("you", "somebody far away")
    is_over = False

    def __init__(self):
        self.version = 0
        self.is_my_turn = True
        self.asked = []
        self.is_closed = False

    def scene(self):
        views = (ActionView(0, "a", (0,)), ActionView(1, "b", (1,)))
        return Scene(
            (Cell(".", "empty"), Cell(".", "empty")),
            (SeatView(), SeatView()),
            "Your turn." if self.is_my_turn else "Wait.",
            Board(1, 2, ("1",), ("a", "b")),
            0 if self.is_my_turn else 1,
            views if self.is_my_turn else (),
            names=("you", "the opponent"),
        )

    public_scene = scene

    def preview(self, action):
        return (action,)

    people = (0,)

    def greeting(self):
        return "Hello from far away."

    def outcome(self):
        return ""

    remark = proof = promise = outcome

    def history(self):
        return []

    topics = history

    def frames(self, view):
        return [self.scene()._replace(status="half way")] if view.action == 1 else []

    def why_not(self, cells, group):
        return ""

    def send(self, request):
        self.asked.append(request)
        if request == Play(0):
            raise IllegalAction("the left one is taken")
        self.version += 1
        self.is_my_turn = False
        action = request.action if isinstance(request, Play) else None
        return [
            EventView(
                self.version,
                EventKind.PLAY,
                0,
                "you",
                "take b",
                "you: take b",
                1,
                action,
                "b",
                (1,),
            )
        ]

    def check_clocks(self):
        return []

    def next_events(self):
        return None

    def interrupt(self):
        pass

    def analyse(self, deeper=0, shown=()):
        return Advice((ChoiceView(Choice(1, "b", 0.5, 0, 1, ("b",)), ("b",)),), 1, 0.0)

    def save(self):
        return "It is kept far away."

    def close(self):
        self.is_closed = True


@pytest.fixture
def far():
    return ScriptedGame()


def local(game, *seats, seed=1):
    table = Table(game, seats, seed=seed, chance=ChanceSource.from_seed(seed))
    return LocalGame(table)


def session_at(game, *seats, frames=False):
    return Session(lambda: local(game, *seats), shows_frames=frames)


class TestScripted:
    def test_it_greets_and_puts_the_cursor_on_a_legal_cell(self, far):
        session = Session(lambda: far)
        assert session.message == "Hello from far away. Arrow keys move, Enter chooses, ? helps."
        assert session.cursor == 0
        assert session.marks.targets == {0, 1}

    def test_choosing_a_cell_sends_a_request_and_shows_its_events(self, far):
        session = Session(lambda: far, shows_frames=True)
        session.move("right")
        session.touch()
        assert far.asked == [Play(1)]
        assert session.scene.status == "half way"
        assert not session.next_frame()
        assert session.message == "you: take b"
        session.touch()
        assert session.message == "somebody far away is thinking."
        assert len(far.asked) == 1

    def test_a_refusal_shows_a_message_and_no_events(self, far):
        session = Session(lambda: far)
        session.touch()
        assert session.message == "The left one is taken."
        assert not session.frames

    def test_every_command_sends_a_request(self, far):
        session = Session(lambda: far)
        session.undo()
        far.is_my_turn = True
        session.draw()
        assert session.message == "Press Ctrl+O again to offer a draw."
        session.draw()
        far.is_my_turn = True
        session.resign()
        assert session.message == "Press Ctrl+R again to resign."
        session.resign()
        assert far.asked == [Undo(), OfferDraw(), Resign()]
        session.save()
        assert session.message == "It is kept far away."

    def test_a_hint_marks_its_cells(self, far):
        session = Session(lambda: far)
        session.show_hint(far.analyse())
        assert session.hinted == (1,)
        assert session.cursor == 1
        assert session.message == "Hint: b (+0.50)"

    def test_events_of_others_are_shown(self, far):
        session = Session(lambda: far)
        session.happened(
            [EventView(1, EventKind.PLAY, 1, "somebody", "a card", "somebody: a card", 1)]
        )
        assert session.message == "somebody: a card"

    def test_a_new_game_needs_confirmation_and_closes_this_one(self):
        opened = []

        def open_game():
            opened.append(ScriptedGame())
            return opened[-1]

        session = Session(open_game)
        opened[0].last_event = object()
        session.new()
        assert session.game is opened[0]
        session.other_key()
        session.new()
        assert session.game is opened[0]
        session.new()
        assert session.game is opened[1]
        assert opened[0].is_closed


def test_a_session_imports_no_display_table_or_state():
    tree = ast.parse(inspect.getsource(session_module))
    modules = {
        node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module
    }
    assert not any(name.startswith(("textual", "rich", "parlour.games")) for name in modules)
    assert "parlour.core.game" not in modules
    assert not any(isinstance(node, ast.Import) for node in ast.walk(tree))


class TestLocal:
    @pytest.mark.parametrize(
        ("game", "words"),
        [
            ("octa", "You are player 1, blue. Arrow keys move, Enter chooses, ? helps."),
            ("blokus", "You are blue. Take a piece and place it, ? helps."),
            ("cat_mouse", "The arrow keys play, ? helps."),
        ],
    )
    def test_the_first_message_names_your_colour_and_the_keys(self, game, words):
        played = parlour.game(game)
        seats = [PERSON, *["level:3"] * (played.seats - 1)]
        assert session_at(played, *seats).message == words

    def test_a_refused_cell_shows_the_rules_reason(self):
        session = session_at(parlour.game("octa"))
        session.touch_at(40)
        assert "Not legal: that cell is neutral" in session.message

    def test_a_piece_can_be_taken_rotated_and_placed(self):
        session = session_at(Tiles())
        session.touch()
        assert session.message == "Take a piece first: a letter, Tab, or a click on it."
        session.take("V3")
        session.to_place(1)
        session.touch()
        assert session.game.version == 1

    def test_the_first_piece_taken_starts_where_it_fits(self):
        for take in (
            lambda s: s.take("L5"),
            lambda s: s.take_letter("L"),
            lambda s: s.take_next(1),
        ):
            session = session_at(parlour.game("blokus"), *(PERSON,) * 4)
            session.cursor = 210
            take(session)
            assert session.marks.ghost_fits
            session.cursor = 210
            session.take("I5")
            assert session.cursor == 210

    def test_the_cursor_previews_the_cells_that_would_change_hands(self):
        session = session_at(parlour.game("octa", size=2))
        seen = set()
        for view in session.scene.actions:
            session.cursor = view.cells[0]
            state = session.game.table.state
            after = state.apply(view.action).scene().cells
            taken = {
                cell
                for cell, old in enumerate(session.scene.cells)
                if old.owner != after[cell].owner
            }
            assert set(session.marks.preview) == taken
            assert set(session.game.preview(view.action)) == taken
            session.move("left")
            session.cursor = view.cells[0]
            count = len(taken)
            words = session._preview_words()
            assert (f"{count} cell" in words) == bool(count)
            seen.add(count)
        assert max(seen) > 0

    def test_nothing_is_previewed_off_turn_or_with_secrets(self):
        session = session_at(parlour.game("octa"))
        session.cursor = 40
        assert session.marks.preview == ()
        secret = session_at(Goofspiel())
        assert all(secret.game.preview(view.action) == () for view in secret.scene.actions)

    def test_if_arrow_keys_play_the_cursor_is_only_shown_on_a_hint(self):
        session = session_at(parlour.game("cat_mouse"), PERSON)
        assert not session.marks.shows_cursor
        session.touch()
        assert session.message == "Play with the arrow keys, or click a cell."
        assert session.game.version == 0
        view = session.scene.actions[-1]
        hint(session, view)
        assert session.marks.shows_cursor
        session.touch()
        assert session.game.table.line.actions == (view.action,)
        session.touch_at(session.scene.actions[0].cells[0])
        assert len(session.game.table.line.actions) == 2

    def test_an_agent_answers_through_the_same_game(self):
        session = session_at(Nim(heap=5), PERSON, "odd_agents:First")
        session.play_text("take1")
        assert session.message == "player 1: take1"
        session.happened(session.game.next_events())
        assert session.message == "player 2 (odd_agents:First): take1"
        assert session.game.next_events() is None

    @pytest.mark.parametrize("name", parlour.game_names())
    def test_an_entered_hint_is_in_the_record(self, name):
        game = parlour.game(name, **({"variant": "duo"} if name == "blokus" else {}))
        view = session_at(game).scene.actions[-1]
        session = session_at(game)
        hint(session, view)
        session.touch()
        assert session.game.table.line.actions[0] == view.action


def hint(session, view):
    """Show a hint as if the adviser preferred this action."""
    choice = Choice(view.action, view.text, 0.0, 0, 0, (view.text,))
    session.show_hint(Advice((ChoiceView(choice, (view.text,)),), 0, 0.0))


class RecordingGame(LocalGame):
    """Records requests without executing them."""

    def __init__(self, table):
        super().__init__(table)
        self.asked = []

    def send(self, request):
        self.asked.append(request)
        return []


HINTED = {
    "banqi": (lambda: parlour.game("banqi"), (0, 1, 8, 25, 60, 90)),
    "blokus": (lambda: parlour.game("blokus"), (0, 4, 12, 21, 35, 50)),
    "duo": (lambda: parlour.game("blokus", variant="duo"), (0, 3, 16)),
    "cat_mouse": (lambda: parlour.game("cat_mouse"), (0, 1, 9, 20)),
    "octa": (lambda: parlour.game("octa"), (0, 7, 30, 60, 79)),
    "tiles": (Tiles, (0, 1)),
    "scouts": (Scouts, (0, 6)),
    "hex": (Hex, (0, 20)),
}
"""Games, and the number of actions before their positions."""


@pytest.mark.parametrize(
    ("name", "plies"), [(name, plies) for name, (_, plies) in HINTED.items() for plies in plies]
)
def test_enter_plays_the_hinted_action(name, plies):
    game = HINTED[name][0]()
    table = Table(game, (PERSON,) * game.seats, seed=8, chance=ChanceSource.from_seed(8))
    rng = Rng(plies)
    while len(table.line.actions) < plies and not table.is_over:
        table.play(table.state.sample(rng))
    assert not table.is_over
    live = RecordingGame(table)
    session = Session(lambda: live, shows_frames=False)
    legal = list(table.state.legal_actions())
    assert [view.action for view in session.scene.actions] == legal
    for view in session.scene.actions:
        assert view.cells
        session.let_go()
        session.cursor = legal[0] % session.scene.board.size  # anywhere
        hint(session, view)
        assert session.hinted == view.cells
        assert session.cursor in view.cells or view.group
        session.touch()
    assert live.asked == [Play(action) for action in legal]


class TestSecrets:
    def test_private_information_is_hidden_until_the_next_person_confirms(self):
        session = session_at(Kuhn())
        game = session.game
        public = game.public_scene()
        assert session.is_covered
        assert session.scene == public
        assert session.scene.actions == ()
        assert "Press Enter when player 1 is at the keyboard." in session.message
        session.play_text(game.scene().actions[0].text)
        assert len(game.table.line.actions) == 2
        session.touch()
        assert session.scene == game.scene()
        assert session.scene != public
        session.play_text("pass")
        assert session.is_covered
        assert session.scene.actions == ()
        session.touch()
        assert not session.is_covered
        assert game.viewer == 1

    def test_against_an_agent_no_confirmation_is_needed(self):
        session = session_at(Kuhn(), PERSON, "random")
        assert not session.is_covered
        assert session.scene.actions

    def test_a_hidden_bid_is_announced_without_its_value(self):
        session = session_at(Goofspiel())
        session.touch()
        views = session.scene.actions
        session.play_text(views[-1].text)
        assert views[-1].text not in session.message
        assert session.game.last_event.action is None


def test_an_own_piece_without_moves_says_so():
    banqi = parlour.game("banqi")
    chance = ChanceSource.from_seed(0)
    session = Session(lambda: LocalGame(Table(banqi, seed=8, chance=chance)), shows_frames=False)
    session.touch()
    session.cursor = 9
    session.touch()
    assert session.scene.cells[9].owner == session.scene.actor
    session.touch()
    assert session.message.endswith(": it has no legal move now.")
