"""The path of one action, from the key to the saved record and the new screen."""

import asyncio
import os
import sys

import parlour
from parlour.core.game import State
from parlour.table import PERSON, LocalGame, load
from parlour.table.opening import GameSetup
from parlour.terminal.app import ParlourApp

MOST_CALLS = 8684
"""A seventh of the calls for one Enter when each scene replayed the whole game."""


class Count:
    """Counts calls of Python functions; casts to machine types disappear when compiled."""

    def __init__(self):
        self.calls = 0

    def __call__(self, frame, event, _):
        if event == "call" and not frame.f_code.co_filename.endswith("mypy_extensions.py"):
            self.calls += 1

    def __enter__(self):
        sys.setprofile(self)
        return self

    def __exit__(self, *_):
        sys.setprofile(None)


def test_one_enter_in_blokus_takes_few_calls_one_scene_and_one_write(tmp_path, monkeypatch):
    opening = GameSetup(parlour.game("blokus"), (PERSON,) * 4, 8, folder=tmp_path)
    scenes, writes = [], []
    scene, replace = State.scene, os.replace

    async def play():
        app = ParlourApp(lambda: LocalGame(opening.sit_down(), isolated=True), frame_seconds=0)
        async with app.run_test(size=(100, 30)) as pilot:
            for _ in range(24):
                await pilot.press("tab", "full_stop", "enter")
            await pilot.press("tab", "full_stop")
            with Count() as count:
                app.session.touch()
                app.show()
            assert count.calls <= MOST_CALLS
            await pilot.press("tab", "full_stop")
            monkeypatch.setattr(
                os, "replace", lambda new, old: writes.append(old) or replace(new, old)
            )
            if not parlour.build_info().compiled:  # a compiled class cannot be patched
                monkeypatch.setattr(
                    State, "scene", lambda self, seat=None: scenes.append(1) or scene(self, seat)
                )
            await pilot.press("enter")
            assert writes == [app.session.game.table.path]
            assert len(scenes) <= 1
            return app.session.game.table

    table = asyncio.run(play())
    assert load(table.path).actions == table.line.actions
    assert len(table.line.actions) == 26
