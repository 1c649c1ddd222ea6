"""The client in JavaScript, in Node: tested with recordings and a real server."""

import json
import subprocess
from pathlib import Path

import pytest
from outside_clients import check_record, cut_line, play_through_a_restart
from patience import PATIENCE
from programs import found_program
from vectors import GAMES, by_words, check_client, scene_messages

HERE = Path(__file__).parent


@pytest.fixture
def node():
    return found_program("nodejs", "node")


@pytest.fixture
def play(root, node):
    """Run the example; return its exit code, output and errors."""
    flag = "--experimental-websocket"
    path = root / "examples" / "javascript" / "play.mjs"

    def run(*arguments):
        command = [node, flag, str(path), *arguments]
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
        return done.returncode, done.stdout.splitlines(), done.stderr

    return run


def test_it_reads_every_recorded_conversation(root, node, tmp_path):
    client = root / "examples" / "javascript" / "parlour_client.mjs"
    check_client([node, HERE / "read_vectors.mjs", client], tmp_path)


@pytest.mark.parametrize("game", ["octa", "banqi"])
def test_it_plays_a_whole_game_against_an_agent(server, play, game):
    code, told, complaints = play(server.url, game)
    assert code == 0, complaints
    check_record(server, told[0].removeprefix("table "))


def test_it_plays_the_seat_of_an_invitation(server, play):
    made = server.table("octa", [1, "open"], options={"size": 2})
    code, _, complaints = play(made["invitations"][0]["url"])
    assert code == 0, complaints
    assert check_record(server, made["table"]).count(1) >= 1


def test_a_game_continues_after_lost_sockets(server, play):
    with cut_line(server) as (url, table):
        code, told, complaints = play(url)
        assert code == 0, complaints
    check_record(server, table)
    assert told[-2] == "4 sockets"


def test_a_game_continues_after_a_server_restart(start, play):
    code, told, complaints = play_through_a_restart(start, play)
    assert code == 0, complaints
    assert "2 sockets" in told[-2]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["http://127.0.0.1:1", "octa"], "unreachable: "),
        (["nonsense"], "bad_link: "),
        (["{url}/t/x#seat=0&claim=y"], "not_found: "),
        (["{url}", "octa", "size=99"], "bad_option: "),
    ],
)
def test_errors_are_printed_in_one_line(server, play, arguments, code):
    status, _, complaints = play(*(each.format(url=server.url) for each in arguments))
    assert status == 1
    assert complaints.startswith(code)
    assert complaints.count("\n") == 1


def test_the_page_reads_scenes_as_the_clients_do(root, node, tmp_path):
    """The page's module has no Node suffix, so it is read under another name."""
    text = (root / "src" / "parlour" / "web" / "scene.js").read_text("utf-8")
    (tmp_path / "scene.mjs").write_text(text, "utf-8")
    games = [scene_messages(*each) for each in GAMES.items()]
    (tmp_path / "scenes.json").write_text(json.dumps([messages for messages, _ in games]))
    script = """
      import { readFileSync } from 'node:fs';
      import { changed, sceneOf } from './scene.mjs';
      const read = (messages) => {
        let known = null;
        return messages.map(({ scene, diff }) => {
          known = scene ? sceneOf(scene) : changed(known, diff);
          return { ...known, glyphs: known.cells.map((at) => known.palette[at].glyph) };
        });
      };
      console.log(JSON.stringify(JSON.parse(readFileSync('scenes.json')).map(read)));
    """
    (tmp_path / "read.mjs").write_text(script, "utf-8")
    done = subprocess.run(
        [node, "read.mjs"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    for (_, scenes), read in zip(games, json.loads(done.stdout), strict=True):
        for wanted, scene in zip(map(by_words, scenes), read, strict=True):
            assert scene["glyphs"] == [cell["glyph"] for cell in wanted["cells"]]
            for name in ("actions", "actor", "status"):
                assert scene[name] == wanted[name]
