"""The commands of `parlour`, one module each, loaded on demand."""
