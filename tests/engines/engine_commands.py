"""Commands that start engines in tests: Parlour's own, and the fake one."""

import shlex
import sys
from pathlib import Path

FAKE = Path(__file__).with_name("fake_engine.py")


def ours(protocol: str, game: str, agent: str, *options: str) -> str:
    """Return the agent that talks to Parlour's engine in another process."""
    words = [sys.executable, "-m", "parlour.cli", "engine", protocol, game, "--agent", agent]
    return f"{protocol}:{shlex.join([*words, *options])}"


def fake(protocol: str, fault: str, game: str, move: str = "") -> list[str]:
    """Return the command of an engine with this fault."""
    return [sys.executable, str(FAKE), protocol, fault, game, move]


def toml(tmp_path: Path, monkeypatch, **engines: dict) -> None:
    """Write the user's engines.toml."""
    lines = []
    for name, settings in engines.items():
        lines.append(f"[{name}]")
        for key, value in settings.items():
            if isinstance(value, dict):
                inner = ", ".join(f"{each} = {number!r}" for each, number in value.items())
                lines.append(f"{key} = {{ {inner} }}")
            else:
                text = str(value).lower() if isinstance(value, bool) else repr(value)
                lines.append(f"{key} = {text}")
    file = tmp_path / "engines.toml"
    file.write_text("\n".join(lines) + "\n")
    monkeypatch.setenv("PARLOUR_ENGINES", str(file))
