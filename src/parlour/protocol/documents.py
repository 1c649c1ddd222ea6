"""OpenAPI 3.1 and AsyncAPI 3 documents, generated from the Structs of this package."""

from typing import Any, NamedTuple

import msgspec

from parlour.protocol import (
    API,
    KEY,
    SHORTEST_KEY,
    SOCKET,
    SUBPROTOCOL,
    VERSION,
    messages,
    requests,
)
from parlour.protocol.codes import MEANING, STATUS

Schema = dict[str, Any]

TABLE = "The table's id, as in its link."
SEAT = "A seat, counted from 0."
GAME = "The game's name."
LANGUAGE = "A language tag, such as de."


class Operation(NamedTuple):
    """One HTTP operation: a path and a method."""

    method: str
    path: str
    id: str
    summary: str
    answer: Any
    body: Any = None
    status: int = 200
    query: tuple[tuple[str, str, Schema], ...] = ()
    needs_token: bool = False
    refusals: tuple[str, ...] = ()
    has_key: bool = False


WHOLE: Schema = {"type": "integer", "minimum": 0, "maximum": 2**53 - 1}
PLY = (
    "ply",
    "The number of actions before the position; the current position if missing.",
    WHOLE,
)

IDS: Schema = {"type": "string", "pattern": "^([0-9]{1,9}(,[0-9]{1,9})*)?$"}

LINE: tuple[tuple[str, str, Schema], ...] = (
    ("game", "The game's name.", {"type": "string"}),
    ("options", "The game's options, as a JSON object.", {"type": "object"}),
    ("position", "The text of the first position; missing for the start.", {"type": "string"}),
    ("moves", "The ids of the actions, separated by commas.", IDS),
)
LINE_REFUSALS = (
    "not_allowed", "not_found", "bad_option", "bad_state", "invalid_state", "illegal",
    "too_large", "broken_contract",
)  # fmt: skip

