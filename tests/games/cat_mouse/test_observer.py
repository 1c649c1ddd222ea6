"""Observations of Cat and Mouse."""

import parlour


def test_planes_are_obstacles_cat_and_mouse():
    game = parlour.game("cat_mouse", ply_cap=100)
    watching = parlour.observer(game)
    walls = bytes(cell in (3, 624) for cell in range(625))
    seen, extras = watching.observe(game.position(walls, 30, 300, 50, 0), 0)
    assert watching.planes == ("obstacle", "cat", "mouse")
    assert seen[:625] == walls
    assert [cell for cell in range(625) if seen[625 + cell]] == [30]
    assert [cell for cell in range(625) if seen[1250 + cell]] == [300]
    assert watching.extra_names == ("steps left",)
    assert list(extras) == [128]


def test_at_the_ply_cap_no_steps_are_left():
    game = parlour.game("cat_mouse", ply_cap=100)
    extras = [
        list(parlour.observer(game).observe(game.position(bytes(625), 30, 300, plies, 0), 0)[1])
        for plies in (0, 99, 100)
    ]
    assert extras == [[255], [3], [0]]
