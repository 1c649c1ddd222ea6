"""The pages on the server: their examples run, and they are complete."""

import doctest

import click

from parlour.commands.serve import serve
from parlour.protocol.codes import STATUS
from parlour.protocol.messages import ClientMessage


def test_every_example_runs(root, server):
    text = (root / "docs" / "protocol.md").read_text("utf-8")
    text = text.replace("127.0.0.1:8000", f"127.0.0.1:{server.port}")
    examples = doctest.DocTestParser().get_doctest(text, {}, "protocol.md", "protocol.md", 0)
    found = doctest.DocTestRunner().run(examples, clear_globs=False)
    examples.globs["http"].close()
    assert found.attempted > 15
    assert found.failed == 0


def test_the_page_on_the_server_has_every_option(root):
    text = (root / "docs" / "server.md").read_text("utf-8")
    for parameter in serve.params:
        if isinstance(parameter, click.Option):
            assert parameter.opts[0] in text


def test_the_page_on_the_protocol_has_every_code_and_message(root):
    text = (root / "docs" / "protocol.md").read_text("utf-8")
    for code in STATUS:
        if code not in ("version", "broken_contract", "agent_fault", "bad_state"):
            assert f"`{code}`" in text
    for message in ClientMessage.__args__:
        assert f"`{message.__struct_config__.tag}`" in text
