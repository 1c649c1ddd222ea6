"""The specification's own API of Blokus. It holds no rules: it asks `rules`."""
