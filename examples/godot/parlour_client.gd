# A client for `parlour serve`, for Godot 3: one script without dependencies.
#
#     var client = preload("res://parlour_client.gd").new()
#     client.connect("changed", self, "_on_changed")
#     client.create("http://127.0.0.1:8000", "octa", {}, 1)      # or client.join(invitation)
#     func _process(_delta): client.poll()
#     ...
#     if client.is_my_turn(): client.play(client.view.scene.actions[0].id)
#
# Requests are idempotent: each has an id and is sent again with it, over a new socket if necessary,
# until it is answered; the server executes it once. `Conversation` does no I/O;
# tests replay recorded conversations against it.
extends Reference

signal changed  # the view has changed
signal happened(event)  # an event at the table, as in asyncapi.json
signal answered(id, v)  # a request was executed
signal refused(id, code, message)  # a request was refused, and nothing has changed
signal ended(code, message)  # the connection failed for good

const ATTEMPTS = 14
# The limit for a server that has never answered: its address is probably wrong.
const FIRST_ATTEMPTS = 3
const ANSWER_SECONDS = 20.0
const QUIET_SECONDS = 25.0
const DEAF_SECONDS = 35.0
const UNAUTHORIZED = 4401
const SEAT_TAKEN = 4403
const WRONG_VERSION = 4426

var view = null setget , _get_view  # the table's state; null before the welcome
var table = ""
var token = ""
var sockets = 0  # the number of sockets opened so far
var failure = ""  # why the connection failed for good

var _base = ""
var _talk = null
var _call = null
var _http = null
var _body = PoolByteArray()
var _socket = null
var _left = []  # sockets that were closed in a callback, where Godot must not free them
var _failures = 0
var _is_known = false  # whether the server has ever answered
var _wake = -1.0  # when to open the next socket; -1 if there is one
var _heard_at = 0.0
var _is_asked = false  # whether a silent server was pinged
var _later = []  # [when, id] of deferred requests


# Creates a table with you in the first seat and agents of that level in the others.
func create(base, game, options = {}, level = 1, name = ""):
	_base = base.rstrip("/")
	if _check_base():
		_ask_http(HTTPClient.METHOD_GET, "/games", null, "_on_games", [game, options, level, name])


# Joins by a link: an invitation, BASE/t/TABLE#seat=1&claim=SECRET, or as a spectator without a claim.
func join(link, name = ""):
	var parts = link.strip_edges().split("#")
	var at = parts[0].find("/t/")
	_base = parts[0].substr(0, at) if at > 0 else ""
	table = parts[0].substr(at + 3) if at > 0 else ""
	if not _check_base() or table == "":
		_end("bad_link", "a link to a table reads like https://games.example.org/t/TABLE, not " + link)
		return
	var given = {}
	for pair in (parts[1].split("&") if parts.size() > 1 else []):
		given[pair.split("=")[0]] = pair.substr(pair.find("=") + 1)
	if not given.has("claim"):
		sit(_base, table, "")
		return
	var path = "/tables/%s/seats/%s/claim" % [table, given.get("seat", "0")]
	_ask_http(HTTPClient.METHOD_POST, path, {"claim": given["claim"], "name": name, "nonce": new_key()}, "_on_seated", [])


# Returns to a seat with its token, or watches without one.
func sit(base, new_table, new_token):
	_base = base
	table = new_table
	token = new_token
	_talk = Conversation.new(table, token)
	_wake = _now()


# Plays an action by its id or text, for the position of the current view.
func play(action):
	return ask("play", {"ply": _get_view().ply, "action": action})


# Sends a request: play, resign, draw, takeback, rematch, say, premove. Returns its id.
func ask(type, fields = {}):
	var request = {"t": type, "id": new_key()}
	for name in fields:
		request[name] = fields[name]
	_talk.ask(request)
	_flush()
	return request["id"]


# Whether there is a connection; otherwise the client reconnects on its own.
func is_online():
	return _talk != null and _wake < 0.0


