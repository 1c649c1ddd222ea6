"""The specification's API of Banqi. The rules themselves are in `rules`."""
