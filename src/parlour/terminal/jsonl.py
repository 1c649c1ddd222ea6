"""A game for programs: one JSON object per line, in and out.

Input: `{"action": "1,1"}` plays an action, and so does a bare JSON string. `{"command": "undo"}`
and the other COMMANDS do what they say. Output: the position after it, or `{"error": true, "code":
..., "message": ...}` if nothing changed. The first line of output is the starting position.

If an agent fails, the position contains `"fault": {"code", "message", "seat"}`. The request has
been executed, and it is still that agent's turn. To continue, send `{"command": "replace", "agent":
"level:3"}`, or `"person"` to take over its seat; `"seat"` names a seat other than the one to act.
"""

import json
import sys
from collections.abc import Callable, Mapping
from typing import TextIO

from parlour.core.checks import is_int, shown
from parlour.core.errors import BadMessage, ParlourError
from parlour.core.game import CHANCE
from parlour.core.options import did_you_mean
from parlour.table import (
    EventView,
    GameLost,
    LiveGame,
    OfferDraw,
    Play,
    Redo,
    Replace,
    Resign,
    Undo,
    drive,
)
from parlour.terminal.sentences import shortened

COMMANDS = (
    "state",
    "new",
    "undo",
    "redo",
    "resign",
    "draw",
    "replace",
    "hint",
    "analyse",
    "scene",
    "quit",
)