OPERATIONS = (
    Operation("get", "/games", "games", "List the games of this server", requests.Games),
    Operation(
        "get",
        "/games/{game}/languages/{language}",
        "gameTexts",
        "The texts of a game in another language; empty if it has none",
        requests.GameTexts,
    ),
    Operation(
        "get",
        "/games/{game}/preview",
        "gamePreview",
        "A short game between agents, for a moving picture",
        requests.GamePreview,
    ),
    Operation(
        "get",
        "/games/{game}/examples",
        "gameExamples",
        "Positions that illustrate the sections of the rules",
        requests.GameExamples,
    ),
    Operation(
        "get",
        "/games/{game}/puzzles",
        "gamePuzzles",
        "Positions of the game in which one action is clearly the best",
        requests.GamePuzzles,
    ),
    Operation(
        "get",
        "/tables",
        "tables",
        "List the public tables or your own",
        requests.TableList,
        query=(
            ("listed", "Public tables, which anyone may join or watch.", {"type": "string"}),
            ("mine", "Tables at which you hold a seat.", {"type": "string"}),
        ),
    ),
    Operation(
        "post",
        "/tables",
        "createTable",
        "Create a table",
        requests.MadeTable,
        requests.NewTable,
        201,
        refusals=(
            "bad_message", "bad_option", "bad_clock", "bad_nonce", "bad_record", "not_allowed",
            "not_found", "conflict", "busy", "bad_agent",
        ),
        has_key=True,
    ),
    Operation(
        "get",
        "/tables/{table}",
        "table",
        "Get the current or an earlier position of a table",
        requests.TableState,
        query=(PLY,),
    ),
    Operation(
        "get",
        "/tables/{table}/picture",
        "picture",
        "Get a position as a picture",
        "image/svg+xml",
        query=(PLY,),
        refusals=("not_allowed",),
    ),
    Operation(
        "get",
        "/tables/{table}/preview",
        "tablePreview",
        "Get the current position in pixels, for link previews",
        "image/png",
        refusals=("not_allowed", "missing_extra"),
    ),
    Operation(
        "get",
        "/tables/{table}/events",
        "events",
        "List the events after a version",
        requests.EventsAfter,
        query=(("after", "A version; 0 for all events.", WHOLE),),
    ),
    Operation(
        "get",
        "/tables/{table}/film",
        "film",
        "Get a finished game as an animation",
        "image/gif",
        refusals=("not_allowed", "too_large", "busy", "missing_extra", "broken_contract"),
    ),
    Operation(
        "get",
        "/tables/{table}/record",
        "record",
        "Get the record of a finished game",
        "text/plain",
        refusals=("not_allowed",),
    ),
    Operation(
        "post",
        "/tables/{table}/actions",
        "act",
        "Play, resign, offer a draw and so on; `t` selects the request, `play` by default",
        requests.Done,
        messages.SeatRequest,
        needs_token=True,
        refusals=(
            "bad_message", "bad_action", "illegal", "stale", "not_your_turn", "over", "time_up",
            "conflict", "not_allowed",
        ),
        has_key=True,
    ),
    Operation(
        "post",
        "/tables/{table}/seats/{seat}/claim",
        "claimSeat",
        "Take a seat",
        requests.Seated,
        requests.ClaimSeat,
        refusals=("used", "not_allowed", "not_your_seat", "bad_message", "bad_nonce", "conflict"),
        has_key=True,
    ),
    Operation(
        "post",
        "/tables/{table}/seats/{seat}/leave",
        "leaveSeat",
        "Leave a seat before the game starts, or resign",
        requests.Done,
        needs_token=True,
        refusals=("not_your_seat", "over"),
    ),
    Operation(
        "post",
        "/tables/{table}/seats/{seat}/cancel",
        "cancelTable",
        "End a table before the game starts, if you created it; otherwise leave the seat",
        requests.Done,
        needs_token=True,
        refusals=("not_your_seat", "not_allowed"),
    ),
    Operation(
        "post",
        "/tables/{table}/seats/{seat}/replace",
        "replaceSeat",
        "Let an agent take over a seat",
        requests.Done,
        requests.ReplaceSeat,
        needs_token=True,
        refusals=("not_your_seat", "over", "not_allowed"),
    ),
    Operation(
        "post",
        "/tables/{table}/seats/{seat}/devices",
        "addDevice",
        "Create an invitation to use the seat on another device",
        requests.NewClaim,
        needs_token=True,
        refusals=("not_your_seat",),
    ),
    Operation(
        "post",
        "/seats/link",
        "linkSeats",
        "Create a link that gives another browser your seats, once",
        requests.SeatsLink,
        needs_token=True,
        refusals=("unauthorized",),
    ),
    Operation(
        "post",
        "/seats/claim",
        "claimSeats",
        "Take the seats of such a link",
        requests.SeatsFound,
        requests.SeatsCode,
        refusals=("used",),
    ),
    Operation(
        "post",
        "/seats/revoke",
        "revokeSeats",
        "Make such a link useless",
        requests.SeatsRevoked,
        requests.SeatsCode,
        refusals=("used",),
    ),
    Operation(
        "post",
        "/pairing",
        "findGame",
        "Play with the next people who want the same game, options and clock",
        requests.Seated,
        requests.FindGame,
        refusals=(
            "bad_option", "bad_clock", "bad_nonce", "not_allowed", "not_found", "conflict", "busy",
        ),
        has_key=True,
    ),
    Operation(
        "post",
        "/analysis",
        "analyse",
        "Analyse a position of a table, or of a game by its text",
        requests.AnalysisFound,
        requests.AskAnalysis,
        refusals=(
            "not_allowed", "bad_message", "bad_agent", "busy", "not_found", "unauthorized",
            "agent_fault", "bad_option", "bad_state", "invalid_state", "illegal",
            "broken_contract",
        ),
    ),
    Operation(
        "post",
        "/positions",
        "positions",
        "Play through a game and variations; nothing is stored",
        requests.TreeFound,
        requests.AskTree,
        refusals=(
            "not_allowed", "bad_message", "not_found", "bad_option", "bad_state", "invalid_state",
            "bad_record", "illegal", "broken_contract",
        ),
    ),
    Operation(
        "get",
        "/positions/picture",
        "positionPicture",
        "Get the last position of a line of play as a picture",
        "image/svg+xml",
        query=LINE,
        refusals=LINE_REFUSALS,
    ),
    Operation(
        "get",
        "/positions/film",
        "positionFilm",
        "Get a line of play as an animation",
        "image/gif",
        query=LINE,
        refusals=(*LINE_REFUSALS, "busy", "missing_extra"),
    ),
)  # fmt: skip

