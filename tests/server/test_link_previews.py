"""Link previews of tables, and what browsers need to install the page."""

import io
import re
from html import unescape

import pytest
from kuhn import Kuhn
from PIL import Image

import parlour
from parlour.server.http import link_previews


def named(html):
    """Return the Open Graph properties of a page."""
    found = re.findall(r'<meta property="og:(\w+)" content="([^"]*)">', html)
    return {name: unescape(text) for name, text in found}


def preview(server, table):
    return named(server.http.get(f"{server.url}/t/{table}").text)


def test_a_listed_table_names_its_game_and_players(server):
    made = server.table("octa", ["me", 2], name='<b>"Ann"', visibility="listed")
    found = preview(server, made["table"])
    assert found["title"] == 'Octa: <b>"Ann" – computer (level 2)'
    assert found["url"] == f"{server.url}/t/{made['table']}"
    assert "live" in found["description"]


def test_a_table_by_link_names_no_person(server):
    made = server.table("octa", ["me", "open"], name="Ann")
    server.claim(made, name="Bob")
    html = server.http.get(f"{server.url}/t/{made['table']}").text
    assert "Ann" not in html
    assert "Bob" not in html
    assert named(html)["title"] == "Octa: player 1 – player 2"


def test_the_picture_shows_the_position_in_pixels(server):
    made = server.table("octa", ["me", 1])
    address = preview(server, made["table"])["image"]
    picture = server.http.get(address)
    assert picture.headers["content-type"] == "image/png"
    assert min(Image.open(io.BytesIO(picture.content)).size) > 100


def test_the_picture_is_a_spectators_even_with_a_seat(server):
    parlour.register("kuhn", Kuhn)
    made = server.table("kuhn", ["me", "open"])
    server.claim(made)
    path = f"/tables/{made['table']}/preview"
    assert server.get(path, made["token"]).content == server.get(path).content


def test_a_table_without_a_position_shows_the_icon(server):
    made = server.table("octa", ["me", "open"])
    found = preview(server, made["table"])
    assert "Waiting" in found["description"]
    assert server.http.get(found["image"]).headers["content-type"] == "image/png"
    assert server.get(f"/tables/{made['table']}/preview").status_code == 403


def test_without_the_extra_for_pictures_there_is_the_icon(server, monkeypatch):
    monkeypatch.setattr(link_previews, "HAS_PICTURES", False)
    made = server.table("octa", ["me", 1])
    assert "icon-512.png" in preview(server, made["table"])["image"]


def test_an_unknown_table_has_no_preview(server):
    assert preview(server, "nothing") == {}
    assert server.get("/tables/nothing/preview").status_code == 404


def test_the_front_page_has_a_preview(server):
    found = named(server.http.get(f"{server.url}/").text)
    assert found["title"].startswith("Parlour: ")
    assert server.http.get(found["image"]).status_code == 200


@pytest.mark.parametrize(("accepted", "language"), [("en", "en"), ("de", "de")])
def test_the_manifest_makes_the_page_installable(server, accepted, language):
    answer = server.http.get(
        f"{server.url}/manifest.webmanifest", headers={"accept-language": accepted}
    )
    assert answer.headers["content-type"] == "application/manifest+json"
    data = answer.json()
    assert (data["lang"], data["display"], data["start_url"]) == (language, "standalone", "/")
    for icon in data["icons"]:
        picture = server.http.get(server.url + icon["src"])
        assert "x".join(map(str, Image.open(io.BytesIO(picture.content)).size)) == icon["sizes"]


def test_programs_find_the_icon_at_the_usual_place(server):
    answer = server.http.get(f"{server.url}/favicon.ico")
    assert answer.headers["content-type"] == "image/png"


def test_the_service_worker_serves_the_whole_site_and_is_never_stale(server):
    answer = server.http.get(f"{server.url}/sw.js")
    assert answer.headers["cache-control"] == "no-cache"
    assert "VERSION" not in answer.text
