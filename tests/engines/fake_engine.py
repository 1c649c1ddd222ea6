"""An engine with a fault; `python fake_engine.py PROTOCOL FAULT`.

It plays the first legal action of any game through Parlour's endpoints, until its fault shows.
"""

import io
import os
import signal
import subprocess
import sys
import time

PROTOCOL, FAULT = sys.argv[1], sys.argv[2]
ASKS = {"gtp": "genmove", "cdc": "12", "uci": "go", "ugi": "go"}
LIES = {"gtp": "= {}\n\n", "cdc": "=12 {}\n", "uci": "bestmove {}\n", "ugi": "bestmove {}\n"}


loud: list[bool] = []


def write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def misbehave(move: str) -> bool:
    """Whether the fault answered the move request."""
    lie = LIES[PROTOCOL]
    if FAULT == "hang":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        time.sleep(3600)
    elif FAULT == "die":
        print("no more memory for thoughts", file=sys.stderr, flush=True)
        os._exit(3)
    elif FAULT == "illegal":
        write(lie.format(move))
    elif FAULT == "nonsense":
        write(lie.format("xyzzy\x1b[31m"))
    elif FAULT == "resign":
        write(lie.format("resign"))
    elif FAULT == "pass":
        write(lie.format("pass" if PROTOCOL == "gtp" else "(none)"))
    elif FAULT == "refuse":
        write({"gtp": "? I would rather not\n\n", "cdc": "?12 I would rather not\n"}[PROTOCOL])
    elif FAULT == "wrong_id":
        write({"gtp": "=7 a1\n\n", "cdc": "=11 a1 a1\n"}[PROTOCOL])
    elif FAULT == "endless_line":
        while True:
            write("=" * 4096)
    elif FAULT == "endless_answer":
        write("= \n")
        while True:
            write("x" * 1000 + "\n")
    elif FAULT == "flood":
        while True:
            write("info string still thinking\n")
    elif FAULT == "binary":
        sys.stdout.buffer.write(bytes(range(256)) * 64 + b"\n")
        sys.stdout.buffer.flush()
        time.sleep(3600)
    elif FAULT == "child":
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"])
        return False
    elif FAULT == "stderr":
        sys.stderr.write("loud\n" * (0 if loud else 100_000))
        loud.append(True)
        return False
    elif FAULT == "chatter":
        write("thinking about it\n\nstill thinking\n")
        return False
    else:
        return False
    return True


def main() -> None:
    import parlour
    from parlour.engines.endpoints import ENDPOINTS
    from parlour.engines.endpoints.session import EngineSession

    game = parlour.game(sys.argv[3])
    if FAULT == "mute":
        time.sleep(3600)
    if FAULT == "early":
        sys.exit("this machine is too small")
    if FAULT == "deaf":
        time.sleep(3600)
    session = EngineSession(game, "random:seed=1", seed=1)
    out = io.StringIO()
    endpoint = ENDPOINTS[PROTOCOL](session, out)
    for line in sys.stdin:
        if FAULT == "other_game" and line.startswith("set_game"):
            write("? this is a program for Go\n\n")
            continue
        asked = line.startswith(ASKS[PROTOCOL])
        if asked and misbehave(sys.argv[4] if len(sys.argv) > 4 else ""):
            continue
        endpoint.answer(line.strip())
        if PROTOCOL in ("uci", "ugi"):
            endpoint.finish()
        write(out.getvalue())
        out.seek(0)
        out.truncate()
        if endpoint.is_over:
            return


if __name__ == "__main__":
    main()
