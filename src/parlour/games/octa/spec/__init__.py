"""The specification's own API of Octa. It holds no rules: it asks `rules`."""
