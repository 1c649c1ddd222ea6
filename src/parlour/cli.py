"""The command `parlour`."""

import os
import sys
from collections.abc import Sequence

from parlour.commands.console import prepare_streams
from parlour.core.checks import printable
from parlour.core.errors import MissingExtra, ParlourError
from parlour.exit_codes import INTERRUPTED, MISSING_EXTRA, NEGATIVE, PIPE_CLOSED, WRONG


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return the exit status.

    It is 1 if the answer is no (an invalid record, no solution), 2 for an invalid command and 3 for
    a missing extra, each with one line on stderr, 130 after Ctrl-C, and 141 if the reader of a pipe
    closed it.
    """
    prepare_streams()
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        return _run(given)
    except MissingExtra as error:
        _print_error(str(error))
        return MISSING_EXTRA
    except ParlourError as error:
        _print_error(str(error))
        return WRONG
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader has closed the pipe; redirect stdout so that the exit does not fail too.
        _silence_stdout()
        return PIPE_CLOSED
    except OSError as error:
        _print_error(f"cannot continue: {error}")
        _silence_stdout()
        return NEGATIVE
    except Exception as error:
        # A third-party game gets an error message. Anything else is a bug in Parlour.
        from parlour.core.packages import failure_of_a_game

        failure = failure_of_a_game(error)
        if failure is None:
            raise
        _print_error(str(failure))
        return WRONG


def _print_error(text: str) -> None:
    print(f"parlour: {printable(text)}", file=sys.stderr)


def _silence_stdout() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(arguments: list[str]) -> int:
    from parlour.commands.group import run  # imported here so that `main` reports its errors

    if arguments[:1] == ["help"]:
        arguments = [*arguments[1:2], "--help"]
    return run(arguments)


def _leave_current_folder() -> None:
    """Undo what `python -m` does: look for modules in the current folder first.

    A file there must not replace a module that is loaded later. If the library itself is there, the
    folder becomes the last place.
    """
    if sys.flags.safe_path or not sys.path or sys.path[0] not in ("", os.getcwd()):
        return
    del sys.path[0]
    home = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    if home == os.getcwd():
        sys.path.append(home)


if __name__ == "__main__":
    _leave_current_folder()
    sys.exit(main())
