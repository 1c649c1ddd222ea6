"""One budget per address, for all its sockets and requests, in milliseconds of CPU time."""

import contextlib
import ipaddress
from itertools import takewhile

import pytest
from live_server import OwnClock
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from parlour.protocol.errors import RateLimited
from parlour.protocol.messages import AskWhy, Hello, Ping, Play
from parlour.server import costs, rates
from parlour.server.costs import message_cost
from parlour.server.http import app
from parlour.server.rates import Buckets, LimitLog, Rate, SharedRate
from parlour.server.settings import Settings


@pytest.fixture(autouse=True)
def no_pause(monkeypatch):
    monkeypatch.setattr(rates, "PAUSE_SECONDS", 0)


class Hand:
    """A clock that the test moves."""

    at = 0.0

    def __call__(self):
        return self.at


def buckets_of(per_second, burst):
    now = Hand()
    return Buckets(SharedRate(Rate(per_second, burst), "work"), "requests", now), now


def attackers(count, first="10.0.0.0"):
    begin = int(ipaddress.ip_address(first))
    return [str(ipaddress.ip_address(begin + number)) for number in range(count)]


class TestBuckets:
    def test_other_addresses_cannot_refill_the_bucket_of_a_limited_one(self):
        buckets, now = buckets_of(1, 100)
        buckets.take("192.0.2.1", 100)
        for address in attackers(20_000):
            with contextlib.suppress(RateLimited):
                buckets.take(address, 10)
        with pytest.raises(RateLimited):
            buckets.take("192.0.2.1", 1)
        now.at += 1
        buckets.take("192.0.2.1", 1)

    def test_memory_is_bounded_for_any_number_of_addresses(self):
        buckets, _ = buckets_of(1, 100)
        for address in attackers(20_000):
            with contextlib.suppress(RateLimited):
                buckets.take(address, 1)
        for number in range(5000):
            with contextlib.suppress(RateLimited):
                buckets.take(rates.rate_limit_key(f"2001:{number:x}::1"), 1)
        assert len(buckets) <= rates.MAX_BUCKETS + rates.SHARED_BUCKETS

    def test_newcomers_share_a_bucket_only_with_neighbours_and_only_while_the_table_is_full(
        self, monkeypatch
    ):
        monkeypatch.setattr(rates, "MAX_BUCKETS", 100)
        buckets, now = buckets_of(1, 10)
        for address in attackers(100):
            buckets.take(address, 5)
        for address in attackers(10, "10.0.9.0"):
            with contextlib.suppress(RateLimited):
                buckets.take(address, 5)
        with pytest.raises(RateLimited):
            buckets.take("10.0.77.7", 5)  # same /16
        buckets.take("203.0.113.1", 5)
        now.at += 10
        buckets.take("10.0.88.8", 5)
        assert buckets.of("10.0.88.8") is not buckets.of("10.0.77.7")

    def test_a_newcomer_looks_at_a_bounded_number_of_buckets(self, monkeypatch):
        looked = []
        is_full = rates.Bucket.is_full

        class Watched(rates.Bucket):
            @property
            def is_full(self):
                looked.append(1)
                return is_full.fget(self)

        monkeypatch.setattr(rates, "Bucket", Watched)
        buckets, _ = buckets_of(1, 100)
        for address in attackers(rates.MAX_BUCKETS):
            buckets.take(address)
        assert not looked
        buckets.take("192.0.2.1")
        assert len(looked) == rates.LOOKED_AT

    def test_a_full_bucket_pays_a_cost_above_its_burst_with_a_debt(self):
        buckets, now = buckets_of(10, 20)
        buckets.take("a", 50)
        now.at += 3
        with pytest.raises(RateLimited):
            buckets.take("a", 1)
        now.at += 1
        buckets.take("a", 1)


class TestCosts:
    def test_the_default_carries_a_hundred_players_of_one_address(self):
        per_second, burst = Settings().work
        page = costs.REQUEST + 33 * costs.FILE + costs.ROUTES["games"] + costs.SOCKET
        hello = message_cost(Hello()) + costs.ROUTES["claim"]
        assert burst >= 0.8 * 100 * (page + hello)
        move = message_cost(Play(1, 0, 0)) + message_cost(AskWhy(1, 0)) + message_cost(Ping())
        assert per_second >= 100 * move

    def test_every_price_is_for_an_existing_handler(self, server):
        named = [*vars(type(server.app)), *vars(app), *dir(server.app._api)]
        for part in ("_seat_api", "_seat_links", "_analysis_api"):
            named += dir(getattr(server.app, part))
        assert set(costs.ROUTES) <= set(named)

    def test_tokens_make_a_hello_in_the_lobby_dearer(self):
        cheap = message_cost(Hello(lobby=True))
        assert message_cost(Hello(lobby=True, tokens=["x"] * 100)) == cheap + 100 * costs.TOKEN


