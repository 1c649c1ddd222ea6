"""The demo server outside of a browser: the same responses, from memory and in one thread."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import pytest
from patience import PATIENCE

from parlour.server.store.store import Change, Outdated

sys.path.insert(0, str(Path(__file__).parent.parent.parent / "tools" / "site" / "demo"))

from parlour_demo import Demo, MemoryStore

WISH = {
    "game": "octa",
    "options": {"size": 1},
    "seats": [{"kind": "me"}, {"kind": "agent", "level": 2}],
}
KEY = {"idempotency-key": "0123456789abcdef0123456789abcdef"}


async def asked(demo, path, body=None, headers=None):
    method = "GET" if body is None else "POST"
    words = {"content-type": "application/json", **(headers or {})}
    status, kind, content = await demo.request(
        method, f"/api/v1{path}", words, "" if body is None else json.dumps(body)
    )
    assert kind == "application/json"
    return status, json.loads(content)


def with_demo(work):
    """Run a test with a started demo server."""

    async def run():
        demo = Demo()
        await demo.start()
        try:
            return await asyncio.wait_for(work(demo), 60)
        finally:
            await demo.stop()

    return asyncio.run(run())


def test_a_game_can_be_played_to_the_end_over_a_websocket():
    async def work(demo):
        _, made = await asked(demo, "/tables", WISH)
        received = asyncio.Queue()
        demo.open(1, lambda text: received.put_nowait(json.loads(text)), lambda code: None)
        demo.say(1, json.dumps({"t": "hello", "protocol": 1, "table": made["table"]}))
        welcome = await received.get()
        assert welcome["you"] == 0
        actions, ply = welcome["scene"]["actions"], 0
        while True:
            demo.say(1, json.dumps({"t": "play", "id": ply, "ply": ply, "action": actions[0][0]}))
            actions = []
            while not actions:
                message = await received.get()
                standing = message.get("standing", {})
                if standing.get("ending"):
                    return standing["ending"], await asked(demo, f"/tables/{made['table']}")
                if message["t"] == "update":
                    ply = standing["ply"]
                    actions = message.get("diff", {}).get("actions", [])

    ending, (status, info) = with_demo(work)
    assert ending["words"].endswith(".")
    assert (status, info["status"]) == (200, "over")


def test_slow_levels_are_not_offered():
    status, found = with_demo(lambda demo: asked(demo, "/games"))
    assert status == 200
    assert {game["levels"] for game in found["games"]} == {4}


def test_a_repeated_request_creates_one_table():
    async def work(demo):
        first = await asked(demo, "/tables", WISH, KEY)
        second = await asked(demo, "/tables", WISH, KEY)
        return first, second, await demo.app.rooms.store.count()

    first, second, count = with_demo(work)
    assert first == second
    assert count == {"person": 1}


def test_a_refusal_has_the_server_s_message():
    async def work(demo):
        return await asked(demo, "/tables", {**WISH, "game": "chess"})

    status, refused = with_demo(work)
    assert (status, refused["code"]) == (404, "not_found")


def test_a_refused_request_leaves_the_store_unchanged():
    async def work():
        store = MemoryStore(lambda: 0)
        before = store._connection.total_changes
        with pytest.raises(Outdated):
            await store.commit(Change("nosuch", 3))
        changes = store._connection.total_changes - before
        await store.close()
        return changes

    assert asyncio.run(work()) == 0


def test_the_application_needs_no_web_server():
    """In a browser there is none."""
    blocked = "import sys; sys.modules.update(uvicorn=None, uvloop=None, websockets=None)"
    command = [sys.executable, "-c", f"{blocked}; import parlour.server.http.app"]
    subprocess.run(command, check=True, timeout=PATIENCE)
