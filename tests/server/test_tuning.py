"""Limits that an operator tunes while servers run."""

import asyncio

import pytest
from live_server import OwnClock

from parlour.protocol.errors import RateLimited
from parlour.server import rates
from parlour.server.admin.tuning import TUNABLE, LimitTuning, limit_name, tuned
from parlour.server.rates import Bucket, Buckets, Rate, SharedRate
from parlour.server.settings import SettingError, Settings, rate, rate_text


class Hand:
    """A clock that the test moves."""

    at = 0.0

    def __call__(self):
        return self.at


def taken(bucket):
    """Return how many tokens are available."""
    count = 0
    while not bucket.wait():
        count += 1
    return count


def test_a_bucket_that_is_in_use_adopts_a_new_rate():
    now, pace = Hand(), SharedRate(Rate(1, 10))
    bucket = Bucket(pace, now)
    assert taken(bucket) == 10
    pace.adopt(Rate(5, 3))
    now.at += 1
    assert taken(bucket) == 3  # five were added, three fit
    pace.adopt(Rate(5, 100))
    now.at += 10
    assert taken(bucket) == 50
    assert bucket.wait() == pytest.approx(0.2)


def test_a_bucket_holds_no_more_than_the_new_burst():
    now, pace = Hand(), SharedRate(Rate(1, 1000))
    bucket = Bucket(pace, now)
    assert bucket.is_full
    pace.adopt(Rate(1, 2))
    assert bucket.is_full
    assert taken(bucket) == 2


def test_addresses_share_a_rate_and_have_separate_buckets():
    now, pace = Hand(), SharedRate(Rate(1, 1))
    buckets = Buckets(pace, "requests", now)
    buckets.take("a")
    with pytest.raises(RateLimited):
        buckets.take("a")
    buckets.take("b")
    pace.adopt(Rate(100, 100))
    now.at += 1
    for _ in range(100):
        buckets.take("a")
        buckets.take("b")


@pytest.mark.parametrize("text", ["10/s,40", "6/m,30", "1/h,1", "30/m,5", "999999/s,999999"])
def test_rates_round_trip_as_text(text):
    assert rate(rate_text(rate(text, "work")), "work") == rate(text, "work")
    assert rate_text(rate("60/m,5", "work")) == "1/s,5"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("work", "fast"),
        ("work", "0/s,5"),
        ("work", "5/s,0"),
        ("work", "1e3/s"),
        ("words", ""),
        ("sockets", "0"),
        ("sockets", "many"),
        ("sockets", "1.5"),
        ("agent_seconds", "nan"),
        ("agent_seconds", "-1"),
        ("agent_budget", "inf"),
        ("agent_queue", "-3"),
        ("port", "9000"),
        ("store", "sqlite:x"),
        ("metrics_token", "x"),
        ("", "1"),
    ],
)
def test_tuning_refuses_the_same_values_as_the_command_line(name, text):
    with pytest.raises(SettingError):
        tuned(Settings(), name, text)


def test_server_wide_limits_are_divided_among_workers():
    tuning = LimitTuning(Settings(workers=3, sockets=10, agent_queue=5))
    assert tuning.settings.sockets == 4
    tuning.adopt({"sockets": "100", "agent_queue": "7"})
    assert (tuning.settings.sockets, tuning.settings.agent_queue) == (34, 7)
    assert {each.name: each.value for each in tuning.limits()}["sockets"] == "100"


def test_limits_accept_option_names():
    assert limit_name("--agent-queue") == limit_name("agent_queue") == "agent_queue"


def test_limits_show_their_source():
    tuning = LimitTuning(Settings(sockets=77, tables=Rate(3, 9)))
    assert tuning.adopt({"sockets": "5", "agent_seconds": "2.5"})
    assert not tuning.adopt({"sockets": "5", "agent_seconds": "2.5"})
    found = {each.name: each[1:] for each in tuning.limits()}
    assert set(found) == set(TUNABLE)
    assert found["sockets"] == ("5", "tuned", "77")
    assert found["agent_seconds"] == ("2.5", "tuned", "30")
    assert found["tables"] == ("3/s,9", "command line", "3/s,9")
    assert found["words"] == ("30/m,5", "default", "30/m,5")
    assert tuning.adopt({})
    assert tuning.settings == Settings(sockets=77, tables=Rate(3, 9))


def test_an_invalid_tuned_limit_is_ignored_and_logged_once(caplog):
    caplog.set_level("INFO")
    tuning = LimitTuning(Settings())
    for _ in range(3):
        tuning.adopt({"wishes": "3", "work": "7/s", "sockets": "none"})
    assert tuning.settings == Settings(work=Rate(7, 7))
    assert len([each for each in caplog.records if each.levelname == "WARNING"]) == 2


def test_a_tuned_limit_applies_to_open_connections_and_after_a_restart(start, monkeypatch):
    monkeypatch.setattr(rates, "PAUSE_SECONDS", 0)
    clock = OwnClock()
    server = start(clock=clock.server, work=Rate(1, 8))
    store = server.app.rooms.store
    made = server.table("octa", ["me", "open"])
    with server.socket(made["table"], made["token"]) as socket:

        def pings():
            """Return how many pings are answered before one is refused."""
            for count in range(1000):
                socket.send({"t": "ping", "at": count})
                if socket.receive("pong", "error")["t"] == "error":
                    return count
            return 1000

        # Of 8 units, the table took 3.3, the socket 1.2 and the hello 1.8.
        assert pings() == 6
        server.run(store.set_setting("work", "20/s,50"))
        server.run(server.app.rooms.tune())
        clock.seconds += 10
        assert pings() == 200
    server.stop()
    again = start(work=Rate(1, 8))
    assert again.app.rooms.settings.work == Rate(20, 50)


def test_tuned_limits_apply_to_every_process(start):
    server = start(sockets=5, agent_queue=9, beat_seconds=0.01)
    server.run(server.app.rooms.store.set_setting("sockets", "1"))
    server.run(server.app.rooms.store.set_setting("agent_seconds", "0.25"))

    async def adopted():
        while server.app.rooms.settings.sockets != 1:
            await asyncio.sleep(0.005)
        return server.app.rooms.settings

    found = server.run(adopted())
    assert found.agent_queue == 9
    server.run(server.app.rooms.tune())
    assert {host.seconds for host in server.app.rooms.pool._hosts} == {0.25}
    made = server.table("octa", ["me", "open"])
    with (
        server.socket(made["table"]) as socket,
        pytest.raises(Exception, match="429"),
        server.socket(made["table"]),
    ):
        pass
    assert socket.welcome["t"] == "welcome"


def test_the_time_limit_of_running_agents_can_be_tuned(start):
    server = start()
    server.run(server.app.rooms.store.set_setting("agent_queue", "1"))
    server.run(server.app.rooms.tune())
    assert server.app.rooms.pool._settings.agent_queue == 1
