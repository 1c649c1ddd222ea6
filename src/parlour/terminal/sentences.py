"""Errors and hints as sentences."""

from parlour.core.errors import ParlourError
from parlour.drawing.choices import ChoiceView, choice_words

LONGEST_MESSAGE = 400


def sentence(error: ParlourError) -> str:
    """Return an error as a sentence of limited length."""
    text = shortened(str(error))
    return f"{text[:1].upper()}{text[1:]}".rstrip(".") + "."


def hint_words(best: ChoiceView) -> str:
    """Return a hint like `Hint: take3 (+0.25, then take1)`."""
    return f"Hint: {choice_words(best).replace('(worth ', '(', 1)}"


def shortened(text: str, longest: int = LONGEST_MESSAGE) -> str:
    """Return the text, without its middle if it is too long."""
    if len(text) <= longest:
        return text
    half = (longest - 5) // 2
    return f"{text[:half]} ... {text[-half:]}"
