"""The full screen at a table on a server."""

import asyncio

from parlour.client import Link
from parlour.client.visit import Visit
from parlour.terminal.app import ParlourApp

SMALL = {"size": 2}


async def until(pilot, holds):
    """Wait until `holds()` is true, while the screen runs."""
    for _ in range(600):
        if holds():
            return
        await pilot.pause(0.02)
    raise AssertionError("it does not come")


def message(app):
    return str(app.static("message").content)


def test_a_game_a_refusal_talk_and_a_rematch_on_the_full_screen(client):
    ann = client.create("octa", options=SMALL, seats=["me", "open"], name="Ann", seed=5)
    visit = Visit(Link.from_text(ann.invitations[0].url), "Bob")

    async def play():
        app = ParlourApp(visit.live, frame_seconds=0)
        session = app.session
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            assert "You are player 2 (Bob)" in message(app)
            ann.play(ann.scene.actions[0].action)
            await until(pilot, lambda: session.game.is_my_turn and session.scene.actions)
            session.play_text("0,0")
            app.show()
            assert "neutral" in message(app)
            ann.say("your turn")
            await until(pilot, lambda: "your turn" in message(app))
            session.play_text(session.scene.actions[0].text)
            app.show()
            await until(pilot, lambda: ann.is_my_turn)
            ann.resign()
            await until(pilot, lambda: "resigned" in message(app))
            ann.ask_rematch()
            await until(pilot, lambda: "wants a rematch" in message(app))
            await pilot.press("n")
            await until(pilot, lambda: session.game.viewer == 0)
            assert not session.game.is_over

    try:
        asyncio.run(play())
    finally:
        visit.close()
