"""Moves per CPU second of a boardgame.io server that keeps its matches in memory.

The package is installed from npm into a temporary folder. The game is the simplest that fills a
board; the rules of a real game would add to the cost.
"""

import json
import os
import subprocess
import tempfile
import time
from pathlib import Path

GAME = """
const Fill = {
  name: 'fill',
  setup: () => ({ cells: Array(81).fill(null), made: 0 }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    place: {
      client: false,  // a move is made when the server has made it
      move: ({ G, playerID }, id) => { G.cells[id % 81] = playerID; G.made += 1; },
    },
  },
};
"""

SERVER = (
    "const { Server } = require('boardgame.io/server');\n"
    + GAME
    + """
const server = Server({ games: [Fill], origins: ['*'] });
server.run({ port: 0, callback: () => {} }).then(({ appServer }) => {
  console.log(JSON.stringify({ port: appServer.address().port }));
});
"""
)

CLIENT = (
    """
const { Client } = require('boardgame.io/client');
const { SocketIO } = require('boardgame.io/multiplayer');
const [port, tables, seconds] = process.argv.slice(2).map(Number);
"""
    + GAME
    + """
const base = `http://127.0.0.1:${port}`;
let moves = 0, ending = false;
function table(matchID) {  // the first client to come makes the match
  for (const playerID of ['0', '1']) {
    const client = Client({
      game: Fill, matchID, playerID, numPlayers: 2,
      multiplayer: SocketIO({ server: base }), debug: false });
    let played = -1;
    client.subscribe((state) => {
      if (!state || ending || state.ctx.currentPlayer !== playerID) return;
      if (state.G.made <= played) return;
      played = state.G.made;
      moves += 1;
      setImmediate(() => client.moves.place(played));
    });
    client.start();
  }
}
for (let n = 0; n < tables; n += 1) table(`table${n}`);
setTimeout(() => {
  console.log(JSON.stringify({ ready: true, moves }));
  setTimeout(() => { ending = true; console.log(JSON.stringify({ moves })); process.exit(0); },
    seconds * 1000);
}, 3000);
"""
)


def measure_peer(tables, seconds, cpu_seconds):
    """Return the moves per CPU second of the server process."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        subprocess.run(
            ["npm", "install", "--no-audit", "--no-fund", "--silent", "boardgame.io"],
            cwd=path,
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        (path / "server.js").write_text(SERVER)
        (path / "client.js").write_text(CLIENT)
        server = subprocess.Popen(
            ["node", "server.js"],
            cwd=path,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "NODE_ENV": "production"},
        )
        try:
            port = _line(server, "port")["port"]
            client = subprocess.Popen(
                ["node", "client.js", str(port), str(tables), str(seconds)],
                cwd=path,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
            ready = _line(client, "ready")["moves"]
            before = cpu_seconds(server.pid)
            made = _line(client, "moves")["moves"]
            used = cpu_seconds(server.pid) - before
            client.wait(30)
            return (made - ready) / used
        finally:
            server.terminate()
            server.wait(10)


def _line(process, field):
    """Return the next JSON line that has this field; skip others."""
    until = time.monotonic() + 120
    while time.monotonic() < until:
        text = process.stdout.readline()
        if text.startswith("{") and field in (found := json.loads(text)):
            return found
    raise TimeoutError(field)