class TestAddress:
    def test_sockets_and_requests_of_an_address_share_one_budget(self, start):
        server = start(clock=OwnClock().server, work=Rate(1, 60))
        made = server.table("octa", ["me", 1])
        answered = 0
        with contextlib.ExitStack() as stack:
            sockets = [
                stack.enter_context(server.socket(made["table"], made["token"])) for _ in range(10)
            ]
            for number in range(200):
                socket = sockets[number % 10]
                socket.send({"t": "ping", "at": number})
                answered += socket.receive("pong", "error")["t"] == "pong"
            paid = 10 * (costs.SOCKET + costs.MESSAGES[Hello]) + costs.ROUTES["create"]
            assert answered == int((60 - paid) / costs.MESSAGES[Ping])
            for path in ("/tables", "/nothing", "/games"):
                assert server.get(path).status_code == 429
            with pytest.raises(Exception, match="429"):
                stack.enter_context(server.socket(made["table"]))

    def test_a_flood_from_120_sockets_costs_one_budget_and_delays_no_other_address(
        self, start, monkeypatch
    ):
        monkeypatch.setattr(rates, "PAUSE_SECONDS", 3600)
        paid = 120 * (costs.SOCKET + costs.MESSAGES[Hello]) + costs.ROUTES["create"]
        work = Rate(1, paid + 100.5 * costs.MESSAGES[Ping])
        server = start(clock=OwnClock().server, work=work, proxies="127.0.0.1")
        made = server.table("octa", ["me", 1])
        with contextlib.ExitStack() as stack:
            flooding = [stack.enter_context(server.socket(made["table"])) for _ in range(120)]
            for socket in flooding:
                for number in range(20):
                    socket.send({"t": "ping", "at": number})
            handled = 0
            for socket in flooding:
                answers = (socket.receive("pong", "error")["t"] for _ in range(20))
                # After its first refusal a connection is not read for a while.
                handled += len(list(takewhile("pong".__eq__, answers)))
                socket.raw.close_timeout = 0
            assert handled == 100
            other = {"X-Forwarded-For": "198.51.100.7"}
            body = {"game": "octa", "seats": [{"kind": "me"}, {"kind": "agent", "level": 1}]}
            own = server.post("/tables", body, headers=other).json()
            with server.socket(own["table"], own["token"], headers=other) as player:
                action = player.welcome["scene"]["actions"][0][0]
                assert player.ask("play", 1, ply=0, action=action)["t"] == "ack"

    @pytest.mark.parametrize("path", ["/api/v1/nothing", "/nothing", "/", "/healthz"])
    def test_every_request_is_paid_for(self, start, path):
        server = start(clock=OwnClock().server, work=Rate(1, 3))
        codes = [server.http.get(server.url + path).status_code for _ in range(4)]
        assert codes[-1] == 429
        assert 429 not in codes[:-1]

    def test_requests_for_a_wrong_host_are_paid_for(self, start):
        server = start(clock=OwnClock().server, work=Rate(1, 3))
        ask = {"url": f"{server.url}/", "headers": {"Host": "evil.example"}}
        assert [server.http.get(**ask).status_code for _ in range(4)] == [403, 403, 403, 429]

    @pytest.mark.parametrize(
        ("path", "headers", "refused"),
        [("/nothing", {}, "404"), ("/ws/v1", {"Origin": "https://evil.example"}, "403")],
    )
    def test_refused_handshakes_are_paid_for(self, start, caplog, path, headers, refused):
        server = start(clock=OwnClock().server, work=Rate(1, 3.5 * costs.SOCKET))
        for code in (refused, refused, refused, "429"):
            with pytest.raises(InvalidStatus, match=code):
                connect(f"ws://127.0.0.1:{server.port}{path}", additional_headers=headers)
        assert "Traceback" not in caplog.text

    def test_refused_requests_of_operators_are_paid_for(self, start):
        server = start(clock=OwnClock().server, work=Rate(1, 3))
        ask = f"{server.url}/admin/v1/tables"
        assert [server.http.get(ask).status_code for _ in range(4)] == [401, 401, 401, 429]

    def test_messages_that_cannot_be_read_are_paid_for(self, start):
        server = start(clock=OwnClock().server, work=Rate(1, 7))
        made = server.table("octa", ["me", 1])
        codes = []
        with server.socket(made["table"]) as socket:
            for number in range(6):
                socket.raw.send(b"\0" if number % 2 else "{")
                codes.append(socket.receive("error")["code"])
        assert codes == ["bad_message"] * 2 + ["rate_limited"] * 4

    def test_a_refused_connection_is_not_read_during_the_pause(self, start, monkeypatch):
        monkeypatch.setattr(rates, "PAUSE_SECONDS", 3600)
        server = start(clock=OwnClock().server, work=Rate(1, 7))
        made = server.table("octa", ["me", 1])
        with server.socket(made["table"]) as socket:
            for number in range(100):
                socket.send({"t": "ping", "at": number})
            while socket.receive("pong", "error")["t"] == "pong":
                pass
            text = server.app.metrics.text().decode()
            assert 'parlour_rate_limited_total{limit="work"} 1.0' in text
            socket.raw.close_timeout = 0  # the server does not read the close frame either

    def test_a_new_table_for_a_hundred_players_of_one_address_is_not_refused(self, start):
        server = start(tables=Settings().tables, work=Settings().work)
        for _ in range(50):
            server.table("cat_mouse", ["me"])


