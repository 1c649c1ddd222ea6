"""`parlour serve --admin`, with a running server and with the store alone."""

import json
import threading
import time
from itertools import product

import pytest
from own_postgres import shared
from raw_store import execute

from parlour.cli import main
from parlour.core.record import Record
from parlour.protocol.administration import ADMIN
from parlour.server.admin.access import VALID_SECONDS, AdminAccess
from parlour.server.admin.api import PATHS
from parlour.server.admin.client import local_url
from parlour.server.live.pool import AgentPool
from parlour.server.settings import Settings
from parlour.table import Play, Resign


@pytest.fixture
def run(capsys):
    """Run the command and return its status, output lines and error output."""

    def go(*words):
        capsys.readouterr()
        status = main(["serve", *map(str, words)])
        found = capsys.readouterr()
        return status, found.out.splitlines(), found.err

    return go


@pytest.fixture(
    params=list(product(["running", "stopped"], ["sqlite", "postgresql"])), ids="-".join
)
def place(request, start, run, tmp_path):
    """A store with three tables, of a running or a stopped server, and how to administer it."""
    state, kind = request.param
    server = start(tmp_path / "server.sqlite" if kind == "sqlite" else shared().new_database())

    class Place:
        is_running = state == "running"
        store = server.settings.store
        waiting = server.table("octa", ["me", "open"], name="Ann", visibility="listed")
        playing = server.table("banqi", ["me", "open"], name="Ann")
        bob = server.claim(playing, name="Bob")
        over = server.table("octa", ["me", "open"], options={"size": 2}, name="Ann")
        cat = server.claim(over, name="Cat")

        def admin(self, *words):
            port = server.port if self.is_running else 1
            return run("--store", self.store, "--port", port, "--admin", *words)

    place = Place()
    place.server = server
    with server.socket(place.over["table"], place.cat) as socket:
        assert socket.ask("resign", 1)["t"] == "ack"
    if not place.is_running:
        server.stop()
    return place


def objects(lines):
    return [json.loads(line) for line in lines]


def test_tables_are_listed_by_status_and_game(place):
    status, lines, _ = place.admin("list", "--json")
    tables = objects(lines)
    assert status == 0
    assert [each["table"] for each in tables] == sorted(
        made["table"] for made in (place.waiting, place.playing, place.over)
    )

    def names(*words):
        return [each["table"] for each in objects(place.admin("list", "--json", *words)[1])]

    assert names("--status", "waiting") == [place.waiting["table"]]
    assert names("--status", "playing") == [place.playing["table"]]
    assert names("--status", "over", "--game", "octa") == [place.over["table"]]
    assert names("--status", "over", "--game", "banqi") == []
    assert names("--game", "banqi") == [place.playing["table"]]


def test_list_shows_all_players_and_a_count(place):
    status, lines, err = place.admin("list")
    assert status == 0
    assert err == "3 tables\n"
    (line,) = (line for line in lines if place.playing["table"] in line)
    assert "playing" in line
    assert "Ann, Bob" in line
    status, lines, _ = place.admin("show", place.playing["table"])
    assert status == 0
    assert f"table       {place.playing['table']}" in lines
    assert "seat 1      Bob" in lines


def test_ending_a_game_stores_an_event_with_the_reason(place):
    table = place.playing["table"]
    status, lines, _ = place.admin("end", table, "--reason", "the server is moving.")
    assert (status, lines) == (0, [f"{table} has ended"])
    status, lines, err = place.admin("end", table)
    assert (status, lines, err) == (1, [], f"{table}: the game is already over\n")
    _, lines, _ = place.admin("show", table, "--json")
    assert objects(lines)[0]["status"] == "over"


