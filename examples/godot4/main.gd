# Plays a game at a table on a server.
#
#     godot --path examples/godot4 -- --server=http://127.0.0.1:8000 --game=octa --options=size=3
#     godot --path examples/godot4 -- '--link=http://127.0.0.1:8000/t/TABLE#seat=1&claim=SECRET'
#
# NOT RUN by this project's tests, which only check its syntax.
#
# With a screen, a person plays by choosing cells; `--auto`, or a Godot without a screen
# (godot --headless), plays at random, prints the events and exits after the game: with status 0,
# or with 1 and a message if it cannot play.
extends Node

var client := ParlourClient.new()
var settings := {"server": "http://127.0.0.1:8000", "game": "octa", "options": "", "link": "", "level": "1"}
var is_alone := false  # without a person: play at random, print and exit
var asked := -1  # the version for which an action was chosen


func _ready() -> void:
	is_alone = DisplayServer.get_name() == "headless"
	for argument in OS.get_cmdline_user_args():
		if argument == "--auto":
			is_alone = true
		var name = argument.split("=")[0].trim_prefix("--")
		if argument.begins_with("--") and settings.has(name):
			settings[name] = argument.substr(name.length() + 3)
	client.changed.connect(_on_changed)
	client.happened.connect(_on_happened)
	client.refused.connect(_on_refused)
	client.ended.connect(_on_ended)
	$Board.chosen.connect(_on_chosen)
	if settings["link"] != "":
		client.join(settings["link"], "Godot")
	else:
		client.create(settings["server"], settings["game"], options(), int(settings["level"]), "Godot")


# "size=3,turn_limit=20" as a game's options: numbers, true, false or texts.
func options() -> Dictionary:
	var found = {}
	for pair in settings["options"].split(",", false):
		var value = pair.substr(pair.find("=") + 1)
		var parsed: Variant = JSON.parse_string(value)
		found[pair.split("=")[0]] = value if parsed == null else parsed
	return found


func _process(_delta: float) -> void:
	client.poll()
	$Board.show_line(client.is_online())


func _on_changed() -> void:
	var view = client.view
	if view == null:
		return
	$Board.show_view(view, client.is_my_turn() and asked != view.v)
	if not is_alone:
		return
	if view.status == "over":
		print("table %s, %d sockets" % [view.table, client.sockets])
		print(view.ending["words"] if view.ending != null else "The game was abandoned.")
		client.close()
		get_tree().quit(0)
	elif client.is_my_turn() and asked != view.v:
		asked = view.v
		var actions = view.scene.actions
		client.play(actions[randi() % actions.size()].id)


func _on_happened(event: Dictionary) -> void:
	if is_alone and event.get("sentence", "") != "":
		print(event["sentence"])
	$Board.show_event(event)


func _on_chosen(action: Dictionary) -> void:
	asked = client.view.v
	client.play(action.id)


func _on_refused(_id: String, code: String, message: String) -> void:
	if is_alone:
		_on_ended(code, message)
	else:
		asked = -1
		$Board.show_problem(message)
		_on_changed()


func _on_ended(code: String, message: String) -> void:
	$Board.show_problem(message)
	if is_alone:
		printerr("%s: %s" % [code, message])
		get_tree().quit(1)
