"""Every public class and function of tables and clients has an example, and the examples run."""

import doctest
import inspect
import re
import sys

import pytest

import parlour.client
import parlour.table

PUBLIC = [
    pytest.param(found, id=f"{module.__name__}.{name}")
    for module in (parlour.table, parlour.client)
    for name in module.__all__
    if inspect.isroutine(found := getattr(module, name)) or inspect.isclass(found)
]


@pytest.mark.parametrize("found", PUBLIC)
def test_public_names_have_an_example(found):
    assert re.search(r"^(>>> |    \S)", inspect.cleandoc(found.__doc__), re.MULTILINE)


@pytest.mark.parametrize("found", PUBLIC)
def test_examples_in_docstrings_run(found):
    names = dict(vars(sys.modules[found.__module__]))
    test = doctest.DocTestParser().get_doctest(found.__doc__, names, found.__name__, None, 0)
    flags = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
    assert doctest.DocTestRunner(optionflags=flags).run(test).failed == 0
