"""The specification's API of Blokus. The rules themselves are in `rules`."""
