"""Vectors for the libraries in `embed/`, made once per run."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(scope="session")
def octa_file(tmp_path_factory):
    from embed_vectors import octa_vectors

    path = tmp_path_factory.mktemp("octa") / "octa.txt"
    octa_vectors(path)
    return path


@pytest.fixture(scope="session")
def banqi_file(tmp_path_factory):
    """The vectors, and the error texts that occur in them."""
    from embed_vectors import banqi_vectors

    path = tmp_path_factory.mktemp("banqi") / "banqi.jsonl"
    return path, banqi_vectors(path)
