"""Several server processes: peers, and the supervisor of workers."""