class TestLog:
    def test_a_limit_is_logged_once_a_minute_without_addresses(self, caplog):
        now = Hand()
        log = LimitLog(now, has_addresses=False)
        for _ in range(500):
            log.note("work", "192.0.2.1")
        log.note("tables", "192.0.2.1")
        now.at += 60
        log.note("work", "192.0.2.1")
        assert [(each.limit, each.times) for each in caplog.records] == [
            *(("work", 1), ("tables", 1), ("work", 500)),
        ]
        assert not [each for each in caplog.records if hasattr(each, "address")]

    def test_addresses_are_logged_on_request(self, caplog):
        LimitLog(Hand(), has_addresses=True).note("work", "192.0.2.1")
        assert caplog.records[0].address == "192.0.2.1"

    def test_a_refused_request_is_logged(self, start, caplog):
        server = start(work=Rate(0.001, 1))
        for _ in range(3):
            server.get("/nothing")
        (line,) = (each for each in caplog.records if each.message == "a limit was reached")
        assert (line.limit, line.times) == ("work", 1)


class TestListedTables:
    def test_an_address_fills_at_most_a_tenth_of_the_list_also_after_a_restart(self, start):
        server = start()
        wish = {"game": "octa", "seats": [{"kind": "me"}], "visibility": "listed"}
        codes = [server.post("/tables", wish).status_code for _ in range(8)]
        server.stop()
        server = start()
        answers = [server.post("/tables", wish) for _ in range(6)]
        codes += [each.status_code for each in answers]
        assert codes == [201] * 10 + [429] * 4
        assert "10 listed tables" in answers[-1].json()["message"]
        assert len(server.get("/tables").json()["tables"]) == 10
        assert server.post("/tables", {**wish, "visibility": "link"}).status_code == 201

    def test_a_finished_table_makes_room_for_another(self, start):
        server = start()
        wish = {"game": "cat_mouse", "seats": [{"kind": "me"}], "visibility": "listed"}
        made = [server.post("/tables", wish).json() for _ in range(10)]
        assert server.post("/tables", wish).status_code == 429
        path = f"/tables/{made[0]['table']}/actions"
        answer = server.post(path, {"t": "resign"}, made[0]["token"])
        assert answer.status_code == 200, answer.text
        assert server.post("/tables", wish).status_code == 201

    def test_the_store_keeps_no_address_in_the_clear(self, start):
        server = start()
        made = server.table("octa", ["me"], visibility="listed")
        row = server.run(server.app.rooms.room(made["table"])).hosted.row
        assert len(row.owner) == 24
        assert "127.0.0.1" not in repr(row)

    def test_guests_of_the_lobby_with_the_same_tables_share_a_query(self, start, monkeypatch):
        server = start()
        tokens = [server.table("octa", ["me"])["token"] for _ in range(3)]
        lobby, asked = server.app.rooms.lobby, []
        mine = lobby.mine

        async def counted(own):
            asked.append(sorted(own.values()))
            return await mine(own)

        with contextlib.ExitStack() as stack:
            for number in range(12):
                mine_here = tokens if number % 2 else []
                stack.enter_context(server.socket(lobby=True, tokens=mine_here))
            monkeypatch.setattr(lobby, "mine", counted)
            server.run(lobby._publish_once())
        assert asked == [[], [0, 0, 0]]


class TestFanOut:
    def test_a_move_costs_more_at_a_table_with_many_viewers(self, start):
        server = start(clock=OwnClock().server, work=Rate(1, 1000))
        made = server.table("octa", ["me", "open"])
        server.claim(made)
        left = server.app._work.of("127.0.0.1")
        with contextlib.ExitStack() as stack:
            ann = stack.enter_context(server.socket(made["table"], made["token"]))
            for _ in range(30):
                stack.enter_context(server.socket(made["table"]))
            before = left.left
            ann.ask("play", 1, ply=0, action=ann.welcome["scene"]["actions"][0][0])
            assert before - left.left == pytest.approx(costs.MESSAGE + 31 * costs.VIEWER)
