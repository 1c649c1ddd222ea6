"""QR codes of links match vectors that were verified with another reader."""

import json
from pathlib import Path

CODES = json.loads((Path(__file__).parent / "qr.json").read_text("utf-8"))
RUN = """
async (text) => (await import('/web/0/qr.js')).qrCode(text)
  .map((row) => row.map((dark) => dark ? '#' : '.').join(''))
"""


def test_qr_codes_match_the_verified_vectors(server, visit):
    person = visit(server)
    person.page.goto(server.url)
    for text, rows in CODES.items():
        assert person.page.evaluate(RUN, text) == rows
    assert len({len(rows) for rows in CODES.values()}) > 4


def test_a_text_that_is_too_long_is_refused(server, visit):
    person = visit(server)
    person.page.goto(server.url)
    refused = person.page.evaluate(
        "async () => { const {qrCode} = await import('/web/0/qr.js');"
        "try { qrCode('x'.repeat(214)); } catch (error) { return error.message; } }"
    )
    assert refused == "too long for a QR code"
