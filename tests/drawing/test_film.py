"""A film shows the same as pictures of its positions, although it draws only what changes."""

import io
import random

import pytest
from PIL import Image, ImageChops

import parlour
from parlour.core.game import CHANCE
from parlour.drawing.film import to_gif
from parlour.drawing.pictures import picture, to_png

GAMES = ["octa:size=3", "banqi", "blokus:variant=duo", "cat_mouse"]
PLIES = 12


def a_game(name):
    game = parlour.game(name)
    rng = random.Random(3)
    state, actions = game.start(1), []
    while len(actions) < PLIES:
        if state.actor == CHANCE:
            action = rng.choice([each for each, _ in state.chance_outcomes()])
        else:
            action = rng.choice(list(state.legal_actions()))
        actions.append(action)
        state = state.apply(action)
    return parlour.Record(game, seed=1, actions=actions)


@pytest.mark.parametrize("name", GAMES)
def test_the_last_frame_is_the_picture_of_the_last_position(name):
    record = a_game(name)
    progress = []
    film = Image.open(io.BytesIO(to_gif(record, 0.1, lambda *done: progress.append(done))))
    frames = sum(state.actor != CHANCE for state in record.states)
    assert film.n_frames == frames
    assert progress[-1] == (frames, frames)
    film.seek(frames - 1)
    expected = Image.new("RGB", film.size, "white")
    pixels = Image.open(io.BytesIO(to_png(picture(record, PLIES))))
    expected.paste(pixels, (0, 0), pixels)
    difference = ImageChops.difference(film.convert("RGB"), expected)
    worst = max(high for _, high in difference.getextrema())
    assert worst < 80, difference.getbbox()  # the palette has 256 colours
