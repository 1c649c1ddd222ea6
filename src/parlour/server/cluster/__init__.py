"""Several processes: peers, and the parent of workers."""
