"""The contract that every game keeps and everything else builds on."""