func is_my_turn():
	var now = _get_view()
	if now == null or now.status != "playing" or now.you == null:
		return false
	return (now.actor == now.you or now.you in now.actors) and now.seats[now.you]["kind"] == "person"


# Call this in _process or _idle: it never blocks.
func poll():
	if failure != "":
		return
	_left = []
	if _call != null:
		_poll_http()
	if _talk == null or failure != "":
		return
	if _wake >= 0.0:
		if _now() >= _wake:
			_open()
	elif _socket != null:
		_socket.poll()
		_watch()
	for each in _later.duplicate():
		if _now() >= each[0]:
			_later.erase(each)
			_talk.again(each[1])
			_flush()


func close():
	failure = "this client has left the table"
	if _socket != null:
		_socket.disconnect_from_host()


# Keys must be unguessable, because some answers contain secrets.
static func new_key():
	return Crypto.new().generate_random_bytes(16).hex_encode()


static func _now():
	return OS.get_ticks_msec() / 1000.0


# Exponential backoff with jitter.
static func _pause(failures):
	return min(10.0, 0.2 * pow(2, failures - 1)) * rand_range(0.5, 1.0)


func _get_view():
	return null if _talk == null else _talk.view


func _attempts():
	return ATTEMPTS if _is_known else FIRST_ATTEMPTS


func _end(code, message):
	if failure == "":
		failure = message
		if _socket != null:
			_socket.disconnect_from_host()
		emit_signal("ended", code, message)


func _check_base():
	var is_right = _base.begins_with("http://") or _base.begins_with("https://")
	if not is_right:
		_end("bad_link", "a server reads like http://127.0.0.1:8000, not " + _base)
	return is_right


# HTTP: one request at a time, retried with the same idempotency key while the server is unavailable.


func _ask_http(method, path, body, then, more):
	_call = {"method": method, "path": path, "body": body, "then": then, "more": more}
	_call["key"] = new_key()
	_failures = 0
	_send_again(0.0)


func _send_again(seconds):
	_http = null
	_call["at"] = _now() + seconds
	_call["is_sent"] = false
	_body = PoolByteArray()


func _poll_http():
	if _now() < _call["at"]:
		return
	if _http == null:
		_http = HTTPClient.new()
		var is_ssl = _base.begins_with("https://")
		var place = _base.substr(_base.find("//") + 2).split("/")[0]
		var port = -1
		if place.rfind(":") > place.rfind("]"):
			port = int(place.substr(place.rfind(":") + 1))
			place = place.substr(0, place.rfind(":"))
		if _http.connect_to_host(place, port, is_ssl, is_ssl) != OK:
			_fail_http()
			return
	_http.poll()
	var status = _http.get_status()
	if status == HTTPClient.STATUS_CONNECTED and not _call["is_sent"]:
		_call["is_sent"] = true
		var body = "" if _call["body"] == null else to_json(_call["body"])
		var headers = ["Content-Type: application/json", "Idempotency-Key: " + _call["key"]]
		var after_host = _base.substr(_base.find("//") + 2)
		var prefix = after_host.substr(after_host.find("/")) if "/" in after_host else ""
		_http.request(_call["method"], prefix + "/api/v1" + _call["path"], headers, body)
	elif status == HTTPClient.STATUS_BODY:
		_body.append_array(_http.read_response_body_chunk())
	elif _call["is_sent"] and _http.has_response() and status != HTTPClient.STATUS_REQUESTING:
		_take_answer(_http.get_response_code(), _body.get_string_from_utf8())
	elif status in [HTTPClient.STATUS_RESOLVING, HTTPClient.STATUS_CONNECTING, HTTPClient.STATUS_REQUESTING]:
		if _now() > _call["at"] + ANSWER_SECONDS:
			_fail_http()
	elif status != HTTPClient.STATUS_CONNECTED:
		_fail_http()


func _fail_http():
	_failures += 1
	if _failures >= _attempts():
		_end("unreachable", _base + " does not answer")
	else:
		_send_again(_pause(_failures))


