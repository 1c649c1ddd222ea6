"""The agent pool: fair, bounded, and with crashed processes replaced."""

import asyncio
import contextlib
import functools
import os
import signal

import pytest
from live_server import OwnClock

import parlour
from parlour import RecordError
from parlour.agents import Analysis
from parlour.agents.process import AgentProcess, ProcessEnded
from parlour.core.game import CHANCE
from parlour.protocol.errors import RateLimited
from parlour.server.live import pool as pools
from parlour.server.live.openings import new_table
from parlour.server.live.pool import AgentPool
from parlour.server.rates import Rate
from parlour.server.settings import Settings
from parlour.server.store.store import GameRow
from parlour.table import PERSON, Event, EventKind, Start
from parlour.table.errors import Busy


@contextlib.asynccontextmanager
async def pool_of(settings=Settings(), ask=None):  # noqa: B008
    now = [0.0]
    pool = AgentPool(settings, lambda: now[0])
    pool.test_clock = now
    pool.start()
    try:
        yield pool
    finally:
        await pool.close()


class Gate:
    """Requests that are answered, in order, when the test allows it; each takes a second."""

    def __init__(self, clock=None):
        self.order = []
        self.clock = clock or [0.0]
        self.loop = asyncio.get_running_loop()
        self.open = asyncio.Event()

    def question(self, name):
        def ask(host):
            self.order.append(name)
            asyncio.run_coroutine_threadsafe(self.open.wait(), self.loop).result(20)
            self.clock[0] += 1.0
            return name

        return ask


def test_a_person_waiting_for_level_1_comes_before_a_hundred_agent_games():
    async def work():
        async with pool_of() as pool:
            gate = Gate()
            watched = [
                asyncio.create_task(
                    pool._submit("host", f"agents{n}", False, gate.question(f"agents{n}"))
                )
                for n in range(100)
            ]
            while not gate.order:
                await asyncio.sleep(0.001)
            person = asyncio.create_task(
                pool._submit("guest", "person", True, gate.question("person"))
            )
            await asyncio.sleep(0.01)
            assert pool.ahead_of(True, "guest") == 1
            assert pool.ahead_of(False, "host") == 100
            gate.open.set()
            await asyncio.gather(person, *watched)
            return gate.order

    order = asyncio.run(work())
    assert order.index("person") == 1  # after the request that was already running
    assert len(order) == 101


def test_among_equals_the_table_with_the_least_time_used_comes_first():
    async def work():
        async with pool_of() as pool:
            gate = Gate()
            pool._used.update({"much": 50.0, "little": 1.0})
            first = asyncio.create_task(pool._submit("one", "first", True, gate.question("first")))
            while not gate.order:
                await asyncio.sleep(0.001)
            names = ["much", "little", "none"]
            others = [
                asyncio.create_task(pool._submit("one", name, True, gate.question(name)))
                for name in names
            ]
            await asyncio.sleep(0.01)
            gate.open.set()
            await asyncio.gather(first, *others)
            return gate.order

    assert asyncio.run(work()) == ["first", "none", "little", "much"]


async def until(is_true):
    while not is_true():
        await asyncio.sleep(0.001)


def test_forty_analyses_of_one_address_delay_no_move_and_one_analysis_of_another():
    async def work():
        async with pool_of() as pool:
            moves, analyses = Gate(), Gate(pool.test_clock)
            put = functools.partial(pool._put, pool._analyses)
            asked = [
                asyncio.create_task(
                    put(pool._request("attacker", "", False, analyses.question(f"attacker{n}")))
                )
                for n in range(40)
            ]
            await until(lambda: analyses.order)
            asked.append(
                asyncio.create_task(
                    put(pool._request("guest", "", False, analyses.question("guest")))
                )
            )
            await asyncio.sleep(0)
            assert pool.waiting == 40
            assert pool.ahead_of(True, "guest") == 0
            moves.open.set()
            assert await pool._submit("guest", "t", True, moves.question("move")) == "move"
            assert analyses.order == ["attacker0"]  # which has not been answered yet
            analyses.open.set()
            await asyncio.gather(*asked)
            return analyses.order

    assert asyncio.run(work()).index("guest") == 1


