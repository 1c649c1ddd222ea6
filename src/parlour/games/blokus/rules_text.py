"""How Blokus is played, for people."""

RULES = """\
Each colour has 21 pieces, one of every shape of one to five squares. The colours take turns;
a turn lays one piece, turned and flipped at will, on free squares of the board.

The first piece of a colour covers its starting square. Every later piece must touch a piece
of the same colour corner to corner, and must never touch one edge to edge. Pieces of other
colours may be touched in any way.

A colour that cannot lay a piece is skipped from then on. When no colour can go on, the game
is over. Every square of the pieces that are left costs a point; a colour that has laid all
its pieces gets 15 points, and 5 more if its last piece was the single square.

With two players each has two colours; with three the fourth colour is played in turn and
counts for nobody. Duo is for two colours on a board of 14 by 14, which start inside it."""
