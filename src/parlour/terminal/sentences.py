"""What is said of an error, in a sentence that is not too long."""

from parlour.core.errors import ParlourError

LONGEST_MESSAGE = 400


def sentence(error: ParlourError) -> str:
    """An error as a sentence, not too long."""
    text = shortened(str(error))
    return f"{text[:1].upper()}{text[1:]}".rstrip(".") + "."


def shortened(text: str, longest: int = LONGEST_MESSAGE) -> str:
    """The text, without its middle if it is too long to be shown."""
    if len(text) <= longest:
        return text
    half = (longest - 5) // 2
    return f"{text[:half]} ... {text[-half:]}"
