# Plays a game at a table on a server.
#
#     godot3 --path examples/godot --server=http://127.0.0.1:8000 --game=octa --options=size=3
#     godot3 --path examples/godot '--link=http://127.0.0.1:8000/t/TABLE#seat=1&claim=SECRET'
#
# With a screen, a person plays by choosing cells; `--auto`, or a Godot without a screen
# (godot3-server), plays at random, prints the events and exits after the game: with status 0,
# or with 1 and a message if it cannot play.
extends Node

const Client = preload("res://parlour_client.gd")

var client = Client.new()
var settings = {"server": "http://127.0.0.1:8000", "game": "octa", "options": "", "link": "", "level": "1"}
var is_alone = false  # without a person: play at random, print and exit
var asked = -1  # the version for which an action was chosen


func _ready():
	randomize()
	is_alone = OS.has_feature("Server")
	for argument in OS.get_cmdline_args():
		if argument == "--auto":
			is_alone = true
		var name = argument.split("=")[0].trim_prefix("--")
		if argument.begins_with("--") and settings.has(name):
			settings[name] = argument.substr(name.length() + 3)
	client.connect("changed", self, "_on_changed")
	client.connect("happened", self, "_on_happened")
	client.connect("refused", self, "_on_refused")
	client.connect("ended", self, "_on_ended")
	$Board.connect("chosen", self, "_on_chosen")
	if settings["link"] != "":
		client.join(settings["link"], "Godot")
	else:
		client.create(settings["server"], settings["game"], options(), int(settings["level"]), "Godot")


# "size=3,turn_limit=20" as a game's options: numbers, true, false or texts.
func options():
	var found = {}
	for pair in settings["options"].split(",", false):
		var value = pair.substr(pair.find("=") + 1)
		var parsed = JSON.parse(value)
		found[pair.split("=")[0]] = parsed.result if parsed.error == OK else value
	return found


func _process(_delta):
	client.poll()
	$Board.show_line(client.is_online())


func _on_changed():
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


func _on_happened(event):
	if is_alone and event.get("sentence", "") != "":
		print(event["sentence"])
	$Board.show_event(event)


func _on_chosen(action):
	asked = client.view.v
	client.play(action.id)


func _on_refused(_id, code, message):
	if is_alone:
		_on_ended(code, message)
	else:
		asked = -1
		$Board.show_problem(message)
		_on_changed()


func _on_ended(code, message):
	$Board.show_problem(message)
	if is_alone:
		printerr("%s: %s" % [code, message])
		get_tree().quit(1)
