"""The specification's own API of Banqi. It holds no rules: it asks `rules`."""
