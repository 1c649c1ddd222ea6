"""All the typical mistakes of authors."""

import mistakes_in_hooks
import mistakes_in_notes
import mistakes_in_observers
import mistakes_in_rules
import mistakes_in_scenes
import mistakes_in_secrets
import mistakes_in_texts

MISTAKES = [
    *mistakes_in_rules.MISTAKES,
    *mistakes_in_texts.MISTAKES,
    *mistakes_in_scenes.MISTAKES,
    *mistakes_in_hooks.MISTAKES,
    *mistakes_in_observers.MISTAKES,
    *mistakes_in_secrets.MISTAKES,
]

NOTED = mistakes_in_notes.MISTAKES
"""Mistakes that break no promise."""
