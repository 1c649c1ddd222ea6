"""The specification's API of Cat and Mouse. The rules themselves are in `rules`."""
