"""The protocol's documents match the Structs, and every code is documented."""

import json

import pytest

from parlour.protocol import codes
from parlour.protocol.documents import OPERATIONS, asyncapi, files, openapi
from parlour.server.http.app import Application
from parlour.server.settings import Settings


@pytest.mark.parametrize("name", ["openapi.json", "asyncapi.json"])
def test_the_committed_documents_match_the_structs(root, name):
    """If this fails, run `make golden` and review the difference: clients depend on it."""
    assert (root / "docs" / "protocol" / name).read_bytes() == files()[name]


def test_every_reference_resolves():
    for document in (openapi(), asyncapi()):
        text = json.dumps(document)
        for part in text.split('"$ref": "#/')[1:]:
            found = document
            for word in part.partition('"')[0].split("/"):
                found = found[word]


def test_every_path_of_the_server_is_documented():
    app = Application(lambda clock: None, Settings())
    served = {
        (route.path, method.lower())
        for route in app._inner.routes
        if route.path.startswith("/api/v1/") and not route.path.endswith(".json")
        for method in route.methods - {"HEAD"}
    }
    assert served == {(f"/api/v1{each.path}", each.method) for each in OPERATIONS}


def test_every_code_has_a_meaning_and_a_status():
    assert set(codes.STATUS) == set(codes.MEANING)
    assert all(400 <= status < 600 and status != 500 for status in codes.STATUS.values())
    assert codes.status_of("something new") == 400
