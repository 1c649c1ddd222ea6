"""The larger commands of `parlour`, one module each; the command line loads what it runs."""
