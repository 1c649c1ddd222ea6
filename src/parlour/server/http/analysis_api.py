"""HTTP handlers of analysis: agents' judgement of positions, and trees of variations."""

from collections.abc import Sequence
from functools import partial

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from parlour.agents import Analysis, seat_view
from parlour.agents.hints import adviser
from parlour.agents.registry import seeded
from parlour.core.errors import BadMessage, NotFound
from parlour.core.game import State, has_two_sides
from parlour.core.record import Line
from parlour.drawing.choices import Advice, ChoiceView, advice_of, value_words
from parlour.drawing.film import MOST_FRAMES, line_to_json
from parlour.drawing.review import REVIEWER, judged
from parlour.drawing.score_sheet import last_cells
from parlour.drawing.svg import scene_to_svg
from parlour.protocol.errors import TooLarge
from parlour.protocol.json import Reader
from parlour.protocol.limits import POSITION_LENGTH, RECORD_BODY_BYTES
from parlour.protocol.requests import (
    AnalysisFound,
    AskAnalysis,
    AskTree,
    ChoiceFound,
    Judgement,
    TreeFound,
)
from parlour.protocol.scenes import SceneSender
from parlour.server import costs
from parlour.server.http.callers import Callers
from parlour.server.http.films import Films
from parlour.server.http.request_parts import address_of, answer, body_of, token_of, tokens_of
from parlour.server.http.variations import (
    VariationTree,
    check_decision,
    line_of,
    position_of,
    scene_of,
    tree_of,
)
from parlour.server.live.openings import count_actions
from parlour.server.live.room import Room
from parlour.server.live.rooms import Rooms
from parlour.server.live.views import Viewer
from parlour.server.rates import Buckets
from parlour.server.tokens import owner_of
from parlour.table.errors import TableError

ANALYSED = 8

_analysis: Reader[AskAnalysis] = Reader(AskAnalysis)
_tree: Reader[AskTree] = Reader(AskTree)


class AnalysisApi:
    """Request handlers. They raise `ParlourError` to refuse a request."""

    def __init__(self, rooms: Rooms, work: Buckets, films: Films) -> None:
        """Serve one server; `work` has the budgets of the addresses."""
        self._rooms = rooms
        self._work = work
        self._films = films
        self._callers = Callers(rooms)

    def _owner(self, request: Request) -> str:
        return owner_of(self._rooms.secret, address_of(request))

    async def _check_not_playing(
        self, request: Request, states: Sequence[State], table: str = ""
    ) -> None:
        """Raise `TableError` if the caller plays one of these positions against people."""
        address = address_of(request)
        self._work.take(address, costs.TOKEN * len(tokens_of(request)))
        charge = partial(self._work.take, address, costs.COMPARED)
        await self._callers.check_not_playing(request, states, charge, table)

    # Positions.

    async def positions(self, request: Request) -> Response:
        """Return the positions of a game and its variations."""
        self._rooms.check_open()
        wish = _tree.read(await body_of(request, RECORD_BODY_BYTES))
        planned = count_actions(wish.record) + len(wish.moves)
        self._work.take(address_of(request), costs.NODE * planned)
        tree = await self._rooms.in_background(tree_of, wish)
        await self._check_not_playing(request, tree.states)
        found = await self._rooms.in_background(_described, tree, wish.shown)
        return answer(found)

    async def position_picture(self, request: Request) -> Response:
        """Return the last position of a line of play as SVG."""
        line = await self._line(request)
        board = line.states[-1].game.board
        self._work.take(address_of(request), costs.CELL * board.size)
        svg = await self._rooms.in_background(_drawn, line)
        return Response(svg, media_type="image/svg+xml")

    async def position_film(self, request: Request) -> Response:
        """Return a line of play as a GIF, rendered in a subprocess."""
        line = await self._line(request)
        if len(line.states) > MOST_FRAMES:
            raise TooLarge(f"a film has at most {MOST_FRAMES} positions; this line has more")
        owner = self._owner(request)
        self._rooms.pool.reserve(owner, costs.FILM_SECONDS)
        gif = await self._films.film(line_to_json(line), owner)
        return Response(gif, media_type="image/gif")

    async def _line(self, request: Request) -> Line:
        """Return the line of play in a query."""
        self._rooms.check_open()
        query = request.query_params
        text = query.get("position", "")
        if len(text) > POSITION_LENGTH:
            raise TooLarge(f"a position may have at most {POSITION_LENGTH} characters")
        try:
            options = msgspec.json.decode(query.get("options") or "{}", type=dict[str, object])
            actions = [int(each) for each in query.get("moves", "").split(",") if each]
        except ValueError:  # also of msgspec
            raise BadMessage(
                "`options` must be a JSON object, and `moves` action ids with commas"
            ) from None
        self._work.take(address_of(request), costs.NODE * len(actions))
        first = await self._rooms.in_background(position_of, query.get("game", ""), options, text)
        if first.game.has_secrets:
            raise TableError("positions with hidden information have no public picture")
        line = await self._rooms.in_background(line_of, first, actions)
        await self._check_not_playing(request, line.states)
        return line

    # Analysis.

    async def analyse(self, request: Request) -> Response:
        """Analyse a position of a table, or of a game by its text."""
        wish = _analysis.read(await body_of(request, 4 * POSITION_LENGTH))
        if wish.level is not None and (wish.deeper or wish.brief):
            raise TableError("`deeper` and `brief` cannot be combined with `level`")
        viewer: Viewer = None
        if wish.table:
            room = await self._rooms.room(wish.table)
            token = token_of(request, wish.table)
            if token:
                holder = await self._rooms.holder(token)
                viewer = holder.seat if holder.game == wish.table else None
            state, ply = _analysed(room, wish.ply, viewer)
        else:
            ply, given = 0, (wish.game, wish.options, wish.position)
            state = await self._rooms.in_background(position_of, *given)
            check_decision(state)
            viewer = int(state.actor)
            state = seat_view(state, viewer, self._rooms.secret, ply)
        await self._check_not_playing(request, [state], wish.table)
        found = await self._ask(request, wish, state)
        advice = advice_of(state, found, viewer, wish.shown)
        telling = advice.telling[:ANALYSED]
        reply = AnalysisFound(
            ply, [_choice(state, view) for view in telling], advice.work, advice.is_final
        )
        if wish.played is not None:
            reply.played = await self._judged(request, wish, state, advice, wish.played)
        return answer(reply)

    async def _ask(self, request: Request, wish: AskAnalysis, state: State) -> Analysis:
        """Return an agent's analysis of a position as the seat to act sees it."""
        text = REVIEWER if wish.brief else adviser(wish.deeper)
        if wish.level is not None:
            text = seeded(f"level:{wish.level}", 1)
        return await self._rooms.pool.analyse(self._owner(request), text, state)

    async def _judged(
        self, request: Request, wish: AskAnalysis, state: State, advice: Advice, action: int
    ) -> Judgement:
        """Return the judgement of an action. Raise `IllegalAction` if it is not legal."""
        following, after = state.play(action), None
        if following.actor >= 0 and advice.choices[0].choice.action != action:
            known = seat_view(following, int(following.actor), self._rooms.secret, 0)
            after = (await self._ask(request, wish, known)).choices[0]
        verdict = judged(state, action, following, advice, after)
        own = next((view for view in advice.choices if view.choice.action == action), None)
        if own is None:
            best = advice.choices[0]
            seat = int(state.actor)
            words = state.game.action_words(state, action, seat)
            text = state.game.action_to_text(state, action)
            cells = state.game.action_view(state, action).cells
            unknown = best.choice._replace(action=action, text=text, ends_in=0, value=0.0)
            own = ChoiceView(unknown, (words,), cells)
        found = _choice(state, own)
        if verdict.played is not None and verdict.played != own.choice.value:
            exact = own.choice._replace(value=verdict.played, bound="exact", ends_in=0)
            found.value, found.value_words = verdict.played, value_words(exact)
        return Judgement(found, verdict.lost, verdict.mark)