def test_ending_a_game_shows_the_reason_to_everyone_at_the_table(server, run):
    made = server.table("banqi", ["me", "open"])
    bob = server.claim(made)
    waiting = server.table("octa", ["me", "open"])
    words = "The operator has ended the game: rain."
    admin = ("--store", server.settings.store, "--port", server.port, "--admin")
    with (
        server.socket(made["table"], made["token"]) as ann,
        server.socket(made["table"], bob) as other,
        server.socket(made["table"]) as spectator,
        server.socket(waiting["table"], waiting["token"]) as alone,
    ):
        ended = run(*admin, "end", made["table"], waiting["table"], "--reason", "rain", "--json")
        assert ended[0] == 0
        for socket in (ann, other, spectator):
            event = socket.receive("event")
            assert (event["kind"], event["sentence"]) == ("abandon", words)
            assert event["ending"]["words"] == words
        assert alone.receive("event")["sentence"] == words
        refused = ann.ask("play", 1, ply=0, action=0)
        assert refused["code"] == "over"
    with server.socket(made["table"]) as late:
        assert late.welcome["ending"]["words"] == words
    assert [each["table"] for each in objects(ended[1])] == [made["table"], waiting["table"]]


def test_a_finished_game_is_exported_as_its_record(place, tmp_path):
    table = place.over["table"]
    status, lines, _ = place.admin("export", table, "--to", tmp_path / "out" / "deep")
    assert status == 0
    (file,) = (tmp_path / "out" / "deep").iterdir()
    assert lines == [str(file)]
    record = Record.from_text(file.read_text())
    assert record.notes["ending"] == "1 -1: player 2 resigned"
    status, lines, err = place.admin("export", table, "--to", file.parent)
    assert (status, lines) == (1, [])
    assert "already exists" in err


def test_a_running_game_is_exported_as_spectators_see_it(place, tmp_path):
    status, _, _ = place.admin(
        "export", place.playing["table"], place.waiting["table"], "--to", tmp_path / "out"
    )
    assert status == 0
    files = list((tmp_path / "out").iterdir())
    assert {file.suffix for file in files} == {".json"}
    found = {(data := json.loads(file.read_text()))["table"]["table"]: data for file in files}
    kinds = [each["kind"] for each in found[place.playing["table"]]["events"]]
    assert kinds == ["join", "start"]
    rows = execute(place.store, "SELECT chance_key, seed FROM game")
    starts = execute(place.store, "SELECT data FROM event WHERE kind = 'start'")
    text = "".join(file.read_text() for file in files)
    for key, _ in rows:
        assert key.hex() not in text
    for (data,) in starts:
        assert str(json.loads(data)["start"][2]) not in text


def test_output_about_running_games_contains_no_secrets(place):
    said = []
    tables = [place.waiting["table"], place.playing["table"]]
    for words in (["list"], ["show", *tables], ["limits"], ["end", *tables]):
        for more in ([], ["--json"]):
            said += place.admin(*words, *more)[1:]
    text = str(said)
    ((secret,),) = execute(place.store, "SELECT value FROM secret")
    hashes = execute(place.store, "SELECT hash FROM token")
    keys = execute(place.store, "SELECT chance_key FROM game")
    for (data,) in ((secret,), *hashes, *keys):
        assert data.hex() not in text
    for made in (place.waiting, place.playing):
        assert made["token"] not in text
        assert made["invitations"][0]["claim"] not in text


def test_limits_can_be_set_listed_and_unset(place):
    def limits(*words):
        status, lines, err = place.admin(*words, "--json")
        assert status == 0, err
        return {each["name"]: each for each in objects(lines)}

    before = limits("limits")
    assert before["sockets"] == {
        "name": "sockets",
        "value": "10000",
        "source": "default",
        "untuned": "10000",
    }
    after = limits("set", "work=500/s,5000", "agent-queue=7")
    assert after["work"]["value"] == "500/s,5000"
    assert after["work"]["source"] == after["agent_queue"]["source"] == "tuned"
    assert limits("limits") == after
    if place.is_running:
        assert place.server.app.rooms.settings.agent_queue == 7
    again = limits("unset", "work", "agent_queue")
    assert again == before
    _, lines, _ = place.admin("set", "sockets=5")
    assert "sockets              5            tuned, otherwise 10000" in lines