FROM_A_TABLE = {"table": "$response.body#/table"}
FROM_A_SEAT = {**FROM_A_TABLE, "seat": "$response.body#/seat"}
FROM_AN_INVITATION = {**FROM_A_TABLE, "seat": "$response.body#/invitations/0/seat"}

ALWAYS = ("rate_limited", "foreign_origin", "store_unavailable")


def _ref(name: str) -> str:
    return f"#/components/schemas/{name}"


def _schemas(kinds: list[Any]) -> tuple[list[Schema], dict[str, Schema]]:
    found, components = msgspec.json.schema_components(
        kinds, ref_template="#/components/schemas/{name}"
    )
    return list(found), dict(sorted(components.items()))


def openapi() -> Schema:
    """Return the OpenAPI document of the HTTP API."""
    kinds: list[Any] = [requests.Refusal, requests.Health]
    for operation in OPERATIONS:
        kinds += [each for each in (operation.answer, operation.body) if not _is_plain(each)]
    found, components = _schemas(kinds)
    for kind in messages.SeatRequest.__args__:
        # Over HTTP the id comes from the header, and the default request is `play`.
        given = {"id", "t"} if kind is messages.Play else {"id"}
        schema = components[kind.__name__]
        schema["required"] = [name for name in schema["required"] if name not in given]
    schema_of = {id(kind): schema for kind, schema in zip(kinds, found, strict=True)}
    paths: dict[str, Schema] = {}
    for operation in OPERATIONS:
        entry = paths.setdefault(API + operation.path, {})
        entry[operation.method] = _operation(operation, schema_of)
    paths["/healthz"] = {
        "get": {
            "operationId": "health",
            "summary": "Check the health of the server",
            "responses": {
                "200": _json("The server is healthy.", schema_of[id(requests.Health)]),
                "503": _json("The server is unhealthy or shutting down.", {}),
            },
        }
    }
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Parlour",
            "version": str(VERSION),
            "summary": "Turn-based grid games over HTTP; see asyncapi.json for the WebSocket.",
            "description": (
                "Every error response is a `Refusal` with a code:  "
                + "; ".join(f"`{code}` ({MEANING[code]})" for code in sorted(MEANING))
                + "."
            ),
        },
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer"},
                "cookie": {"type": "apiKey", "in": "cookie", "name": "seat_TABLE"},
            },
        },
    }


def _is_plain(kind: Any) -> bool:
    return kind is None or isinstance(kind, str)


def _json(description: str, schema: Schema) -> Schema:
    return {"description": description, "content": {"application/json": {"schema": schema}}}


def _operation(operation: Operation, schema_of: dict[int, Schema]) -> Schema:
    parameters: list[Schema] = []
    for name, words in (("table", TABLE), ("seat", SEAT), ("game", GAME), ("language", LANGUAGE)):
        if "{" + name + "}" in operation.path:
            kind = {"type": "integer", "minimum": 0} if name == "seat" else {"type": "string"}
            parameters.append(_parameter(name, "path", words, kind))
    for name, words, schema in operation.query:
        parameters.append(_parameter(name, "query", words, schema))
    if operation.has_key:
        words = "Makes the request idempotent: requests with the same key run once."
        schema = {"type": "string", "pattern": f"^{KEY}$"}
        if not operation.path.endswith("/actions"):
            words += " Choose an unguessable key: repeating the request returns the token."
            schema["minLength"] = SHORTEST_KEY
        parameters.append(_parameter("Idempotency-Key", "header", words, schema))
    if isinstance(operation.answer, str):
        right: Schema = {"description": "The file.", "content": {operation.answer: {}}}
    else:
        right = _json("Done.", schema_of[id(operation.answer)])
    links = _links(operation)
    if links:
        right["links"] = links
    responses: dict[str, Schema] = {str(operation.status): right}
    refused: dict[int, list[str]] = {}
    more: tuple[str, ...] = ("not_found",) if "{" in operation.path else ()
    more += ("unauthorized", "not_your_seat") if "{table}" in operation.path else ()
    more += ("bad_message",) if operation.query else ()
    more += ("closing", "too_large", "bad_message") if operation.method == "post" else ()
    for code in sorted({*operation.refusals, *ALWAYS, *more, "game_unavailable"}):
        refused.setdefault(STATUS[code], []).append(code)
    for status in sorted(refused):
        words = "Refused: " + ", ".join(refused[status])
        responses[str(status)] = _json(words, {"$ref": _ref("Refusal")})
    made: Schema = {
        "operationId": operation.id,
        "summary": operation.summary,
        "parameters": parameters,
        "responses": responses,
    }
    if operation.body is not None:
        content = {"application/json": {"schema": schema_of[id(operation.body)]}}
        made["requestBody"] = {"required": True, "content": content}
    if operation.needs_token:
        made["security"] = [{"bearer": []}, {"cookie": []}]
    return made


