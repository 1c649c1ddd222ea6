"""The JSDoc types of the page's modules."""

from node_tools import type_errors


def test_the_page_has_no_type_errors():
    assert type_errors() == ""