func _take_answer(code, text):
	var answer = parse_json(text) if text.begins_with("{") else {}
	_is_known = true
	if code < 300:
		var done = _call
		_call = null
		_failures = 0
		callv(done["then"], [answer] + done["more"])
		return
	var problem = answer.get("code", "refused")
	if not problem in Conversation.PASSING:
		_end(problem, answer.get("message", "the server answers %d" % code))
		return
	_failures += 1
	if _failures >= _attempts():
		_end(problem, answer["message"])
	else:
		_send_again(answer.get("retry_after", _pause(_failures)))


func _on_games(answer, game, options, level, name):
	for each in answer["games"]:
		if each["name"] == game:
			var seats = [{"kind": "me"}]
			while seats.size() < int(each["seats"]):
				seats.append({"kind": "agent", "level": level})
			var wish = {"game": game, "options": options, "seats": seats, "name": name, "nonce": new_key()}
			_ask_http(HTTPClient.METHOD_POST, "/tables", wish, "_on_seated", [])
			return
	_end("not_found", "the server has no game " + game)


func _on_seated(answer):
	sit(_base, answer["table"], answer["token"])


# The socket, which reconnects.


func _open():
	_wake = -1.0
	_heard_at = _now()
	_is_asked = false
	_socket = WebSocketClient.new()
	_socket.set_buffers(1024, 256, 64, 256)
	_socket.connect("connection_established", self, "_on_open")
	_socket.connect("connection_error", self, "_renew")
	_socket.connect("connection_closed", self, "_on_close")
	_socket.connect("server_close_request", self, "_on_close_request")
	_socket.connect("data_received", self, "_on_data")
	if _socket.connect_to_url("ws" + _base.substr(4) + "/ws/v1", ["parlour.1"]) != OK:
		_renew()


func _on_open(_protocol):
	sockets += 1
	_is_known = true
	_socket.get_peer(1).set_write_mode(WebSocketPeer.WRITE_MODE_TEXT)
	_talk.connected()
	_flush()


func _on_close_request(code, reason):
	if code == UNAUTHORIZED:
		_end("unauthorized", reason)
	elif code == SEAT_TAKEN:
		_end("not_your_seat", reason)
	elif code == WRONG_VERSION:
		_end("version", reason)


func _on_close(_is_clean):
	if failure == "":
		_renew()


# Closes this socket and schedules the next one.
func _renew(seconds = null):
	if _socket != null:
		# A freed script must not receive signals of a closing socket.
		for name in ["connection_established", "connection_error", "connection_closed", "server_close_request", "data_received"]:
			for each in _socket.get_signal_connection_list(name):
				_socket.disconnect(name, self, each["method"])
		_socket.disconnect_from_host()
		_left.append(_socket)
	_socket = null
	_failures += 1
	if _failures >= _attempts():
		_end("unreachable", _base + " does not answer")
	else:
		_wake = _now() + (_pause(_failures) if seconds == null else seconds)


# Detects a connection that is silently dead.
func _watch():
	if _socket == null:
		return
	var quiet = _now() - _heard_at
	if quiet > DEAF_SECONDS:
		_renew()
	elif quiet > QUIET_SECONDS and not _is_asked:
		_is_asked = true
		_say(to_json({"t": "ping", "at": 0}))


func _is_open():
	return _socket != null and _socket.get_connection_status() == NetworkedMultiplayerPeer.CONNECTION_CONNECTED


func _say(text):
	_socket.get_peer(1).put_packet(text.to_utf8())


func _flush():
	# Unsent messages are sent again on the next socket.
	while _is_open() and not _talk.outgoing.empty():
		_say(_talk.outgoing.pop_front())


func _on_data():
	while _socket != null and failure == "" and _socket.get_peer(1).get_available_packet_count() > 0:
		_heard_at = _now()
		_is_asked = false
		var heard = _talk.hear(_socket.get_peer(1).get_packet().get_string_from_utf8())
		for each in heard:
			_act(each)
		if failure == "":
			_flush()
		if not heard.empty():
			emit_signal("changed")