def test_addresses_take_turns_however_many_requests_one_of_them_has():
    async def work():
        async with pool_of() as pool:
            gate = Gate(pool.test_clock)

            def submit(owner, count):
                return [
                    asyncio.create_task(
                        pool._submit(owner, f"{owner}{n}", True, gate.question(f"{owner}{n}"))
                    )
                    for n in range(count)
                ]

            tasks = submit("many", 20)
            await until(lambda: gate.order)
            tasks += submit("few", 3)
            await asyncio.sleep(0)
            places = [pool.ahead_of(True, owner) for owner in ("many", "few", "new")]
            assert places == [19 + 3, 3 + 3, 1]
            gate.open.set()
            await asyncio.gather(*tasks)
            return gate.order

    order = asyncio.run(work())
    assert order[1:4] == ["few0", "many1", "few1"]
    assert {"few0", "few1", "few2"} <= set(order[:7])


def test_addresses_with_full_budgets_take_turns():
    async def work():
        async with pool_of() as pool:
            gate = Gate(pool.test_clock)

            def submit(owner, number):
                name = f"{owner}{number}"

                def ask(host):
                    found = gate.question(name)(host)
                    gate.clock[0] += 1e6  # every budget is full again
                    return found

                return asyncio.create_task(pool._submit(owner, name, True, ask))

            tasks = [submit(f"attacker{n}-", m) for n in range(5) for m in range(20)]
            await until(lambda: gate.order)
            tasks.append(submit("guest", 0))
            await asyncio.sleep(0)
            assert pool.ahead_of(True, "new") <= 6
            gate.open.set()
            await asyncio.gather(*tasks)
            return gate.order

    order = asyncio.run(work())
    assert order.index("guest0") <= 5
    for turn in range(1, 100, 20):
        names = {name.partition("-")[0] for name in order[turn : turn + 6]}
        assert len(names) >= 5


def test_a_free_process_goes_to_the_address_without_a_running_request():
    async def work():
        async with pool_of(Settings(agents=2)) as pool:
            gate = Gate()

            def submit(owner, table):
                return asyncio.create_task(pool._submit(owner, table, True, gate.question(table)))

            tasks = [submit("many", "many0")]
            await until(lambda: gate.order)
            pool._budgets.of("few").charge(100.0)
            tasks += [submit("many", "many1"), submit("few", "few0")]
            await until(lambda: len(gate.order) == 2)
            first = list(gate.order)
            gate.open.set()
            await asyncio.gather(*tasks)
            return first

    assert asyncio.run(work()) == ["many0", "few0"]


def test_analyses_are_refused_after_an_address_used_its_budget(monkeypatch):
    monkeypatch.setattr(pools, "_with_agent", lambda host, text, work: Analysis((), "", 0.0))

    async def work():
        async with pool_of(Settings(agent_budget=Rate(1, 5))) as pool:
            state = parlour.game("octa").start(1)
            analyse = functools.partial(pool.analyse, "busy", "best", state)
            await analyse()
            assert pool._budgets.of("busy").left == 5.0  # nothing was used, so it was returned
            pool._budgets.of("busy").charge(4.5)
            with pytest.raises(RateLimited) as refused:
                await analyse()
            assert (refused.value.limit, refused.value.retry_after) == ("agent_budget", 0.5)
            await pool.analyse("other", "best", state)

    asyncio.run(work())


def test_an_address_fills_at_most_a_tenth_of_the_queue():
    async def work():
        async with pool_of(Settings(agent_queue=30)) as pool:
            gate = Gate()
            tasks = []
            for number in range(10):
                tasks.append(
                    asyncio.create_task(pool._submit("many", f"{number}", True, gate.question(0)))
                )
                await asyncio.sleep(0.01)
                if number < 3:
                    pool.check_room("many")
            with pytest.raises(Busy, match="9 agent requests of your address"):
                pool.check_room("many")
            pool.check_room("other")
            gate.open.set()
            await asyncio.gather(*tasks)

    asyncio.run(work())


