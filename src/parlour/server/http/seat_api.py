"""HTTP handlers for seats: claim, leave, cancel, replace, add a device."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from parlour.agents.isolation import vetted
from parlour.core.checks import printable
from parlour.core.errors import ParlourError
from parlour.protocol.errors import ClaimUsed, NotYourSeat, Unauthorized
from parlour.protocol.json import Reader, encode
from parlour.protocol.requests import ClaimSeat, Done, NewClaim, ReplaceSeat, Seated
from parlour.server.http.callers import Callers
from parlour.server.http.cookies import keep_seat
from parlour.server.http.invitations import invitation_url
from parlour.server.http.request_parts import answer, body_of, secret_key_of, token_of
from parlour.server.live.room import Room
from parlour.server.live.rooms import Rooms
from parlour.server.store.log_rows import SEATED
from parlour.server.store.store import PAIRING, WAITING, Change, CreationRow, Holder, TokenRow
from parlour.server.tokens import body_hash, hash_of, new_secret
from parlour.table.chance import check_nonce
from parlour.table.errors import TableError
from parlour.table.events import Replace, Resign

_claim: Reader[ClaimSeat] = Reader(ClaimSeat)
_replace: Reader[ReplaceSeat] = Reader(ReplaceSeat)


class SeatApi:
    """Request handlers. They raise `ParlourError` to refuse a request."""

    def __init__(self, rooms: Rooms) -> None:
        """Serve the tables of one server."""
        self._rooms = rooms
        self._callers = Callers(rooms)

    async def claim(self, request: Request) -> Response:
        """Claim a seat: by invitation, at a listed table, or after a rematch."""
        self._rooms.check_open()
        room, seat = await self._callers.place(request)
        body = _claim.read(await body_of(request))
        check_nonce(body.nonce)
        if body.from_table:
            return await self._claim_after_rematch(request, room, seat, body.from_table)
        key = secret_key_of(request)
        fingerprint = body_hash(encode((room.hosted.id, seat, body)))
        token = (await self._callers.secrets(key, room.hosted.id))("seat", seat)
        if await self._callers.earlier_request(key, fingerprint) is not None:
            return await self._seated(request, room, seat, token)
        asked = CreationRow(hash_of(key), fingerprint, "{}") if key else None
        try:
            await self.claim_seat(room, seat, body, TokenRow(hash_of(token), seat, 0), asked)
        except ParlourError:
            # Another process may just have executed the same request.
            if await self._callers.earlier_request(key, fingerprint) is None:
                raise
        return await self._seated(request, room, seat, token)

    async def claim_seat(
        self, room: Room, seat: int, body: ClaimSeat, row: TokenRow, asked: CreationRow | None
    ) -> None:
        """Store a token for a seat. Raise `ClaimUsed` or `Unauthorized` if it is refused."""
        name, nonce = clean_name(body.name), check_nonce(body.nonce)
        claim, invited = b"", None
        if body.claim:
            claim = hash_of(body.claim)
            invited = await self._rooms.store.claim_seat(claim)
            if invited is None:
                raise ClaimUsed("this invitation was already used, or never existed")
            if invited[:2] != (room.hosted.id, seat):
                raise NotYourSeat("this invitation is for another seat")
        room = await self._rooms.room(room.hosted.id)

        async def claim_seat() -> None:
            held = room.hosted.seat(seat)
            if invited is not None and invited.epoch != held.epoch:
                # Otherwise an old link could take the seat from its next holder.
                raise ClaimUsed(
                    "this invitation has expired: the seat has had another holder since"
                )
            if claim and held.kind == SEATED:
                # Another device of the same person: keep the epoch, so that none is logged out.
                await self._keep_token(room, row._replace(epoch=held.epoch), claim, asked)
                return
            if not claim and room.hosted.row.visibility != "listed":
                raise Unauthorized("you need an invitation for this seat")
            new = row._replace(epoch=held.epoch + 1)
            planned = room.hosted.plan_join(seat, name, nonce, new, claim)
            await room.commit(planned._replace(change=planned.change._replace(creation=asked)))

        async with room.lock:
            await room.retry_if_behind(claim_seat)

    async def _claim_after_rematch(
        self, request: Request, room: Room, seat: int, before: str
    ) -> Response:
        holder = await self._rooms.holder(token_of(request, before))
        count = len(room.hosted.seats)
        if holder.game != before or room.hosted.row.rematch_of != before:
            raise TableError("this table is not the rematch of that one")
        if (holder.seat + 1) % count != seat:
            raise NotYourSeat(f"your seat in the rematch is {(holder.seat + 1) % count}")
        token = new_secret()
        room = await self._rooms.room(room.hosted.id)

        async def claim_seat() -> None:
            held = room.hosted.seat(seat)
            if held.kind != SEATED:
                raise TableError("this seat is no longer taken")
            await self._keep_token(room, TokenRow(hash_of(token), seat, held.epoch))

        async with room.lock:
            await room.retry_if_behind(claim_seat)
        return await self._seated(request, room, seat, token)

    async def _seated(self, request: Request, room: Room, seat: int, token: str) -> Response:
        table = room.hosted.id
        response = answer(Seated(table, seat, token))
        await keep_seat(request, response, table, token, self._rooms)
        return response

    async def _keep_token(
        self, room: Room, row: TokenRow, claim: bytes = b"", asked: CreationRow | None = None
    ) -> None:
        await self._keep(room, tokens=[row], use_claim=claim, creation=asked)

    async def _keep(self, room: Room, **what: Any) -> None:
        """Store a change that is not an event."""
        hosted, now = room.hosted, self._rooms.clock.now()
        change = Change(hosted.id, hosted.v, at=now, deadline=hosted.row.deadline, **what)
        await self._rooms.store.commit(change)

    async def leave(self, request: Request) -> Response:
        """Leave a seat before the game starts; after that, resign."""
        room, seat, holder = await self._callers.own_seat(request)

        async def leave_seat() -> None:
            room.check_holder(seat, holder.epoch)
            hosted = room.hosted
            if hosted.table is not None:
                planned = hosted.plan(seat, Resign())
            elif hosted.row.visibility == PAIRING and hosted.people == [seat]:
                planned = hosted.plan_abandon()  # without people there is nothing to wait for
            else:
                planned = hosted.plan_leave(seat, holder.epoch + 1)
            await room.commit(planned)

        async with room.lock:
            await room.retry_if_behind(leave_seat)
            return answer(Done(room.hosted.v))

    async def cancel(self, request: Request) -> Response:
        """End a table before the game starts; people who did not create it leave their seat."""
        room, seat, holder = await self._callers.own_seat(request)

        async def cancel_table() -> None:
            room.check_holder(seat, holder.epoch)
            hosted = room.hosted
            if hosted.row.status != WAITING:
                raise TableError("only a table that waits for players can be cancelled")
            # Only the creator's seat was taken before any other person sat down.
            is_creator = holder.epoch == 0 and hosted.row.visibility != PAIRING
            if is_creator or hosted.people == [seat]:
                await room.commit(hosted.plan_abandon())
            else:
                await room.commit(hosted.plan_leave(seat, holder.epoch + 1))

        async with room.lock:
            await room.retry_if_behind(cancel_table)
            return answer(Done(room.hosted.v))

    async def replace(self, request: Request) -> Response:
        """Let an agent take over a seat."""
        body = _replace.read(await body_of(request) or b"{}")
        room, seat, holder = await self._callers.own_seat(request)
        agent = vetted(f"level:{body.level}", room.hosted.game)

        async def hand_over() -> None:
            room.check_holder(seat, holder.epoch)
            await room.commit(room.hosted.plan(seat, Replace(seat, agent)))

        async with room.lock:
            await room.retry_if_behind(hand_over)
            return answer(Done(room.hosted.v))

    async def devices(self, request: Request) -> Response:
        """Create an invitation for another device of the same person."""
        room, seat, holder = await self._callers.own_seat(request)
        claim = new_secret()
        await self.add_claim(room, holder, claim)
        url = invitation_url(self._rooms.settings.base_url, room.hosted.id, seat, claim)
        return answer(NewClaim(claim, url))

    async def add_claim(
        self, room: Room, holder: Holder, claim: str, asked: CreationRow | None = None
    ) -> None:
        """Store an invitation for another device of a seat's holder."""

        async def invite() -> None:
            room.check_holder(holder.seat, holder.epoch)
            row = TokenRow(hash_of(claim), holder.seat, holder.epoch)
            await self._keep(room, claims=[row], creation=asked)

        async with room.lock:
            await room.retry_if_behind(invite)

    async def drop_claim(self, room: Room, claim: str) -> None:
        """Revoke an invitation. Raise `ClaimUsed` if it does not exist."""

        async def revoke() -> None:
            await self._keep(room, use_claim=hash_of(claim))

        async with room.lock:
            await room.retry_if_behind(revoke)


def clean_name(name: str) -> str:
    """Normalize a person's name: one line, without invisible characters."""
    return printable(" ".join(name.split()))[:40]
