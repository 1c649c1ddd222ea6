"""Games and their variations for analysis, which the server computes and does not store."""

from collections.abc import Sequence

from parlour.core.checks import shown
from parlour.core.errors import BadMessage, ContractError, ParlourError, in_one_line
from parlour.core.game import CHANCE, OVER, Game, State, start_of
from parlour.core.record import Line, Record
from parlour.core.scene import ActionView, Scene
from parlour.protocol.errors import TooLarge
from parlour.protocol.limits import OUTCOMES_SHOWN, TREE_BYTES, TREE_NODES
from parlour.protocol.requests import AskTree, NodeFound
from parlour.server.http.catalogue import chosen_game
from parlour.server.live.openings import check_length
from parlour.table.errors import TableError


class VariationTree:
    """The positions of a tree, and how each one is reached. Node 0 is the first position."""

    def __init__(self, first: State) -> None:
        """Start with one position."""
        self.states = [first]
        self.steps = [(-1, -1)]
        """For each node its parent, and the action played there."""

    @property
    def game(self) -> Game:
        """The game of all positions."""
        played: Game = self.states[0].game
        return played

    def play(self, parent: int, action: int) -> None:
        """Add a node. Raise `IllegalAction` or `BadMessage` if that is not possible."""
        if not 0 <= parent < len(self.states):
            raise BadMessage(f"there is no node {shown(parent)} to play at")
        self.states.append(self.states[parent].play(action))
        self.steps.append((parent, action))

    def nodes(self) -> list[NodeFound]:
        """Return the nodes for a client. Raise `TooLarge` if their texts are."""
        size, found = 0, []
        for state, (parent, action) in zip(self.states, self.steps, strict=True):
            text = state.game.state_to_text(state)
            size += len(text)
            if size > TREE_BYTES:
                raise TooLarge(f"the positions of a tree may have at most {TREE_BYTES} characters")
            node = NodeFound(text, actor=int(state.actor))
            result = state.result()
            if result is not None:
                node.returns = result.returns
            if parent >= 0:
                _describe(node, self.states[parent], parent, action)
            found.append(node)
        return found


def _describe(node: NodeFound, before: State, parent: int, action: int) -> None:
    """Describe the action that leads to a node."""
    game, seat = before.game, int(before.actor)
    node.parent, node.action, node.seat = parent, action, seat
    node.text = game.action_to_text(before, action)
    node.words = game.action_words(before, action, None if seat == CHANCE else seat)
    if seat != CHANCE:
        node.cells = game.action_view(before, action).cells


def tree_of(wish: AskTree) -> VariationTree:
    """Return the tree of a request. Raise `ParlourError` if it is not possible."""
    if wish.record:
        record = Record.from_text(wish.record)
        if record.game.has_secrets and record.final.result() is None:
            raise TableError(
                f"{record.game.title} has hidden information: its games can be analysed only "
                "after the end"
            )
        tree = VariationTree(record.states[0])
        tree.states = list(record.states)
        tree.steps += list(enumerate(record.actions))
    else:
        tree = VariationTree(position_of(wish.game, wish.options, wish.position, wish.seed))
    if len(tree.states) + len(wish.moves) > TREE_NODES + 1:
        raise TooLarge(f"a tree may have at most {TREE_NODES} actions")
    for parent, action in wish.moves:
        tree.play(parent, action)
    return tree


def position_of(name: str, options: dict[str, object], text: str, seed: int = 0) -> State:
    """Return a position by its text, or the start of a game. Raise `ParlourError` with the rule."""
    played = chosen_game(name, options)
    check_length(played)
    if not text:
        return start_of(played, seed)
    try:
        found: State = played.state_from_text(text)
    except ParlourError:
        raise
    except Exception as error:
        words = f"{played.title} cannot read this position: {in_one_line(error)}"
        raise ContractError(words) from error
    return found


def scene_of(state: State) -> Scene:
    """Return a position as the seat to act sees it, with its actions or chance outcomes."""
    seat = int(state.actor) if state.game.has_secrets and state.actor >= 0 else None
    scene = state.scene(seat)
    if state.actor != CHANCE:
        return scene
    likely = sorted(state.chance_outcomes(), key=lambda each: -each[1])[:OUTCOMES_SHOWN]
    words = [(action, state.game.action_words(state, action, None)) for action, _ in likely]
    return scene._replace(actions=tuple(ActionView(action, text) for action, text in words))


def line_of(first: State, actions: Sequence[int]) -> Line:
    """Return a line of play. Raise `IllegalAction` for an action that is not legal."""
    states = [first]
    for action in actions:
        states.append(states[-1].play(action))
    return Line(tuple(actions), tuple(states))


def check_decision(state: State) -> None:
    """Raise `TableError` unless a seat is to act."""
    if state.actor in (CHANCE, OVER):
        raise TableError("no player is to act in this position")
