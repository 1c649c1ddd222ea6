"""The reference: a page for each package from its docstrings, and for HTTP and the socket."""

import importlib
import inspect
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docstrings import with_fences

ROOT = Path(__file__).parent.parent.parent
PROTOCOL = ROOT / "docs" / "protocol"

PACKAGES = {
    "parlour": ("parlour", "games, states, records, options, errors, batches and observers"),
    "parlour.agents": ("agents", "agents by name, and what one of your own is made of"),
    "parlour.arena": ("arena", "matches, tournaments, statistics"),
    "parlour.table": ("table", "one live game: seats, chance, clocks, events, its file"),
    "parlour.client": ("client", "the tables of a server"),
    "parlour.envs": ("envs", "environments for Gymnasium, PettingZoo and OpenSpiel"),
    "parlour.engines": ("engines", "other people's engines, and ours for other people"),
    "parlour.cards": ("cards", "hidden cards dealt again under constraints"),
    "parlour.grids": ("grids", "boards of a grid: their text, their scenes, their cells"),
    "parlour.testing": ("testing", "the conformance suite for games of your own"),
}
"""Each with the name of its page, and what is in it."""

GROUPS = ("Classes", "Functions", "Modules", "Values", "Errors")
FIRST = ("Game", "State", "Agent", "Table", "Client", "run_match", "check_game")
"""What stands before the rest of its group."""

PROTOCOLS = {
    "http": "the server's requests and answers",
    "socket": "the messages of a table that is played",
}


def reference_pages() -> dict[str, str]:
    """Every page of the reference, by its place in the site."""
    pages = {f"reference/{page}.md": package_page(name) for name, (page, _) in PACKAGES.items()}
    pages["reference/http.md"] = http_page(json.loads((PROTOCOL / "openapi.json").read_text()))
    pages["reference/socket.md"] = socket_page(json.loads((PROTOCOL / "asyncapi.json").read_text()))
    pages["reference/index.md"] = contents()
    return pages


def contents() -> str:
    """Return the first page."""
    lines = ["# Reference", "", "Made from the docstrings and Structs of this very version.", ""]
    lines += ["| package | what is in it |", "| --- | --- |"]
    lines += [f"| [`{name}`]({page}.md) | {words} |" for name, (page, words) in PACKAGES.items()]
    lines += [f"| [{name}]({name}.md) | {words} |" for name, words in PROTOCOLS.items()]
    lines += ["", "What can be imported from these packages is public; see [what may change]"]
    lines[-1] += "(../stability.md)."
    return "\n".join(lines) + "\n"


def package_page(name: str) -> str:
    """Return the page of a package: its docstring, then its public names in groups."""
    package = importlib.import_module(name)
    text = [f"# {name}", "", with_fences(inspect.getdoc(package) or ""), ""]
    groups: dict[str, list[str]] = {title: [] for title in GROUPS}
    for public in package.__all__:
        if not public.startswith("__"):
            groups[group_of(getattr(package, public))].append(public)
    for title, names in groups.items():
        text += [f"## {title}", ""] if names else []
        for public in sorted(names, key=lambda each: (each not in FIRST, each)):
            text += [f"::: {name}.{public}", ""]
    return "\n".join(text)


def group_of(thing: object) -> str:
    """Return the heading for a public name."""
    if inspect.ismodule(thing):
        return "Modules"
    if isinstance(thing, type):
        return "Errors" if issubclass(thing, Exception) else "Classes"
    return "Functions" if callable(thing) else "Values"


# The protocol.


def http_page(api: dict[str, Any]) -> str:
    """Every request with what it takes and answers."""
    info = api["info"]
    text = [f"# HTTP, version {info['version']}", "", info["summary"], ""]
    text += ["Explanation and examples: [the protocol](../protocol.md).", ""]
    for path, operations in api["paths"].items():
        for verb, operation in operations.items():
            text += [f"## {operation['summary']}", "", f"`{verb.upper()} {path}`", ""]
            text += parameters(operation.get("parameters", []))
            body = operation.get("requestBody")
            if body:
                text += [f"Takes {', '.join(contents_of(body))}.", ""]
            text += ["| answer | with |", "| --- | --- |"]
            for status, answer in operation["responses"].items():
                words = answer["description"].removeprefix("Refused: ")
                made = ", ".join(contents_of(answer)) if status < "300" else codes(words)
                text.append(f"| {status} | {made or words} |")
            text.append("")
    return "\n".join([*text, *schemas(api["components"]["schemas"])])


def parameters(found: list[dict[str, Any]]) -> Iterator[str]:
    """Return a table of the parameters in path and query."""
    if found:
        yield from ("| parameter | in | meaning |", "| --- | --- | --- |")
        for each in found:
            yield f"| `{each['name']}` | {each['in']} | {each.get('description', '')} |"
        yield ""


def contents_of(holder: dict[str, Any]) -> list[str]:
    """Describe a body or an answer: one of our types, or a media type."""
    return [
        type_words(each["schema"]) if "schema" in each else f"`{kind}`"
        for kind, each in holder.get("content", {}).items()
    ]


def codes(words: str) -> str:
    """Codes of refusals, as code."""
    return ", ".join(f"`{code.strip()}`" for code in words.split(","))


def socket_page(api: dict[str, Any]) -> str:
    """Every message, those that a client sends first."""
    channel = api["channels"]["socket"]
    text = [f"# The socket, version {api['info']['version']}", ""]
    text += [f"`{channel['address']}`. {channel['description']} {api['info']['description']}", ""]
    text += ["Explanation and examples: [the protocol](../protocol.md).", ""]
    for operation, title in (("send", "Sent by clients"), ("receive", "Received by clients")):
        text += [f"## {title}", "", "| `t` | meaning | fields |", "| --- | --- | --- |"]
        for link in api["operations"][operation]["messages"]:
            message = api["components"]["messages"][link["$ref"].rpartition("/")[2]]
            summary = " ".join(message["summary"].split())
            text.append(f"| `{message['name']}` | {summary} | {type_words(message['payload'])} |")
        text.append("")
    return "\n".join([*text, *schemas(api["components"]["schemas"])])


def schemas(found: dict[str, Any]) -> Iterator[str]:
    """Every type with its fields."""
    yield from ("## Types", "")
    for name, schema in sorted(found.items()):
        yield from (f"### {name}", "", schema.get("description", ""), "")
        fields = schema.get("properties", {})
        if fields:
            yield from ("| field | type | needed |", "| --- | --- | --- |")
        for field, kind in fields.items():
            need = "yes" if field in schema.get("required", ()) else "no"
            yield f"| `{field}` | {type_words(kind)} | {need} |"
        yield ""


def type_words(schema: dict[str, Any]) -> str:
    """Return a type in words, with a link if it is ours."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(type_words(each) for each in schema["anyOf"]))
    if "const" in schema:
        return f"`{json.dumps(schema['const'])}`"
    if "enum" in schema:
        return ", ".join(f"`{json.dumps(each)}`" for each in schema["enum"])
    kind = schema.get("type", "anything")
    if kind == "array":
        if "prefixItems" in schema:
            return "[" + ", ".join(type_words(each) for each in schema["prefixItems"]) + "]"
        return f"list of {type_words(schema['items'])}" if schema.get("items") else "list"
    if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"object of {type_words(schema['additionalProperties'])}"
    return str(kind)
