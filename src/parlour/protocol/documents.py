"""OpenAPI 3.1 and AsyncAPI 3, made from the Structs of this package alone."""

from typing import Any, NamedTuple

import msgspec

from parlour.protocol import API, SHORTEST_KEY, SOCKET, SUBPROTOCOL, VERSION, messages, requests
from parlour.protocol.codes import MEANING, STATUS

Schema = dict[str, Any]

TABLE = "The table's name, as in its link."
SEAT = "A seat, counted from 0."
GAME = "The game's name."
LANGUAGE = "A language tag, such as de."


class Operation(NamedTuple):
    """One path and method."""

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
    "The position after that many actions; the last one if missing.",
    WHOLE,
)

OPERATIONS = (
    Operation("get", "/games", "games", "The games that can be played here", requests.Games),
    Operation(
        "get",
        "/games/{game}/languages/{language}",
        "gameTexts",
        "The texts of a game in another language; empty if it has none",
        requests.GameTexts,
    ),
    Operation(
        "get",
        "/tables",
        "tables",
        "Listed tables, or one's own",
        requests.TableList,
        query=(
            ("listed", "Tables that anybody may join or watch.", {"type": "string"}),
            ("mine", "Tables where the caller holds a seat.", {"type": "string"}),
        ),
    ),
    Operation(
        "post",
        "/tables",
        "createTable",
        "Make a table",
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
        "Where a table stands, or stood",
        requests.TableState,
        query=(PLY,),
    ),
    Operation(
        "get",
        "/tables/{table}/picture",
        "picture",
        "A position as a picture",
        "image/svg+xml",
        query=(PLY,),
        refusals=("not_allowed",),
    ),
    Operation(
        "get",
        "/tables/{table}/events",
        "events",
        "What happened after a version",
        requests.EventsAfter,
        query=(("after", "A version; 0: everything.", WHOLE),),
    ),
    Operation(
        "get",
        "/tables/{table}/film",
        "film",
        "A game that is over as a film",
        "image/gif",
        refusals=("not_allowed", "busy", "missing_extra", "broken_contract"),
    ),
    Operation(
        "get",
        "/tables/{table}/record",
        "record",
        "The record of a game that is over",
        "text/plain",
        refusals=("not_allowed",),
    ),
    Operation(
        "post",
        "/tables/{table}/actions",
        "act",
        "Play, resign, offer a draw and so on; `t` says which, `play` if it is missing",
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
        "Stand up before the beginning, or resign",
        requests.Done,
        needs_token=True,
        refusals=("not_your_seat", "over"),
    ),
    Operation(
        "post",
        "/tables/{table}/seats/{seat}/replace",
        "replaceSeat",
        "Let an agent play on",
        requests.Done,
        requests.ReplaceSeat,
        needs_token=True,
        refusals=("not_your_seat", "over", "not_allowed"),
    ),
    Operation(
        "post",
        "/tables/{table}/seats/{seat}/devices",
        "addDevice",
        "An invitation for the same person elsewhere",
        requests.NewClaim,
        needs_token=True,
        refusals=("not_your_seat",),
    ),
    Operation(
        "post",
        "/analysis",
        "analyse",
        "What an agent thinks of a position of a table",
        requests.AnalysisFound,
        requests.AskAnalysis,
        refusals=(
            "not_allowed", "bad_message", "bad_agent", "busy", "not_found", "unauthorized",
            "agent_fault",
        ),
    ),
)  # fmt: skip

ALWAYS = ("rate_limited", "foreign_origin", "store_unavailable")


def _ref(name: str) -> str:
    return f"#/components/schemas/{name}"


def _schemas(kinds: list[Any]) -> tuple[list[Schema], dict[str, Schema]]:
    found, components = msgspec.json.schema_components(
        kinds, ref_template="#/components/schemas/{name}"
    )
    return list(found), dict(sorted(components.items()))


def openapi() -> Schema:
    """The HTTP API."""
    kinds: list[Any] = [requests.Refusal, requests.Health]
    for operation in OPERATIONS:
        kinds += [each for each in (operation.answer, operation.body) if not _is_plain(each)]
    found, components = _schemas(kinds)
    for kind in messages.SeatRequest.__args__:
        # Over HTTP the id is the header's, and an action is played if nothing else is said.
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
            "summary": "Whether games can be played",
            "responses": {
                "200": _json("It works.", schema_of[id(requests.Health)]),
                "503": _json("It does not, or shuts down.", {}),
            },
        }
    }
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Parlour",
            "version": str(VERSION),
            "summary": "Turn-based grid games over HTTP; see asyncapi.json for the socket.",
            "description": (
                "Every refusal is a `Refusal` with a code: "
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
        words = "The same key again is the same request again: it is carried out once."
        schema = {"type": "string", "maxLength": 64}
        if not operation.path.endswith("/actions"):
            words += " Nobody else may guess it: whoever sends it again gets the token again."
            schema["minLength"] = SHORTEST_KEY
        parameters.append(_parameter("Idempotency-Key", "header", words, schema))
    if isinstance(operation.answer, str):
        right: Schema = {"description": "It.", "content": {operation.answer: {}}}
    else:
        right = _json("Done.", schema_of[id(operation.answer)])
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


def _parameter(name: str, place: str, words: str, schema: Schema) -> Schema:
    return {
        "name": name,
        "in": place,
        "required": place == "path",
        "description": words,
        "schema": schema,
    }


def asyncapi() -> Schema:
    """The socket."""
    sent = list(messages.ClientMessage.__args__)
    heard = list(messages.ServerMessage.__args__)
    found, components = _schemas([*sent, *heard])
    names = [schema["$ref"].rsplit("/", 1)[1] for schema in found]
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Parlour",
            "version": str(VERSION),
            "description": (
                "Messages are JSON objects; `t` names the type. What a client does not know it "
                f"ignores. Within version {VERSION} fields and types may be added, none is taken "
                "away or changes its meaning."
            ),
        },
        "channels": {
            "socket": {
                "address": SOCKET,
                "description": (
                    f"The subprotocol is `{SUBPROTOCOL}`. The first message is a hello; the token "
                    "is in it, or in a cookie, never in the URL. Frames have at most 8 KB."
                ),
                "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in names},
                "bindings": {"ws": {"method": "GET"}},
            }
        },
        "operations": {
            "send": _direction("receive", names[: len(sent)]),
            "hear": _direction("send", names[len(sent) :]),
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
    """Both documents, as they are committed."""
    return {
        "openapi.json": msgspec.json.format(msgspec.json.encode(openapi()), indent=1) + b"\n",
        "asyncapi.json": msgspec.json.format(msgspec.json.encode(asyncapi()), indent=1) + b"\n",
    }
