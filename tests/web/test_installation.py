"""The page as an app: installable, with a notice when there is no connection."""

import pytest


@pytest.mark.parametrize(("locale", "text"), [("en-GB", "You are offline"), ("de-DE", "offline")])
def test_without_a_connection_pages_are_replaced_by_a_notice(server, visit, locale, text):
    person = visit(
        server, locale=locale, service_workers="allow", expected=["ERR_INTERNET_DISCONNECTED"]
    )
    page = person.page
    page.goto(server.url)
    page.evaluate("() => navigator.serviceWorker.ready.then(() => null)")
    page.wait_for_function("() => navigator.serviceWorker.controller || !location.reload()")
    person.context.set_offline(True)
    page.goto(f"{server.url}/analysis")
    assert text in page.locator("h1").text_content()
    assert page.evaluate("() => getComputedStyle(document.querySelector('h1')).fontWeight") != ""
    assert person.axe() == []
    person.context.set_offline(False)
    page.locator("a.button").click()
    page.wait_for_selector(".source")


def test_the_browser_finds_nothing_wrong_with_the_manifest(server, visit):
    person = visit(server)
    person.page.goto(server.url)
    session = person.context.new_cdp_session(person.page)
    found = session.send("Page.getAppManifest")
    assert found["errors"] == []
    assert found["url"] == f"{server.url}/manifest.webmanifest"
