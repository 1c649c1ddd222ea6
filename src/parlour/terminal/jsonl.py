"""A game for programs: one JSON object a line, in and out.

In: `{"action": "1,1"}` plays; `{"command": "undo"}` and the other commands of COMMANDS do
what they say; a bare JSON string is an action too. Out: the position after it, or
`{"error": true, "message": ...}` with nothing changed. The first line out is the start.
"""

import json
import sys
from collections.abc import Mapping
from typing import TextIO

from parlour.agents.hints import analyse
from parlour.core.errors import ParlourError
from parlour.core.game import CHANCE
from parlour.core.options import did_you_mean
from parlour.table import PERSON, Event, Table
from parlour.table.opening import Opening

COMMANDS = ("state", "new", "undo", "resign", "draw", "hint", "analyse", "scene", "quit")


class BadLine(ParlourError):
    """A line that is no request."""

    code = "bad_request"


class JsonGame:
    """One game after another for a program."""

    def __init__(
        self, opening: Opening, stdin: TextIO | None = None, stdout: TextIO | None = None
    ) -> None:
        """The streams are the process's own by default."""
        self.opening = opening
        self.stdin = stdin or sys.stdin
        self.stdout = stdout or sys.stdout
        self.table: Table

    def run(self) -> int:
        """Answer every line until the input ends; the exit status."""
        self.say(self.new())
        while line := self.stdin.readline():
            if not line.strip():
                continue
            try:
                answer = self.answer(line)
            except ParlourError as error:
                self.say({"error": True, "message": str(error)})
                continue
            if answer is None:
                return 0
            self.say(answer)
        return 0

    def say(self, answer: Mapping[str, object]) -> None:
        """One line out."""
        print(json.dumps(answer, ensure_ascii=False), file=self.stdout, flush=True)

    def answer(self, line: str) -> dict[str, object] | None:
        """What to say to a line; `None` to leave."""
        try:
            request = json.loads(line)
        except (ValueError, RecursionError):
            raise BadLine(f"a line is a JSON object, not {line.strip()[:40]!r}") from None
        if isinstance(request, str):
            request = {"action": request}
        if not isinstance(request, dict):
            raise BadLine(f"a line is a JSON object, not {line.strip()[:40]!r}")
        if "action" in request:
            return self.act(request["action"])
        command = request.get("command")
        if command == "quit":
            return None
        if command not in COMMANDS:
            near = did_you_mean(str(command), COMMANDS)
            raise BadLine(
                f"there is no command {command!r}{near}; send an action, "
                f"or one of the commands {', '.join(COMMANDS)}"
            )
        return self.command(command)

    def command(self, command: str) -> dict[str, object]:
        """Carry out a command."""
        table = self.table
        if command == "new":
            return self.new()
        if command == "undo":
            table.takeback()
            return self.position(self.let_agents_act())
        if command == "resign":
            table.resign(max(0, table.actor))
        elif command == "draw":
            table.offer_draw(max(0, table.draw_speaker))
        elif command in ("hint", "analyse"):
            return self.advice(command)
        elif command == "scene":
            return {**self.position(), "scene": self.scene()}
        return self.position()

    def act(self, text: object) -> dict[str, object]:
        """Play an action's text or id."""
        state = self.table.state
        action = self.table.game.action_from_text(state, text) if isinstance(text, str) else text
        events = self.table.play(action)
        return self.position(events + self.let_agents_act())

    def new(self) -> dict[str, object]:
        """Start a game, or take one up."""
        self.table = self.opening.sit_down()
        self.let_agents_act()
        return self.position(self.table.events)

    def let_agents_act(self) -> list[Event]:
        """Play the agents' turns until a person is to act."""
        table = self.table
        events: list[Event] = []
        while not table.is_over and table.seats[table.actor] != PERSON:
            events += table.play(table.agent_choice())
        return events

    def position(self, events: list[Event] | None = None) -> dict[str, object]:
        """The position and what led to it; the game's own fields last."""
        table = self.table
        state = table.state
        result = state.result()
        returns = table.ending.returns if table.ending else result.returns if result else None
        reason = table.ending.reason if table.ending else result.reason if result else None
        scene = state.scene(table.viewer)
        answer: dict[str, object] = {
            "game": table.game.name,
            "seed": table.seed,
            "status": "over" if table.is_over else "playing",
            "message": table.outcome_words() or None,
            "actor": None if table.is_over else table.actor,
            "actions": [] if table.is_over else [view.text for view in scene.actions],
            "events": [
                {"seat": None if event.seat == CHANCE else event.seat, "action": event.text}
                for event in events or ()
            ],
            "result": None if returns is None else {"returns": list(returns), "reason": reason},
            "state": table.game.state_to_text(state),
        }
        if table.game.has_chance:
            answer["commitment"] = table.commitment
            answer["key"] = table.reveal().hex() if table.is_over else None
        if table.draw_offer is not None:
            answer["draw_offer"] = table.draw_offer
        if table.save_problem:
            answer["warning"] = table.save_problem
        fields = table.game.json_fields(state, table.seed, table.viewer)
        return {**answer, table.game.name: fields} if fields else answer

    def advice(self, command: str) -> dict[str, object]:
        """What a strong agent thinks."""
        analysis = analyse(self.table.state)
        choices = [choice._asdict() for choice in analysis.choices]
        if command == "hint":
            return {"hint": choices[0]["text"], "value": choices[0]["value"]}
        return {"analysis": choices, "work": analysis.work}

    def scene(self) -> dict[str, object]:
        """The board cell by cell, in words too."""
        scene = self.table.state.scene(self.table.viewer)
        return {
            "rows": scene.board.rows,
            "cols": scene.board.cols,
            "row_names": scene.board.row_names,
            "col_names": scene.board.col_names,
            "cells": [cell._asdict() for cell in scene.cells],
            "seats": [seat._asdict() for seat in scene.seats],
            "status": scene.status,
            "actions": [view._asdict() for view in scene.actions],
        }