def _described(tree: VariationTree, wanted: int | None) -> TreeFound:
    """Return a tree for a client."""
    shown = len(tree.states) - 1 if wanted is None else wanted
    if shown >= len(tree.states):
        raise NotFound(f"the nodes are 0 to {len(tree.states) - 1}, not {shown}")
    game = tree.game
    return TreeFound(
        game.name,
        game.title,
        dict(game.options),
        tree.nodes(),
        shown,
        SceneSender().full(scene_of(tree.states[shown])),
        game.teams,
        has_two_sides(game),
        not game.has_secrets,
    )


def _drawn(line: Line) -> str:
    """Return the last position as SVG, with the cells of the last decision."""
    scene = line.states[-1].scene(None, with_actions=False)
    cells = last_cells(line, len(line.actions))
    return scene_to_svg(scene, cells, line.states[0].game.title)


def _choice(state: State, view: ChoiceView) -> ChoiceFound:
    """Return a choice for a client."""
    return ChoiceFound(
        action=view.choice.action,
        text=state.game.action_to_text(state, view.choice.action),
        words=list(view.words),
        value=view.choice.value,
        value_words=value_words(view.choice),
        cells=state.game.action_view(state, view.choice.action).cells,
    )


def _analysed(room: Room, ply: int | None, viewer: Viewer) -> tuple[State, int]:
    """Return the position to analyse: of a finished game, or for its only person."""
    hosted, table = room.hosted, room.hosted.table
    if table is None:
        raise TableError("the game has not started")
    line = table.line
    at = len(line.actions) if ply is None else ply
    if not 0 <= at < len(line.states):
        raise NotFound(f"the ply must be from 0 to {len(line.states) - 1}, not {at}")
    if not table.is_over:
        if len(hosted.people) != 1:
            raise TableError("a game between people can be analysed only after it is over")
        if viewer is None or viewer != table.actor or at != len(line.actions):
            raise TableError("until the game is over, you can ask for hints only on your turn")
    state = line.states[at]
    check_decision(state)
    return room.views.known(state, int(state.actor), at), at