def test_the_operator_confirms_the_clock(place):
    status, lines, err = place.admin("trust-clock", "--json")
    assert status == 0, err
    (done,) = objects(lines)
    assert done["now"] >= done["before"] > 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["set", "work=fast"], "work must look like 10/s or 6/m,30"),
        (["set", "sockets=0"], "--sockets must be at least 1"),
        (["set", "agent_seconds=nan"], "--agent-seconds must be a number of seconds"),
        (["set", "port=9"], "unknown limit 'port'; choose from work"),
        (["set", "work"], "write a limit like work=500/s,5000"),
        (["set", "sockets=5", "work=never"], "work must look like"),
        (["unset", "color"], "unknown limit 'color'"),
        (["list", "--status", "lost"], "'lost' is not one of"),
        (["lists"], "No such command 'lists'"),
        (["end"], "Missing argument 'TABLE...'"),
        (["export", "x"], "Missing option '--to'"),
        (["list", "--url", "http://example.org"], "administer a server from its own machine"),
        (["list", "--url", "https://127.0.0.1"], "administer a server from its own machine"),
        (["list", "--url", "http://127.0.0.1:x"], "administer a server from its own machine"),
        (["list", "--url", "http://127.0.0.1:1"], "no server answers at http://127.0.0.1:1"),
        (["list", "--store", "sqlite:nowhere.sqlite"], "there is no store at nowhere.sqlite"),
        (["list", "--store", "oracle:x"], "--store must look like"),
    ],
)
def test_bad_input_is_refused_in_one_line_and_changes_nothing(server, run, words, message):
    admin = ("--store", server.settings.store, "--port", server.port, "--admin")
    status, lines, err = run(*admin, *words)
    assert (status, lines) == (2, [])
    assert message in err
    assert err.count("\n") == 1
    _, lines, _ = run(*admin, "limits", "--json")
    assert {each["source"] for each in objects(lines)} <= {"default", "command line"}


def test_unknown_tables_are_reported_and_the_others_processed(place):
    table = place.waiting["table"]
    status, lines, err = place.admin("end", "0" * 16, "../limits", table, "a b?c=d")
    assert status == 1
    assert lines == [f"{table} has ended"]
    assert err.count("no table has the id") + err.count("no such") == 3


def test_a_reason_is_one_printable_line(server, run):
    made = server.table("octa", ["me", "open"])
    admin = ("--store", server.settings.store, "--port", server.port, "--admin", "end")
    status, _, err = run(*admin, made["table"], "--reason", "")
    assert status == 1
    assert "give a reason" in err
    assert run(*admin, made["table"], "--reason", "x" * 300)[0] == 1
    assert run(*admin, made["table"], "--reason", "a\n\x1b[2Jb")[0] == 0
    (event,) = server.get(f"/tables/{made['table']}/events").json()["events"]
    assert event["sentence"] == "The operator has ended the game: a \\x1b[2Jb."


def test_a_server_with_another_store_is_reported(start, run, tmp_path):
    one, two = start(tmp_path / "1.sqlite"), start(tmp_path / "2.sqlite")
    status, _, err = run("--store", one.settings.store, "--port", two.port, "--admin", "list")
    assert status == 2
    assert "this server uses another store" in err


def test_a_store_used_by_a_server_on_another_port_is_refused(server, run):
    status, _, err = run("--store", server.settings.store, "--port", 1, "--admin", "list")
    assert status == 2
    assert "another server uses" in err
    assert "check --port" in err


def test_another_program_on_the_port_is_detected(run, server):
    import http.server

    received = []

    class Stranger(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            received.append(self.headers["authorization"])
            self.send_response(418)
            self.end_headers()

        def log_message(self, *words):
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Stranger) as stranger:
        thread = threading.Thread(target=stranger.serve_forever)
        thread.start()
        port = stranger.server_address[1]
        status, _, err = run("--store", server.settings.store, "--port", port, "--admin", "list")
        stranger.shutdown()
        thread.join()
    assert status == 2
    assert "is not a parlour server" in err
    # The signature it received is useless for any other request.
    stolen = {"Authorization": received[-1]}
    assert server.http.get(f"{server.url}{ADMIN}/tables", headers=stolen).status_code == 200
    for path in ("/limits", "/tables?status=over"):
        assert server.http.get(f"{server.url}{ADMIN}{path}", headers=stolen).status_code == 401


