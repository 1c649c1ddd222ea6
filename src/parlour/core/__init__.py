"""The contract of games, on which everything else builds."""
