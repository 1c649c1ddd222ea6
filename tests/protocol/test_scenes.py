"""Scenes on the wire: every field survives a round trip."""

from msgspec import UNSET

from parlour.core.scene import Board, Cell, Scene, SeatView
from parlour.protocol.json import Reader, encode
from parlour.protocol.messages import StandingView, Update, WireScene
from parlour.protocol.scenes import SceneReceiver, SceneSender

CARD = Cell("Q", "queen of hearts", 0, "red", "card-queen")
TRIANGLE = Board.points([(1, 0), (0, 2), (2, 2)], [(0, 1), (1, 2), (0, 2)], "abc")
EMPTY = Cell(".", "empty")


def sent(message, kind):
    """Return the message as the receiver decodes it."""
    return Reader(kind).read(encode(message))


def test_a_board_of_points_keeps_positions_and_links():
    scene = Scene((EMPTY, EMPTY, EMPTY), board=TRIANGLE)
    wire = sent(SceneSender().full(scene), WireScene)
    assert SceneReceiver().take(wire, UNSET).board == TRIANGLE


def test_a_tray_holds_texts_and_cells():
    scene = Scene(seats=(SeatView(tray=("two pawns", CARD)), SeatView()), names=("one", "two"))
    wire = sent(SceneSender().full(scene), WireScene)
    assert SceneReceiver().take(wire, UNSET) == scene
    assert scene.seats[0].tray_texts() == ("two pawns", "queen of hearts")


def test_simultaneous_turns_are_sent():
    sender, receiver = SceneSender(), SceneReceiver()
    first = Scene(actor=0, actors=(0, 1))
    assert receiver.take(sent(sender.full(first), WireScene), UNSET).actors == (0, 1)
    for actors in ((1,), ()):
        diff = sender.diff(first._replace(actors=actors))
        assert diff is not None
        update = sent(Update([], StandingView(1, 0, "playing", []), diff=diff), Update)
        assert receiver.take(UNSET, update.diff).actors == actors
    standing = StandingView(1, 0, "playing", [], 0, (0, 1))
    assert sent(standing, StandingView).actors == (0, 1)


def test_unused_fields_are_not_sent():
    board = Board(1, 1, ("1",), ("a",))
    wire = encode(SceneSender().full(Scene((EMPTY,), (SeatView(),), board=board, names=("one",))))
    for name in (b"actors", b"points", b"links"):
        assert name not in wire
