"""Play in the terminal. Everything here draws scenes and knows no game by name."""
