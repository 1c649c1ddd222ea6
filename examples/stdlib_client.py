"""Play random moves on a server over HTTP, with only Python's standard library.

    python stdlib_client.py http://127.0.0.1:8000 octa           a table against level 1
    python stdlib_client.py 'http://127.0.0.1:8000/t/TABLE#seat=1&claim=SECRET'

It follows openapi.json. Every request that changes something has an Idempotency-Key, so it can be
sent again after any failure: the server executes it once.
"""

import json
import random
import secrets
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

PASSING = {"rate_limited", "busy", "closing", "store_unavailable"}


def call(base, method, path, token="", body=None, key="", attempts=20):
    """Return the server's answer; retry while the server is unreachable or busy."""
    headers = {"Content-Type": "application/json", "Idempotency-Key": key or uuid.uuid4().hex}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    data = None if body is None else json.dumps(body).encode()
    for attempt in range(attempts):
        request = urllib.request.Request(base + "/api/v1" + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as refused:
            problem = json.load(refused)
            if problem["code"] not in PASSING:
                raise SystemExit(f"{problem['code']}: {problem['message']}") from None
            time.sleep(problem.get("retry_after", 1.0))
        except OSError:
            time.sleep(min(5.0, 0.1 * 2**attempt))
    raise SystemExit(f"{base} does not answer")


def seat(link, game):
    """Return base, table and token: from an invitation, or of a new table against an agent."""
    nonce = secrets.token_hex(16)  # your contribution to chance
    if not game:
        base, _, rest = link.partition("/t/")
        table, _, fragment = rest.partition("#")
        given = dict(urllib.parse.parse_qsl(fragment))
        path = f"/tables/{table}/seats/{given['seat']}/claim"
        return (
            base,
            table,
            call(base, "POST", path, body={"claim": given["claim"], "nonce": nonce})["token"],
        )
    wish = {
        "game": game,
        "nonce": nonce,
        "seats": [{"kind": "me"}, *[{"kind": "agent", "level": 1}] * 3],
    }
    count = next(g["seats"] for g in call(link, "GET", "/games")["games"] if g["name"] == game)
    made = call(link, "POST", "/tables", body={**wish, "seats": wish["seats"][:count]})
    return link, made["table"], made["token"]


def main(link, game=""):
    """Play until the game is over, and print the events."""
    base, table, token = seat(link, game)
    known = 0
    while True:
        where = call(base, "GET", f"/tables/{table}", token)
        for event in call(base, "GET", f"/tables/{table}/events?after={known}", token)["events"]:
            known = event["v"]
            print(event["sentence"])
        actions = where.get("scene", {}).get("actions", [])
        if where["status"] == "over":
            print(where["scene"]["status"])
            return
        if actions:
            play = {"t": "play", "ply": where.get("ply", 0), "action": random.choice(actions)[0]}
            call(base, "POST", f"/tables/{table}/actions", token, play)
        else:
            time.sleep(0.05)


if __name__ == "__main__":
    main(*sys.argv[1:3])
