"""The recorded walk of the documentation."""

from xml.etree import ElementTree

from recorded_walk import SECONDS, animated
from screens import IMAGES

SVG = "{http://www.w3.org/2000/svg}"


def test_each_frame_is_shown_in_turn():
    frames = [f'<svg xmlns="http://www.w3.org/2000/svg"><text>{n}</text></svg>' for n in range(3)]
    picture = ElementTree.fromstring(animated(frames))
    groups = picture.findall(f"{SVG}g")
    assert [group.find(f"{SVG}text").text for group in groups] == ["0", "1", "2"]
    delays = [group.get("style") for group in groups]
    assert delays == [f"animation-delay:{number * SECONDS:.1f}s" for number in range(3)]


def test_the_documentation_shows_a_walk_of_several_screens():
    picture = ElementTree.parse(IMAGES / "walk.svg").getroot()
    assert len(picture.findall(f"{SVG}g")) >= 8
