"""How Cat and Mouse is played, for people."""

RULES = """\
You are the cat on a grid of 25 by 25 cells, some of which are obstacles. On your turn you
step up, down, left or right; then the mouse steps. Neither may stay where it is.

The mouse always steps to where it is farthest from you, counted in rows and columns; among
equally good cells it prefers up, then down, left and right. It never steps onto you.

You win when you step onto the mouse, or when you leave it without a step. Every start can be
won; par is the number of steps that the shortest win takes. You lose when the ply cap is
reached."""
