"""The command `parlour completion`, and the answers to a shell."""

import re
from typing import ClassVar

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    add_completion_class,
    get_completion_class,
    shell_complete,
)

from parlour.commands.group import COMPLETION, cli

BREAKS = ("=", ":")
"""Characters at which Bash splits a word; it completes the part after the last one."""


@click.command(
    epilog="""
\b
Examples:
  eval "$(parlour completion bash)"    in ~/.bashrc
  eval "$(parlour completion zsh)"     in ~/.zshrc
  parlour completion fish > ~/.config/fish/completions/parlour.fish
"""
)
@click.argument("shell", metavar="SHELL", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> int:
    """Print the completion script of a shell.

    SHELL is bash, zsh or fish. It then completes games, options, agents and records.
    """
    found = get_completion_class(shell)
    assert found is not None
    click.echo(found(cli, {}, "parlour", COMPLETION).source())
    return 0


def complete(question: str) -> int:
    """Answer a shell. Return the exit status."""
    return shell_complete(cli, {}, "parlour", COMPLETION, question)


class Bash(BashComplete):
    """Bash completion. Bash splits `level:3` and `size=2` into three words each."""

    source_template: ClassVar[str] = """\
%(complete_func)s() {
    local line IFS=$'\\n'
    COMPREPLY=()
    for line in $(COMP_WORDS="${COMP_WORDS[*]}" COMP_CWORD=$COMP_CWORD \\
        %(complete_var)s=bash_complete "$1" 2>/dev/null); do
        case $line in
            plain,*) COMPREPLY+=("${line#*,}") ;;
            *) compopt -o default ;;
        esac
    done
    # Such a word continues, so no space follows it.
    [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[=:] ]] && compopt -o nospace
    return 0
}
complete -o nosort -F %(complete_func)s %(prog_name)s
"""

    kept = ""
    """The part of the last word that is already in the line and is not replaced."""

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the words as typed; the value of `--name=value` is a separate word."""
        args, last = super().get_completion_args()
        words: list[str] = []
        continues = False
        for word in [*args, last]:
            is_break = word in BREAKS
            if is_break and words and words[-1].startswith("--"):
                words.append("")
                continues = True
            elif words and (is_break or (continues and word)):
                words[-1] += word
                continues = is_break
            else:
                words.append(word)
                continues = False
        if words[-1] != last:
            self.kept = re.sub(r"[^=:]*$", "", words[-1])
        return words[:-1], words[-1]

    def format_completion(self, item: CompletionItem) -> str:
        """Return a line for the script with the text to insert."""
        return f"{item.type},{item.value.removeprefix(self.kept)}"


add_completion_class(Bash)