def _links(operation: Operation) -> Schema:
    """Return links to operations that take their ids from this one's response."""
    if operation.id == "games":
        given = {"game": "$response.body#/games/0/name", "language": "de"}
        return {"texts": {"operationId": "gameTexts", "parameters": given}}
    if operation.id not in ("createTable", "findGame"):
        return {}
    found: Schema = {}
    for each in OPERATIONS:
        if "{seat}" in each.path:
            found[each.id] = {"operationId": each.id, "parameters": FROM_A_SEAT}
        elif "{table}" in each.path:
            found[each.id] = {"operationId": each.id, "parameters": FROM_A_TABLE}
    if operation.id == "createTable":
        found["claimSeat"] = {
            "operationId": "claimSeat",
            "parameters": FROM_AN_INVITATION,
            "requestBody": {"claim": "$response.body#/invitations/0/claim"},
        }
    found["analyse"] = {"operationId": "analyse", "requestBody": FROM_A_TABLE}
    return found


def _parameter(name: str, place: str, words: str, schema: Schema) -> Schema:
    found: Schema = {
        "name": name,
        "in": place,
        "required": place == "path",
        "description": words,
    }
    is_json = schema.get("type") == "object"
    return found | (
        {"content": {"application/json": {"schema": schema}}} if is_json else {"schema": schema}
    )


def asyncapi() -> Schema:
    """Return the AsyncAPI document of the WebSocket."""
    sent = list(messages.ClientMessage.__args__)
    received = list(messages.ServerMessage.__args__)
    found, components = _schemas([*sent, *received])
    names = [schema["$ref"].rsplit("/", 1)[1] for schema in found]
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Parlour",
            "version": str(VERSION),
            "description": (
                "Messages are JSON objects; `t` names the type. Clients ignore unknown types and "
                f"fields. Within version {VERSION}, fields and types may be added, but none is "
                "removed or changes its meaning."
            ),
        },
        "channels": {
            "socket": {
                "address": SOCKET,
                "description": (
                    f"The subprotocol is `{SUBPROTOCOL}`. The first message is `hello`. It carries "
                    "the token unless a cookie does; the URL never does. Frames have at most 8 KB."
                ),
                "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in names},
                "bindings": {"ws": {"method": "GET"}},
            }
        },
        "operations": {
            "send": _direction("receive", names[: len(sent)]),
            "receive": _direction("send", names[len(sent) :]),
        },
        "components": {
            "messages": {
                name: {
                    "name": components[name]["properties"]["t"]["enum"][0],
                    "summary": components[name].get("description", "").split("\n")[0],
                    "payload": {"$ref": _ref(name)},
                }
                for name in names
            },
            "schemas": components,
        },
    }


def _direction(action: str, names: list[str]) -> Schema:
    return {
        "action": action,
        "channel": {"$ref": "#/channels/socket"},
        "messages": [{"$ref": f"#/channels/socket/messages/{name}"} for name in names],
    }


def files() -> dict[str, bytes]:
    """Return both documents by file name, as committed."""
    return {
        "openapi.json": msgspec.json.format(msgspec.json.encode(openapi()), indent=1) + b"\n",
        "asyncapi.json": msgspec.json.format(msgspec.json.encode(asyncapi()), indent=1) + b"\n",
    }