def test_analyses_run_in_a_process_of_low_priority():
    async def work():
        async with pool_of() as pool:
            state = parlour.game("octa").start(1)
            await pool.analyse("one", "greedy", state)
            move = await pool.choose("t", "level:1", 1, state, None, True, "one")
            (host,) = pool._hosts
            assert move in list(state.legal_actions())
            processes = [each._child.process.pid for each in (host, pool._analyst)]
            own = os.getpriority(os.PRIO_PROCESS, 0)
            return [os.getpriority(os.PRIO_PROCESS, pid) - own for pid in processes], own

    (games, analyses), own = asyncio.run(work())
    assert games == 0
    assert analyses == min(19, pools.ANALYSIS_NICE) - own


def test_a_dead_agent_process_is_replaced_and_its_turn_retried():
    async def work():
        async with pool_of() as pool:
            state = parlour.game("octa").start(1)
            first = await pool.choose("t", "level:3", 7, state, None, True)
            (host,) = pool._hosts
            os.killpg(host._child.process.pid, signal.SIGKILL)
            host._child.process.wait()
            again = await pool.choose("t", "level:3", 7, state, None, True)
            return first, again, pool.replaced

    first, again, replaced = asyncio.run(work())
    assert first == again
    assert replaced <= 1


def test_an_agent_that_always_crashes_plays_randomly(monkeypatch):
    def die(self, home, question, read):
        raise ProcessEnded("crashed: again")

    monkeypatch.setattr(AgentProcess, "ask", die)

    async def work():
        async with pool_of() as pool:
            state = parlour.game("octa").start(1)
            return state, await pool.choose("t", "level:3", 7, state, None, True), pool.replaced

    state, action, replaced = asyncio.run(work())
    assert action in list(state.legal_actions())
    assert replaced == 3


@pytest.mark.parametrize(
    "text", ["ugi:touch {}", "gtp:touch {}", "engine:evil", "trap_agent:Agent", "nobody", "level:x"]
)
def test_an_agent_in_a_tampered_store_is_not_loaded(text, tmp_path, monkeypatch):
    trace = tmp_path / "trace"
    (tmp_path / "own.toml").write_text(
        f"[evil]\nprotocol = 'ugi'\ncommand = ['touch', '{trace}']\n"
    )
    (tmp_path / "trap_agent.py").write_text(f"open({str(trace)!r}, 'w')\n")
    monkeypatch.setenv("PARLOUR_ENGINES", str(tmp_path / "own.toml"))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.syspath_prepend(tmp_path)

    async def work():
        async with pool_of() as pool:
            state = parlour.game("octa").start(1)
            played = await pool.choose("t", text.format(trace), 7, state, None, True)
            return state, played, pool.replaced

    state, action, replaced = asyncio.run(work())
    assert action in list(state.legal_actions())
    assert replaced == 0
    assert not trace.exists()


@pytest.mark.parametrize("text", ["gtp:true", "engine:any", "odd_agents:First"])
def test_a_stored_game_with_an_unknown_agent_is_not_opened(text, monkeypatch):
    monkeypatch.setattr(AgentProcess, "ask", lambda *_: pytest.fail("it was loaded"))
    row = GameRow("t", "octa", "{}", 1, b"k" * 32, "", "private", 0)
    start = Start((PERSON, text), ("", ""), 1)
    started = Event(1, EventKind.START, CHANCE, start=start)
    with pytest.raises(RecordError, match="is not an installed agent"):
        new_table(row, parlour.game("octa"), started, OwnClock().server, [])


def test_agents_play_at_level_1_after_an_address_used_its_budget(caplog):
    asked = []

    async def work():
        async with pool_of(Settings(agent_budget=Rate(1, 10))) as pool:
            state = parlour.game("octa").start(1)

            async def note(owner, table, waits, ask, processes):
                asked.append(ask.args[0])
                return int(state.legal_actions()[0])

            pool._submit = note
            for table in ("first", "second"):
                await pool.choose(table, "level:9", 1, state, None, True, "busy")
                pool._budgets.of("busy").charge(10.0)
            await pool.choose("third", "level:9", 1, state, None, True, "other")
            pool.test_clock[0] += 20.0
            await pool.choose("fourth", "level:9", 1, state, None, True, "busy")

    asyncio.run(work())
    played = [text.partition(",")[0] for text in asked]
    assert played == ["level:9", "level:1", "level:9", "level:9"]
    (line,) = (each for each in caplog.records if each.message == "a limit was reached")
    assert line.limit == "agent_budget"