func _act(heard):
	match heard["kind"]:
		"renew":
			_renew(heard.get("seconds"))
		"ended":
			_end(heard["code"], heard["message"])
		"later":
			_failures += 1
			if _failures >= _attempts():
				_talk.drop(heard["id"])
				emit_signal("refused", heard["id"], heard["code"], heard["message"])
			else:
				_later.append([_now() + heard["seconds"], heard["id"]])
		"news":
			_failures = 0
			emit_signal("happened", heard["event"])
		"answered":
			_failures = 0
			emit_signal("answered", heard["id"], heard["v"])
		"failed":
			emit_signal("refused", heard["id"], heard["code"], heard["message"])
		_:
			_failures = 0


# Scenes: a palette of distinct cells, indices into it, and changes. Each is a new value.
class Scenes:
	const CELL = {"owner": -1, "colour": "", "face": "", "sign": "", "marks": [], "piece": 0, "number": 0}
	const SEAT = {"score": "", "tray": []}
	const BOARD = {"rows": 0, "cols": 0, "row_names": [], "col_names": [], "shape": "square", "holes": [], "points": [], "links": [], "pieces": []}
	const NOTHING = {"board": BOARD, "cells": [], "seats": [], "status": "", "actor": -2, "actors": [], "actions": []}

	var scene = NOTHING
	var problem = ""  # why the last scene was invalid
	var _palette = []
	var _places = []

	# Returns the scene after a message with a scene, a diff or neither; null if it is invalid.
	func take(full, diff):
		problem = ""
		if full != null:
			_take_full(full)
		elif diff != null:
			_take_diff(diff)
		return scene if problem == "" else null

	func _take_full(full):
		var board = with_defaults(full["board"], BOARD) if full.has("board") else scene.board.duplicate()
		board.rows = int(board.rows)
		board.cols = int(board.cols)
		board.holes = integers(board.holes)
		var links = []
		for link in board.links:
			links.append(integers(link))
		board.links = links
		var pieces = []
		for piece in board.pieces:
			var cells = []
			for cell in piece[1]:
				cells.append(integers(cell))
			pieces.append([piece[0], cells])
		board.pieces = pieces
		if full["cells"].size() != board.rows * board.cols:
			problem = "the cells do not fill the board"
			return
		var next = {"board": board, "seats": all_with_defaults(full["seats"], SEAT), "status": full["status"]}
		next["actor"] = int(full["actor"])
		next["actors"] = integers(full.get("actors", []))
		next["actions"] = read_actions(full.get("actions", []))
		_show(all_with_defaults(full["palette"], CELL), integers(full["cells"]), next)

	func _take_diff(diff):
		var palette = _palette + all_with_defaults(diff.get("palette+", []), CELL)
		var places = _places.duplicate()
		for change in diff.get("cells", []):
			if int(change[0]) >= places.size():
				problem = "a change is not on the board"
				return
			places[int(change[0])] = int(change[1])
		var next = scene.duplicate()
		if diff.has("seats"):
			next["seats"] = all_with_defaults(diff["seats"], SEAT)
		next["status"] = diff.get("status", scene.status)
		next["actor"] = int(diff.get("actor", scene.actor))
		if diff.has("actors"):
			next["actors"] = integers(diff["actors"])
		if diff.has("actions"):
			next["actions"] = read_actions(diff["actions"])
		_show(palette, places, next)

	func _show(palette, places, next):
		var cells = []
		for place in places:
			if place >= palette.size():
				problem = "a cell is not in the palette"
				return
			cells.append(palette[place])
		next["cells"] = cells
		_palette = palette
		_places = places
		scene = next

	static func with_defaults(given, defaults):
		var whole = defaults.duplicate()
		for name in given:
			whole[name] = int(given[name]) if typeof(given[name]) == TYPE_REAL else given[name]
		return whole

	static func all_with_defaults(given, defaults):
		var whole = []
		for each in given:
			whole.append(with_defaults(each, defaults))
		return whole

	# In Godot 3, all numbers from JSON are floats.
	static func integers(numbers):
		var whole = []
		for each in numbers:
			whole.append(int(each))
		return whole

	static func read_actions(wire):
		var actions = []
		for each in wire:
			var action = {"id": int(each[0]), "text": each[1], "cells": integers(each[2])}
			action["group"] = each[3]
			action["also"] = integers(each[4])
			actions.append(action)
		return actions