# Access control.


def access(server, **more):
    return AdminAccess(server.app.rooms.secret, **more)


def ask(server, header, method="GET", path="/limits", body=b"", **headers):
    headers = {"Authorization": header, **headers}
    url = f"{server.url}{ADMIN}{path}"
    return server.http.request(method, url, headers=headers, content=body)


@pytest.mark.parametrize("path", PATHS)
def test_requests_without_the_secret_are_refused(server, path):
    method, route, _ = path
    made = server.table("octa", ["me", "open"])
    route = route.replace("{table}", made["table"])
    for header in ("", "Bearer", f"Bearer {made['token']}", "Bearer 0.x", "Bearer 9e9.ü", "x"):
        got = ask(server, header.encode(), method, route, b'{"reason": "x", "limits": {"a": "b"}}')
        assert (got.status_code, got.json()["code"]) == (401, "unauthorized")
    wrong = AdminAccess(b"x" * 32).header(method, ADMIN + route, b"")
    assert ask(server, wrong, method, route).status_code == 401
    assert server.get(f"/tables/{made['table']}").json()["status"] == "waiting"


def test_a_signature_is_valid_for_one_request_and_one_minute(server):
    now = time.time()
    body = b'{"limits": {"sockets": "5"}}'
    right = access(server).header("POST", f"{ADMIN}/limits", body)
    assert ask(server, right, "POST", "/limits", body).status_code == 200
    assert ask(server, right, "POST", "/limits", body.replace(b"5", b"6")).status_code == 401
    assert ask(server, right, "GET", "/limits").status_code == 401
    for seconds, status in ((-30, 200), (30, 200), (-2 * VALID_SECONDS, 401), (2e9, 401)):
        late = access(server, wall=lambda at=now + seconds: at)
        got = ask(server, late.header("GET", f"{ADMIN}/limits", b""))
        assert got.status_code == status


@pytest.mark.parametrize("name", ["X-Forwarded-For", "Forwarded", "Via", "X-Real-IP"])
def test_administration_through_a_proxy_is_refused(server, name):
    right = access(server).header("GET", f"{ADMIN}/limits", b"")
    got = ask(server, right, **{name: "127.0.0.1"})
    assert (got.status_code, got.json()["code"]) == (403, "not_allowed")


def test_administration_from_another_machine_is_refused(server):
    from starlette.requests import Request

    def check(client, local):
        target = f"{ADMIN}/limits"
        header = access(server).header("GET", target, b"").encode()
        scope = {
            "type": "http",
            "method": "GET",
            "path": target,
            "raw_path": target.encode(),
            "query_string": b"",
            "headers": [(b"authorization", header)],
            "client": client,
            "server": local,
        }
        access(server).check_address(Request(scope))
        access(server).check(Request(scope), b"")

    check(("127.0.0.1", 5), ("127.0.0.1", 8000))
    check(("::1", 5), ("::1", 8000))
    check(("192.0.2.7", 5), ("192.0.2.7", 8000))  # an address of this machine
    for client in (("192.0.2.9", 5), ("::2", 5), None):
        with pytest.raises(Exception, match="from its own machine"):
            check(client, ("192.0.2.7", 8000))


def test_no_idempotency_key_yields_a_signature(server):
    """Clients' tokens are derived from the same secret, with keys that clients choose."""
    from parlour.server.tokens import body_hash, derived_secret

    target, at = f"{ADMIN}/limits", 1
    wanted = access(server, wall=lambda: at).header("GET", target, b"").partition(".")[2]
    secret = server.app.rooms.secret
    for key in (f"admin/{at}/GET/{target}", f"admin/{at}/GET"):
        for kind in ("token", "claim", "seat"):
            assert derived_secret(secret, key, "0" * 16, kind, 0) != wanted
    assert derived_secret(secret, f"admin/{at}/GET/{target}", body_hash(b"").hex()) == wanted


