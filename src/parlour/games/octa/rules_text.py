"""How Octa is played, for people."""

RULES = """\
Every cell has an arrow in one of eight directions. Two players own some of the cells, the
others are neutral.

On your turn you choose one cell of your own. Its arrow turns clockwise by one eighth, and a
chain begins: the cell that the arrow now points to becomes yours, its arrow turns too, and
the chain goes on from there. It takes neutral cells and cells of the other player alike.

A chain stops at the edge of the board, at a blocked cell and at a cell that is yours already;
with the option stop_on_enemy also at a cell of the other player. The cell that stops it does
not change.

Who has no cell left has lost at once. When the turn limit is reached, most cells win; with
equally many it is a tie."""