def test_the_strongest_agent_uses_all_idle_cores_against_a_person(monkeypatch):
    monkeypatch.setattr(pools, "free_cores", lambda: 3)
    asked = []

    async def work():
        async with pool_of(Settings(agents=1)) as pool:
            state = parlour.game("blokus").start()

            def note(text, state, limit, host):
                asked.append(text)
                pool.test_clock[0] += 5.0
                return int(state.legal_actions()[0])

            monkeypatch.setattr(pools, "_choice", note)
            for text, waits in (("level:9", True), ("best", True), ("level:8", True)):
                await pool.choose(text, text, 1, state, None, waits)
            await pool.choose("watched", "level:9", 1, state, None, False)
            gate = Gate()
            busy = [
                asyncio.create_task(pool._submit("one", "busy", True, gate.question(n)))
                for n in range(2)
            ]
            while pool.busy + pool.waiting < 2:
                await asyncio.sleep(0)
            late = asyncio.create_task(pool.choose("late", "level:9", 1, state, None, True))
            await asyncio.sleep(0)
            gate.open.set()
            await asyncio.gather(*busy, late)
            return dict(pool._used)

    used = asyncio.run(work())
    assert asked == [
        *("level:n=9,seed=1,processes=3", "best:seed=1,processes=3", "level:8,seed=1"),
        *("level:9,seed=1", "level:9,seed=1"),
    ]
    assert [used[table] for table in ("level:9", "best", "level:8", "watched")] == [15, 15, 5, 5]


def test_the_number_of_time_accounts_is_bounded(monkeypatch):
    monkeypatch.setattr(pools, "TABLES_COUNTED", 3)

    async def work():
        async with pool_of() as pool:
            for table in ("a", "b", "a", "c", "d"):
                await pool._submit("one", table, True, lambda host: None)
            return list(pool._used)

    assert asyncio.run(work()) == ["a", "c", "d"]


def test_new_tables_with_agents_are_refused_when_the_queue_is_full():
    async def work():
        async with pool_of(Settings(agent_queue=3)) as pool:
            gate = Gate()
            tasks = [
                asyncio.create_task(pool._submit(f"address{n}", f"{n}", True, gate.question(n)))
                for n in range(4)
            ]
            while not gate.order:
                await asyncio.sleep(0.001)
            with pytest.raises(Busy, match="3 agent requests"):
                pool.check_room("new")
            gate.open.set()
            await asyncio.gather(*tasks)
            pool.check_room("new")

    asyncio.run(work())


def test_a_full_queue_gives_busy_over_http(start):
    server = start(agent_queue=0)
    answer = server.post("/tables", {"game": "octa", "seats": [{"kind": "agent", "level": 1}]})
    assert (answer.status_code, answer.json()["code"]) == (503, "busy")
    assert server.post("/tables", {"game": "octa"}).status_code == 201


def test_agents_are_limited_in_time_and_memory():
    async def work():
        async with pool_of(Settings(agent_memory=512, agent_seconds=3.0)) as pool:
            while not pool._hosts:
                await asyncio.sleep(0.001)
            (host,) = pool._hosts
            return host._memory, host.seconds

    assert asyncio.run(work()) == (512, 3.0)


def test_agents_play_agents_while_people_watch(server):
    made = server.table("octa", [1, 1], options={"size": 2})
    with server.socket(made["table"]) as socket:
        message = socket.welcome
        while "ending" not in message:
            message = socket.receive("event")
    assert server.get(f"/tables/{made['table']}").json()["status"] == "over"


def test_spectators_see_that_an_agent_is_thinking(server):
    made = server.table("octa", ["me", 1])
    with server.socket(made["table"], made["token"]) as socket:
        socket.send(
            {"t": "play", "id": 1, "ply": 0, "action": socket.welcome["scene"]["actions"][0][0]}
        )
        assert socket.receive("thinking")["seat"] == 1