def test_the_operator_is_exempt_from_rate_limits(start, run, monkeypatch):
    from parlour.server import rates
    from parlour.server.rates import Rate

    monkeypatch.setattr(rates, "PAUSE_SECONDS", 0)

    server = start(work=Rate(0.001, 16))
    server.get("/games")
    assert server.get("/games").status_code == 429
    admin = ("--store", server.settings.store, "--port", server.port, "--admin")
    assert run(*admin, "set", "work=100/s,100")[0] == 0


def test_lists_longer_than_a_page_are_complete(server, run, monkeypatch):
    from parlour.server.admin import api as admin_api

    monkeypatch.setattr(admin_api, "AT_ONCE", 2)
    monkeypatch.setattr(admin_api, "LOOKED_AT", 4)
    made = sorted(server.table("octa", ["me", "open"])["table"] for _ in range(7))
    banqi = server.table("banqi", ["me", "open"])["table"]
    admin = ("--store", server.settings.store, "--port", server.port, "--admin", "list", "--json")

    def names(*words):
        return [each["table"] for each in objects(run(*admin, *words)[1])]

    assert names() == sorted([*made, banqi])
    assert names("--game", "octa") == made
    assert names("--game", "banqi") == [banqi]
    assert names("--status", "waiting", "--game", "octa") == made
    assert names("--status", "playing") == []


def test_a_table_that_changed_in_another_process_can_be_ended(server, run):
    made = server.table("octa", ["me", "open"])
    server.claim(made)
    rooms, table = server.app.rooms, made["table"]

    async def behind():
        """Store a change that this process has not noticed, like another process."""
        room = await rooms.room(table)
        kept = await rooms.store.load(table)
        await rooms.store.commit(room.hosted.plan(0, Resign()).change)
        assert kept.row.v == room.hosted.v

    server.run(behind())
    other = server.table("banqi", ["me", "open"])
    server.claim(other)

    async def behind_with_a_takeback():
        room = await rooms.room(other["table"])
        action = room.hosted.table.state.legal_actions()[0]
        planned = room.hosted.plan(room.hosted.table.actor, Play(action))
        await rooms.store.commit(planned.change)

    server.run(behind_with_a_takeback())
    admin = ("--store", server.settings.store, "--port", server.port, "--admin", "end")
    status, lines, err = run(*admin, table, other["table"])
    assert (status, lines) == (1, [f"{other['table']} has ended"])
    assert err == f"{table}: the game is already over\n"


def test_the_local_url_ignores_the_public_url():
    settings = Settings(host="0.0.0.0", port=9, public_url="https://games.example.org")
    assert local_url(settings) == "http://127.0.0.1:9"
    assert local_url(settings._replace(host="::1")) == "http://[::1]:9"


def test_the_help_names_every_command(run):
    status, lines, _ = run("--admin")
    assert status == 0
    for name in ("list", "show", "end", "export", "trust-clock", "limits", "set", "unset"):
        assert any(line.strip().startswith(f"{name} ") for line in lines)


def test_an_unused_store_is_refused(run, tmp_path):
    path = tmp_path / "empty.sqlite"
    path.touch()
    status, _, err = run("--store", f"sqlite:{path}", "--port", 1, "--admin", "list")
    assert status == 2
    assert "cannot be read as a store" in err


def test_agents_stay_idle_while_a_store_is_administered(start, run, tmp_path, monkeypatch):
    with monkeypatch.context() as patched:
        patched.setattr(AgentPool, "start", lambda pool: None)
        server = start()
        made = server.table("octa", [1, "me"])
        server.stop()
    admin = ("--store", server.settings.store, "--port", 1, "--admin")
    file = tmp_path / "out" / f"octa-{made['table']}.json"
    assert run(*admin, "export", made["table"], "--to", file.parent)[0] == 0
    (table,) = objects(run(*admin, "list", "--json")[1])
    assert (table["status"], table["to_act"], table["ply"]) == ("playing", 0, 0)
    assert [each["kind"] for each in json.loads(file.read_text())["events"]] == ["start"]
    assert run(*admin, "end", made["table"])[0] == 0