# The client's side of the protocol at one table, without I/O.
#
# For a new connection, call `connected`, send the contents of `outgoing`, and pass each incoming text
# to `hear`. It returns results with a `kind`: news (an event), talk,
# changed, answered (id, v), failed (id, code, message), later (id, seconds: ask `again` then), renew
# (open a new connection after `seconds`), ended (code, message: a new one would not help).
class Conversation:
	const PASSING = ["rate_limited", "closing", "store_unavailable", "busy"]
	const PROTOCOL = 1  # the protocol version of this client
	const SAID_KEPT = 50

	var table
	var token
	var view = null  # the last state from the server
	var outgoing = []
	var _requests = {}
	var _settling = {}
	var _scenes = Scenes.new()
	var _is_welcome = false
	var _is_done_with = false

	func _init(new_table, new_token):
		table = new_table
		token = new_token

	func connected():
		outgoing = []
		_is_welcome = false
		_is_done_with = false
		var hello = {"t": "hello", "protocol": PROTOCOL, "table": table, "token": token}
		if view != null:
			hello["v"] = view.v
		outgoing.append(to_json(hello))

	# Sends a request with an id, now or as soon as there is a connection.
	func ask(request):
		_requests[request["id"]] = request
		again(request["id"])

	func again(id):
		if _is_welcome and _requests.has(id):
			outgoing.append(to_json(_requests[id]))

	func drop(id):
		_requests.erase(id)
		_settling.erase(id)

	func hear(text):
		if _is_done_with:
			return []
		var parsed = JSON.parse(text)
		var heard
		if parsed.error != OK or typeof(parsed.result) != TYPE_DICTIONARY:
			heard = [{"kind": "ended", "code": "bad_message", "message": "the server does not speak JSON"}]
		else:
			heard = _take(parsed.result)
		for each in heard:
			if each["kind"] in ["renew", "ended"]:
				_is_done_with = true
		return heard

	func _take(message):
		match message.get("t"):
			"welcome":
				return _take_welcome(message)
			"error":
				return _take_error(message)
			"closing":
				return [{"kind": "renew", "reason": "the server shuts down", "seconds": message["retry_after"]}]
			"resync":
				return _renewal(message["reason"])
		if not _is_welcome:
			return []
		match message.get("t"):
			"update":
				return _take_update(message)
			"ack":
				if not _requests.has(message["id"]):
					return []
				_settling[message["id"]] = int(message["v"])
				return _settled()
		return _take_aside(message)

	func _renewal(reason):
		return [{"kind": "renew", "reason": reason}]

	func _take_welcome(welcome):
		if int(welcome.get("protocol", 0)) != PROTOCOL:
			var message = "this client speaks version %d of the protocol, the server another one: update the older one"
			return [{"kind": "ended", "code": "version", "message": message % PROTOCOL}]
		# A duplicated message may be old.
		if _is_welcome and int(welcome["standing"]["v"]) < view.v:
			return []
		var scenes = Scenes.new()
		var scene = scenes.take(welcome.get("scene"), null)
		if scene == null:
			return _renewal(scenes.problem)
		var heard = [{"kind": "changed"}]
		if view != null:
			for event in welcome.get("missed", []):
				if int(event["v"]) > view.v:
					heard.append({"kind": "news", "event": event})
		_scenes = scenes
		view = _view_of(welcome, scene)
		if not _is_welcome:
			_is_welcome = true
			for id in _requests:
				again(id)
		return heard + _settled()

	func _take_update(update):
		if int(update["standing"]["v"]) <= view.v:
			return []
		if int(update["events"][0]["v"]) != view.v + 1:
			return _renewal("version %d is missing" % (view.v + 1))
		var scene = _scenes.take(update.get("scene"), update.get("diff"))
		if scene == null:
			return _renewal(_scenes.problem)
		view = _after(view, update, scene)
		var heard = []
		for event in update["events"]:
			heard.append({"kind": "news", "event": event})
		return heard + _settled()

	# Returns the executed requests whose events have all arrived.
	func _settled():
		var done = []
		for id in _settling.keys():
			if _settling[id] <= view.v:
				done.append({"kind": "answered", "id": id, "v": _settling[id]})
				drop(id)
		return done

	func _take_error(error):
		var code = error["code"]
		var told = {"code": code, "message": error["message"]}
		if not error.has("id"):
			if _is_welcome:
				return []
			told["kind"] = "renew" if code in PASSING else "ended"
			told["seconds"] = error.get("retry_after")
			return [told]
		told["id"] = error["id"]
		if not _requests.has(error["id"]) or _settling.has(error["id"]):
			return []
		if code in PASSING:
			told["kind"] = "later"
			told["seconds"] = error.get("retry_after", 1.0)
		else:
			told["kind"] = "failed"
			drop(error["id"])
		return [told]

	# Handles messages that are not events.
	func _take_aside(message):
		var change
		var told = [{"kind": "changed"}]
		match message["t"]:
			"say":
				var spoken = {"seat": int(message["seat"]), "name": message["name"], "text": message["text"]}
				var said = view.said + [spoken]
				change = {"said": said.slice(max(0, said.size() - SAID_KEPT), said.size() - 1)}
				told.append({"kind": "talk", "spoken": spoken})
			"presence":
				change = {"present": message["seats"], "watchers": int(message["watchers"])}
			"thinking":
				change = {"thinking": int(message["seat"])}
			"premove":
				change = {"premove": message.get("action")}
			_:
				return []
		view = _changed(view, change)
		return told

	static func _changed(before, change):
		var next = before.duplicate()
		for name in change:
			next[name] = change[name]
		return next

	# Returns the fields of a view that a standing replaces.
	static func _stored(standing):
		return {
			"v": int(standing["v"]),
			"ply": int(standing["ply"]),
			"status": standing["status"],
			"seats": standing["seats"],
			"actor": int(standing.get("actor", -2)),
			"actors": Scenes.integers(standing.get("actors", [])),
			"offers": _offers(standing),
			"clocks": standing.get("clocks"),
			"ending": standing.get("ending"),
			"remark": standing.get("remark", ""),
			"rematch": standing.get("rematch", ""),
			"position": standing.get("position"),
		}

	static func _view_of(welcome, scene):
		var you = welcome.get("you")
		var first = {
			"table": welcome["table"],
			"game": welcome["game"],
			"title": welcome["title"],
			"options": welcome["options"],
			"you": null if you == null else int(you),
			"commitment": welcome["commitment"],
			"control": welcome.get("control", ""),
			"scene": scene if welcome.has("scene") else null,
			"history": welcome.get("history", []),
			"start": welcome.get("start"),
			"said": welcome.get("said", []),
			"rematch_of": welcome.get("rematch_of", ""),
			"present": [],
			"watchers": 0,
			"thinking": null,
			"premove": null,
		}
		return _changed(first, _stored(welcome["standing"]))

	static func _after(before, update, scene):
		var next = _changed(before, _stored(update["standing"]))
		var line = int(update.get("line", 0))
		var events = update["events"]
		next.history = _first(before.history, next.ply - line)
		for place in range(events.size() - line, events.size()):
			next.history = next.history + [events[place]]
		if update.has("scene") or update.has("diff"):
			next.scene = scene
		if update.has("start"):
			next.start = update["start"]
		next.thinking = null
		return next

	# The open offers: the seats that made or support each.
	static func _offers(message):
		var open = message.get("offers", {})
		var offers = {}
		for name in ["draw", "takeback", "rematch"]:
			offers[name] = Scenes.integers(open.get(name, []))
		return offers

	static func _first(list, count):
		return [] if count <= 0 else list.slice(0, count - 1)
