"""Every public class and function of tables and clients has an example, and the examples run."""

import doctest
import inspect
import re
import sys

import pytest

import parlour.client
import parlour.table

# The protocol documents contain the docstring of `EventView`, so its example is at a property.
EXAMPLES = {"EventView": parlour.table.EventView.is_aside}

PUBLIC = [
    pytest.param(found, id=f"{module.__name__}.{name}")
    for module in (parlour.table, parlour.client)
    for name in module.__all__
    if inspect.isroutine(found := getattr(module, name)) or inspect.isclass(found)
]


@pytest.mark.parametrize("found", PUBLIC)
def test_public_names_have_an_example(found):
    text = inspect.cleandoc(EXAMPLES.get(found.__name__, found).__doc__)
    assert re.search(r"^(>>> |    \S)", text, re.MULTILINE)


@pytest.mark.parametrize("found", PUBLIC)
def test_examples_in_docstrings_run(found):
    names = dict(vars(sys.modules[found.__module__]))
    text = EXAMPLES.get(found.__name__, found).__doc__
    test = doctest.DocTestParser().get_doctest(text, names, found.__name__, None, 0)
    flags = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
    assert doctest.DocTestRunner(optionflags=flags).run(test).failed == 0
