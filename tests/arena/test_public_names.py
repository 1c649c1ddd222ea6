"""The public names of `parlour.arena`."""

import parlour.arena


def test_every_public_name_exists_once_and_has_a_docstring():
    names = parlour.arena.__all__
    assert sorted(set(names)) == sorted(names)
    assert all(getattr(parlour.arena, name).__doc__ for name in names)
    assert "run_match" in names
