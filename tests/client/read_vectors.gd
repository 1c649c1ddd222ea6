# See vectors.py: reads conversations and scenes with the GDScript client.
extends SceneTree

const NAMES = ["v", "ply", "you", "status", "actor", "offers", "rematch"]

var Client = load("res://parlour_client.gd")


func _init():
	var arguments = OS.get_cmdline_args()
	var folder = arguments[arguments.size() - 1]
	var conversations = {}
	var list = Directory.new()
	list.open(folder)
	list.list_dir_begin(true)
	var name = list.get_next()
	while name != "":
		if name.ends_with(".jsonl"):
			conversations[name.trim_suffix(".jsonl")] = known(read(folder + "/" + name))
		name = list.get_next()
	var scenes = []
	for messages in parse_json(read(folder + "/scenes.json")):
		var receiver = Client.Scenes.new()
		scenes.append([])
		for message in messages:
			scenes[-1].append(receiver.take(message.get("scene"), message.get("diff")))
	print(to_json({"conversations": conversations, "scenes": scenes}))
	quit()


func read(path):
	var file = File.new()
	file.open(path, File.READ)
	return file.get_as_text()


func known(text):
	var talk = Client.Conversation.new("table-1", "token-1")
	var heard = []
	var asked = []
	for line in text.split("\n", false):
		var read = parse_json(line)
		var message = read["msg"]
		if read["dir"] == "S":
			heard += talk.hear(to_json(message))
			continue
		if message["t"] == "hello":
			talk.connected()
		elif not message["id"] in asked:
			asked.append(message["id"])
			talk.ask(message)
		var said = parse_json(talk.outgoing.pop_front())
		if JSON.print(said, "", true) != JSON.print(message, "", true):
			printerr("%s is not %s" % [said, message])
			OS.exit_code = 1
	var view = talk.view
	var found = {"renewals": 0, "talk": 0, "events": [], "answered": {}, "failed": {}}
	for name in NAMES:
		found[name] = view[name]
	found["glyphs"] = ""
	for cell in view.scene.cells:
		found["glyphs"] += cell["glyph"]
	found["actions"] = texts(view.scene.actions)
	found["history"] = texts(view.history)
	found["said"] = texts(view.said)
	found["returns"] = null if view.ending == null else view.ending["returns"]
	for each in heard:
		match each["kind"]:
			"news":
				found["events"].append(each["event"]["v"])
			"answered":
				found["answered"][each["id"]] = each["v"]
			"failed":
				found["failed"][each["id"]] = each["code"]
			"renew":
				found["renewals"] += 1
			"talk":
				found["talk"] += 1
	return found


func texts(list):
	var found = []
	for each in list:
		found.append(each.get("text"))
	return found