class JsonGame:
    """One game after another for a program."""

    def __init__(
        self,
        open_game: Callable[[], LiveGame],
        stdin: TextIO | None = None,
        stdout: TextIO | None = None,
    ) -> None:
        """Set a function that opens a game; the streams default to those of the process."""
        self.open_game = open_game
        self.stdin = stdin or sys.stdin
        self.stdout = stdout or sys.stdout
        self.game: LiveGame
        self.fault: dict[str, object] | None = None
        """The fault of the agent to act, until the game continues."""

    def run(self) -> int:
        """Answer every line until the input ends; return the exit status."""
        try:
            return self.converse()
        finally:
            if hasattr(self, "game"):
                self.game.close()

    def converse(self) -> int:
        """Answer line by line."""
        self.say(self.new())
        while line := self.stdin.readline():
            if not line.strip():
                continue
            try:
                answer = self.answer(line)
            except GameLost:
                raise
            except ParlourError as error:
                message = shortened(str(error))
                self.say({"error": True, "code": error.code, "message": message})
                continue
            if answer is None:
                return 0
            self.say(answer)
        return 0

    def say(self, answer: Mapping[str, object]) -> None:
        """Write one line."""
        print(json.dumps(answer, ensure_ascii=False), file=self.stdout, flush=True)

    def answer(self, line: str) -> dict[str, object] | None:
        """Return the answer to a line; `None` to quit."""
        try:
            request = json.loads(line)
        except (ValueError, RecursionError):
            raise BadMessage(f"a line must be a JSON object, not {line.strip()[:40]!r}") from None
        if isinstance(request, str):
            request = {"action": request}
        if not isinstance(request, dict):
            raise BadMessage(f"a line must be a JSON object, not {line.strip()[:40]!r}")
        if "action" in request:
            return self.act(request["action"])
        if "command" not in request:
            raise BadMessage(
                'a request needs "action" or "command", for example {"command": "state"}'
            )
        command = request["command"]
        if command == "quit":
            return None
        if command not in COMMANDS:
            known = f"the commands are {', '.join(COMMANDS)}"
            if not isinstance(command, str):
                raise BadMessage(f'"command" must be a text; {known}')
            near = did_you_mean(command[:40], COMMANDS)
            raise BadMessage(f"unknown command {shown(command)}{near}; {known}")
        if command == "replace":
            return self.replace(request.get("agent"), request.get("seat"))
        return self.command(command)

    def command(self, command: str) -> dict[str, object]:
        """Run a command without arguments."""
        game = self.game
        if command == "new":
            return self.new()
        if command == "undo":
            game.send(Undo())
            return self.position(self.let_agents_act())
        if command == "redo":
            events = game.send(Redo())
            return self.position(events + self.let_agents_act())
        if command == "resign":
            game.send(Resign())
        elif command == "draw":
            game.send(OfferDraw())
        elif command in ("hint", "analyse"):
            return self.advice(command)
        elif command == "scene":
            return {**self.position(), "scene": self.scene()}
        return self.position()

    def act(self, action: object) -> dict[str, object]:
        """Play an action, given as its text or id."""
        events = self.game.send(Play(action))
        return self.position(events + self.let_agents_act())

    def replace(self, who: object, seat: object) -> dict[str, object]:
        """Give a seat, by default the seat to act, to a person or an agent."""
        if not isinstance(who, str):
            raise BadMessage(
                f'replace needs "agent": an agent\'s text or "person", not {shown(who)}'
            )
        if seat is None:
            seat = self.game.actor
        if not is_int(seat):
            raise BadMessage(f'"seat" must be a seat number, counted from 0, not {shown(seat)}')
        events = self.game.send(Replace(int(str(seat)), who))
        return self.position(events + self.let_agents_act())

    def new(self) -> dict[str, object]:
        """Start a game, or resume one."""
        fresh = self.open_game()
        if hasattr(self, "game"):
            self.game.close()
        self.game = fresh
        self.let_agents_act()
        return self.position(self.game.history())

    def let_agents_act(self) -> list[EventView]:
        """Play the agents' turns until a person is to act or an agent fails."""
        played: list[EventView] = []
        self.fault = None
        try:
            drive(self.game, played.extend)
        except GameLost:
            raise
        except ParlourError as error:
            message = shortened(str(error))
            seat = self.game.actor
            self.fault = {"code": error.code, "message": message, "seat": seat}
        return played

    def position(self, events: list[EventView] | None = None) -> dict[str, object]:
        """Return the position and its events, with the game's own fields under its name."""
        game = self.game
        returns, scene = game.returns, game.scene()
        ended = None
        if returns is not None:
            ended = {"returns": list(returns), "reason": game.ending_reason}
        answer: dict[str, object] = {
            "game": game.name,
            "seed": game.seed,
            "status": "over" if game.is_over else "playing",
            "message": game.outcome() or None,
            "actor": None if game.is_over else game.actor,
            "actions": [view.text for view in scene.actions],
            "events": [
                {
                    "seat": None if event.seat == CHANCE else event.seat,
                    "action": event.text,
                    "words": event.words,
                }
                for event in events or ()
            ],
            "result": ended,
            "state": game.position_text(),
        }
        if game.promise():
            answer["commitment"] = game.promise()
            answer["key"] = game.proof() or None
        if game.draw_offer is not None:
            answer["draw_offer"] = game.draw_offer
        if self.fault is not None and not game.is_over:
            answer["fault"] = self.fault
        if game.notice:
            answer["warning"] = game.notice
        fields = game.fields()
        return {game.name: fields, **answer} if fields else answer

    def advice(self, command: str) -> dict[str, object]:
        """Return a strong agent's evaluation."""
        advice = self.game.analyse()
        choices = [{**view.choice._asdict(), "words": view.words} for view in advice.choices]
        if command == "hint":
            return {"hint": choices[0]["text"], "value": choices[0]["value"]}
        return {"analysis": choices, "work": advice.work}

    def scene(self) -> dict[str, object]:
        """Return the board cell by cell, with descriptions in words."""
        scene = self.game.scene()
        return {
            "board": scene.board._asdict(),
            "cells": [cell._asdict() for cell in scene.cells],
            "seats": [
                {"name": name, "score": seat.score, "tray": seat.tray}
                for name, seat in zip(scene.names, scene.seats, strict=True)
            ],
            "status": scene.status,
            "actions": [view._asdict() for view in scene.actions],
        }
