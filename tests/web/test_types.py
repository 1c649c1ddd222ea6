"""The types in the comments of the page's modules."""

from node_tools import type_errors


def test_typescript_finds_no_error_in_the_page():
    assert type_errors() == ""
