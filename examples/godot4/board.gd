# Draws a client's table, and lets a person choose actions by their cells.
# The drawing depends only on the scene, so that it works for any game: cells of one
# `piece` are one solid shape; an arrow in the glyph is drawn as an arrow; a cell with a face is a disc.
#
# NOT RUN by this project's tests, which only check its syntax.
extends Control

signal chosen(action: Dictionary)

const PAINTS = {
	"blue": ["#0072b2", "#ffffff"], "orange": ["#e69f00", "#000000"], "green": ["#37b98b", "#000000"],
	"pink": ["#e493bf", "#000000"], "yellow": ["#f0e442", "#000000"], "cyan": ["#56b4e9", "#000000"],
	"red": ["#cf222e", "#ffffff"], "purple": ["#692a94", "#ffffff"], "brown": ["#54361a", "#ffffff"],
	"grey": ["#737476", "#ffffff"], "black": ["#1b1b1f", "#ffffff"], "white": ["#ffffff", "#000000"],
}
const SEATS = ["blue", "orange", "green", "pink", "yellow", "cyan"]
const ARROWS = {"↑": 0, "↗": 45, "→": 90, "↘": 135, "↓": 180, "↙": 225, "←": 270, "↖": 315}
const BLANK = ["·", ".", "-", "_", "", " "]
const TALL = 0.8660254
const SQUARE_SIDES = [[-1, 0], [0, 1], [1, 0], [0, -1]]
const HEX_SIDES = [[-1, 1], [0, 1], [1, 0], [1, -1], [0, -1], [-1, 0]]

const GROUND = Color("#171c24")
const PANEL = Color("#222936")
const WOOD = Color("#2d3544")
const TILE = Color("#e8e1d1")
const QUIET = Color("#8d8574")
const TEXT = Color("#eef1f6")
const DIM = Color("#9aa5b8")
const GOLD = Color("#ffd166")
const ALARM = Color("#ff7b72")
const STEP_SECONDS = 0.28
const HISTORY = 30
const LINE = 18.9

var _view: Variant = null
var _is_mine := false
var _before: Array = []  # the cells before the last change, for the animation
var _since := 1.0  # the progress of the animation, from 0 to 1
var _told: Array[String] = []
var _last: Array[int] = []  # the cells of the last action
var _problem := ""
var _is_online := true
var _touched: Array[int] = []  # the cells chosen so far
var _group := ""  # the piece taken from the tray
var _variant := 0
var _hover := -1
var _chips: Array = []  # [rectangle, command] of everything in the panel that can be pressed
var _font := SystemFont.new()
var _unit := 1.0
var _corner := Vector2()
var _panel := Rect2()


func _ready() -> void:
	# This project has no font: use the system's, which has a fallback for Chinese.
	_font.font_names = PackedStringArray(["Noto Sans", "DejaVu Sans", "Segoe UI", "Arial", "sans-serif"])
	resized.connect(queue_redraw)


# Shows the table, and whether it is this person's turn.
func show_view(view: Dictionary, is_mine: bool) -> void:
	if view.scene != null:
		var known = [] if _view == null or _view.scene == null else _view.scene.cells
		if known != view.scene.cells and known.size() == view.scene.cells.size():
			_before = known
			_since = 0.0
		if not view.scene.actions.is_empty():
			_problem = ""
	if _view == null or _view.v != view.v:
		_touched = []
		_group = ""
	_view = view
	_is_mine = is_mine
	queue_redraw()


func show_event(event: Dictionary) -> void:
	if event.get("sentence", "") != "":
		_told.append(event["sentence"])
		if _told.size() > HISTORY:
			_told.pop_front()
	if event["kind"] in ["play", "takeback"]:
		_last = []
	for cell in event.get("cells", []):
		_last.append(int(cell))


# Whether there is a connection.
func show_line(is_online: bool) -> void:
	if is_online != _is_online:
		_is_online = is_online
		queue_redraw()


func show_problem(message: String) -> void:
	_problem = message
	_touched = []
	queue_redraw()


func _process(delta: float) -> void:
	if _since < 1.0:
		_since = minf(1.0, _since + delta / STEP_SECONDS)
		queue_redraw()


# Choosing.


# The actions that begin with the chosen piece and cells.
func _open() -> Array:
	var found = []
	if not _is_mine:
		return found
	for action in _view.scene.actions:
		if action.group == _group and (_group != "" or _begins(action)):
			found.append(action)
	return found


func _begins(action: Dictionary) -> bool:
	for at in _touched.size():
		var is_also = at == 0 and action.cells.size() == 1 and _touched[0] in action.also
		if not is_also and (at >= action.cells.size() or action.cells[at] != _touched[at]):
			return false
	return true


# The places of the piece in hand that cover the cell under the pointer.
func _places() -> Array:
	var found = []
	if _group != "":
		for action in _open():
			if _hover in action.cells:
				found.append(action)
	return found


func _ghost() -> Array:
	var places = _places()
	return [] if places.is_empty() else places[_variant % places.size()].cells


# The cells that can be chosen next.
func _targets() -> Dictionary:
	var found = {}
	for action in _open():
		if _group != "":
			for cell in action.cells:
				found[cell] = true
		elif action.cells.size() > _touched.size():
			found[action.cells[_touched.size()]] = true
			if _touched.is_empty() and action.cells.size() == 1:
				for cell in action.also:
					found[cell] = true
	return found


func _gui_input(event: InputEvent) -> void:
	if _view == null or _view.scene == null:
		return
	if event is InputEventMouseMotion:
		var cell = _cell_at(event.position)
		if cell != _hover:
			_hover = cell
			queue_redraw()
	elif event is InputEventMouseButton and event.pressed:
		_hover = _cell_at(event.position)
		match event.button_index:
			MOUSE_BUTTON_LEFT:
				_press(event.position)
			MOUSE_BUTTON_RIGHT, MOUSE_BUTTON_WHEEL_DOWN:
				_variant += 1
			MOUSE_BUTTON_WHEEL_UP:
				_variant += maxi(1, _places().size()) - 1
		queue_redraw()
	elif event is InputEventKey and event.pressed:
		if event.keycode == KEY_R:
			_variant += 1
		elif event.keycode == KEY_ESCAPE:
			_touched = []
			_group = ""
		queue_redraw()


func _press(place: Vector2) -> void:
	for chip in _chips:
		if chip[0].has_point(place):
			if typeof(chip[1]) == TYPE_STRING:
				_group = "" if _group == chip[1] else chip[1]
				_touched = []
			else:
				_choose(chip[1])
			return
	if _hover < 0 or not _is_mine:
		return
	if _group != "":
		var places = _places()
		if not places.is_empty():
			_choose(places[_variant % places.size()])
		return
	if _hover in _touched or not _targets().has(_hover):
		_touched = []
	if _targets().has(_hover):
		_touched.append(_hover)
		var found = _open()
		if found.size() == 1 and found[0].cells.size() <= _touched.size():
			_choose(found[0])


func _choose(action: Dictionary) -> void:
	_is_mine = false
	_touched = []
	_group = ""
	chosen.emit(action)


# The places of the cells: one unit wide, and with hexagons each row is shifted by half a cell.


func _is_hex() -> bool:
	return _view.scene.board.shape == "hex"


func _extent() -> Vector2:
	var board = _view.scene.board
	if _is_hex():
		return Vector2(board.cols + (board.rows - 1) / 2.0, (board.rows - 1) * TALL + 1 / TALL)
	return Vector2(board.cols, board.rows)


func _centre(cell: int) -> Vector2:
	var row = cell / _view.scene.board.cols
	var col = cell % _view.scene.board.cols
	var at = Vector2(col + 0.5, row + 0.5)
	if _is_hex():
		at = Vector2(col + row / 2.0 + 0.5, 0.5 / TALL + row * TALL)
	return _corner + at * _unit


func _cell_at(place: Vector2) -> int:
	var best = -1
	var least = _unit * _unit * 0.5
	for cell in _view.scene.cells.size():
		var aside = place - _centre(cell)
		var is_inside = _is_hex() or maxf(absf(aside.x), absf(aside.y)) <= _unit / 2
		if is_inside and aside.length_squared() < least and not cell in _view.scene.board.holes:
			best = cell
			least = aside.length_squared()
	return best


func _outline(cell: int, inset: float) -> PackedVector2Array:
	var at = _centre(cell)
	var half = _unit * (0.5 - inset)
	var tall = half / TALL
	if _is_hex():
		return PackedVector2Array([at + Vector2(0, -tall), at + Vector2(half, -tall / 2), at + Vector2(half, tall / 2),
			at + Vector2(0, tall), at + Vector2(-half, tall / 2), at + Vector2(-half, -tall / 2)])
	return PackedVector2Array([at + Vector2(-half, -half), at + Vector2(half, -half), at + Vector2(half, half), at + Vector2(-half, half)])


# The neighbour at each side, in the order of the outline; -1 for none.
func _beyond(cell: int, side: int) -> int:
	var board = _view.scene.board
	var step = HEX_SIDES[side] if _is_hex() else SQUARE_SIDES[side]
	var row = cell / board.cols + step[0]
	var col = cell % board.cols + step[1]
	return row * board.cols + col if row >= 0 and col >= 0 and row < board.rows and col < board.cols else -1


# Drawing.


func _draw() -> void:
	draw_rect(Rect2(Vector2(), size), GROUND)
	_chips = []
	if _view == null or _view.scene == null:
		var words = _problem if _problem != "" else ("Waiting for people" if _view != null else "Connecting")
		_write_middle(size / 2, words, 22, ALARM if _problem != "" else DIM)
		return
	_lay_out()
	_draw_board()
	_draw_panel()


func _lay_out() -> void:
	var margin = clampf(min(size.x, size.y) * 0.03, 10, 26)
	var is_wide = size.x > size.y * 1.1
	var room = Rect2(Vector2(margin, margin), size - Vector2(margin, margin) * 2)
	if is_wide:
		var width = clampf(size.x * 0.3, 220, 380)
		_panel = Rect2(size.x - margin - width, margin, width, room.size.y)
		room.size.x -= width + margin
	else:
		var height = clampf(size.y * 0.32, 170, 320)
		_panel = Rect2(margin, size.y - margin - height, room.size.x, height)
		room.size.y -= height + margin
	var extent = _extent()
	# Names of rows and columns take half a unit beside the cells.
	_unit = floor(min(room.size.x / (extent.x + 1.1), room.size.y / (extent.y + 1.1)))
	_corner = room.position + ((room.size - extent * _unit) / 2).floor()


func _draw_board() -> void:
	var scene = _view.scene
	var around = Rect2(_corner, _extent() * _unit).grow(_unit * 0.5)
	_box(around, WOOD, _unit * 0.22)
	var targets = _targets()
	var ghost = _ghost()
	for cell in scene.cells.size():
		if not cell in scene.board.holes:
			_draw_ground(cell)
	for cell in scene.cells.size():
		if not cell in scene.board.holes:
			_draw_figure(cell)
	for cell in _last:
		_ring(cell, 0.015, Color(1, 1, 1, 0.85), maxf(1.5, _unit * 0.035))
	# If nearly every cell can be chosen, mark them less visibly.
	var gold = GOLD if targets.size() < 16 else Color(GOLD.r, GOLD.g, GOLD.b, 0.45)
	for cell in targets:
		if _group == "":
			_ring(cell, 0.015, gold, maxf(2.0, _unit * 0.06))
		else:
			draw_circle(_centre(cell), maxf(1.5, _unit * 0.07), Color("#b8860b"))
	if targets.has(_hover) and _group == "":
		draw_colored_polygon(_outline(_hover, 0.07), Color(1, 1, 1, 0.22))
	for cell in _touched:
		_ring(cell, 0.015, ALARM, maxf(2.5, _unit * 0.08))
	for cell in ghost:
		draw_colored_polygon(_outline(cell, 0.03), Color(GOLD.r, GOLD.g, GOLD.b, 0.8))
	_draw_names()


func _draw_names() -> void:
	var board = _view.scene.board
	var points := int(clampf(_unit * 0.26, 7, 18))
	for row in board.row_names.size():
		var at = _centre(row * board.cols)
		_write_middle(Vector2(at.x - _unit * 0.76, at.y), board.row_names[row], points, DIM)
	for col in board.col_names.size():
		var at = _centre((board.rows - 1) * board.cols + col)
		_write_middle(Vector2(at.x, at.y + _unit * 0.76), board.col_names[col], points, DIM)


func _colour(cell: Dictionary) -> String:
	if PAINTS.has(cell["colour"]):
		return cell["colour"]
	return SEATS[cell["owner"] % SEATS.size()] if cell["owner"] >= 0 else ""


func _fill(cell: Dictionary) -> Color:
	var colour = _colour(cell)
	return TILE if colour == "" else Color(PAINTS[colour][0])


func _ink(cell: Dictionary) -> Color:
	var colour = _colour(cell)
	return QUIET if colour == "" else Color(PAINTS[colour][1])


func _arrow(cell: Dictionary) -> Variant:
	for sign_ in cell["glyph"]:
		if ARROWS.has(sign_):
			return ARROWS[sign_]
	return null


func _is_disc(cell: Dictionary) -> bool:
	return _arrow(cell) == null and int(cell["piece"]) == 0 and (cell["face"] != "" or "face-down" in cell["marks"])


func _draw_ground(at: int) -> void:
	var cell = _view.scene.cells[at]
	var fill = _fill(cell)
	if "wall" in cell["marks"]:
		fill = Color("#11151b")
	elif _is_disc(cell):
		fill = TILE
	elif _since < 1.0 and _before.size() > at and int(cell["piece"]) == 0:
		fill = _fill(_before[at]).lerp(fill, _since)
	if int(cell["piece"]) > 0:
		draw_colored_polygon(_outline(at, 0.0), fill)
	elif _is_hex():
		draw_colored_polygon(_outline(at, 0.03), fill)
	else:
		var inset = _unit * 0.03
		_box(Rect2(_centre(at) - Vector2(_unit, _unit) / 2, Vector2(_unit, _unit)).grow(-inset), fill, _unit * 0.12)


func _draw_figure(at: int) -> void:
	var cell = _view.scene.cells[at]
	var middle = _centre(at)
	var arrow = _arrow(cell)
	if int(cell["piece"]) > 0:
		_draw_edges(at)
	elif _is_disc(cell):
		_draw_disc(cell, middle)
	elif arrow != null:
		_draw_arrow(at, cell, middle, arrow)
	elif not cell["glyph"] in BLANK and not "wall" in cell["marks"]:
		_write_middle(middle, _sign(cell), int(_unit * 0.5), _ink(cell) if _colour(cell) != "" else Color("#3a3f48"))


func _sign(cell: Dictionary) -> String:
	return cell["sign"] if cell["sign"] != "" else cell["glyph"]


# Cells of one piece are one shape: dark around it, light between its cells.
func _draw_edges(at: int) -> void:
	var cells = _view.scene.cells
	var corners = _outline(at, 0.0)
	for side in corners.size():
		var other = _beyond(at, side)
		var is_same = other >= 0 and int(cells[other]["piece"]) == int(cells[at]["piece"]) and cells[other]["owner"] == cells[at]["owner"]
		var next = corners[(side + 1) % corners.size()]
		if is_same:
			draw_line(corners[side], next, Color(1, 1, 1, 0.22), 1.0)
		else:
			draw_line(corners[side], next, Color(0, 0, 0, 0.55), maxf(1.5, _unit * 0.07))


func _draw_disc(cell: Dictionary, middle: Vector2) -> void:
	var is_down = "face-down" in cell["marks"]
	var colour = _colour(cell)
	var fill = Color("#7d4f32") if is_down else Color("#fbf4e2")
	var ink = Color("#a9734f") if is_down else (Color("#3a3f48") if colour == "" else Color(PAINTS[colour][0]))
	if _unit < 26 and not is_down:
		# A letter on a small disc is easier to see than one in a ring.
		fill = ink
		ink = Color("#fbf4e2") if colour == "" else Color(PAINTS[colour][1])
	_disc(middle + Vector2(0, _unit * 0.035), _unit * 0.43, Color(0, 0, 0, 0.35))
	_disc(middle, _unit * 0.42, fill)
	draw_arc(middle, _unit * 0.35, 0, TAU, 40, ink, maxf(1.0, _unit * 0.03), true)
	if is_down:
		draw_arc(middle, _unit * 0.22, 0, TAU, 32, ink, maxf(1.0, _unit * 0.03), true)
		_disc(middle, _unit * 0.09, ink)
		return
	_write_middle(middle, _sign(cell), int(_unit * 0.42), ink)
	if cell["sign"] != "":
		var beside = middle + Vector2(_unit, _unit) * 0.3
		_disc(beside, _unit * 0.15, ink)
		_write_middle(beside, cell["glyph"], int(_unit * 0.2), fill)


func _draw_arrow(at: int, cell: Dictionary, middle: Vector2, degrees: float) -> void:
	var ink = _ink(cell)
	if _since < 1.0 and _before.size() > at and _arrow(_before[at]) != null:
		degrees = rad_to_deg(lerp_angle(deg_to_rad(_arrow(_before[at])), deg_to_rad(degrees), _since))
		ink = _ink(_before[at]).lerp(ink, _since)
	var shape = PackedVector2Array()
	for point in [[0, -31], [23, -5], [8, -5], [8, 30], [-8, 30], [-8, -5], [-23, -5]]:
		shape.append(middle + Vector2(point[0], point[1]).rotated(deg_to_rad(degrees)) * _unit * 0.01)
	draw_colored_polygon(shape, ink)
	# Never by colour alone: the sign beside the arrow also shows the owner.
	var rest = ""
	for sign_ in cell["glyph"]:
		if not ARROWS.has(sign_):
			rest += sign_
	if not rest in BLANK:
		_write_middle(middle - Vector2(_unit, _unit) * 0.31, rest, int(clampf(_unit * 0.2, 8, 22)), ink)


func _draw_panel() -> void:
	var scene = _view.scene
	_box(_panel, PANEL, 14)
	var inside = _panel.grow(-18)
	var y = inside.position.y
	_write(Vector2(inside.position.x, y), _view.title, 24, TEXT)
	y += 42
	for seat in scene.seats.size():
		y = _draw_seat(inside, y, seat)
	y += 10
	var words = scene.status
	if _view.ending != null:
		words = _view.ending["words"]
	elif _is_mine:
		words = "Your turn. " + words
	y = _paragraph(inside, y, words, 15, GOLD if _is_mine else TEXT)
	if _problem != "":
		y = _paragraph(inside, y + 4, _problem, 15, ALARM)
	if not _is_online and _problem == "":
		y = _paragraph(inside, y + 4, "The line is lost; trying again.", 15, ALARM)
	y = _draw_chips(inside, y + 8)
	# The last ones, as many as there is room for.
	var fits = int((inside.end.y - y) / LINE)
	for at in range(maxi(0, _told.size() - fits), _told.size()):
		if y + LINE <= inside.end.y:
			y = _paragraph(inside, y, _told[at], 13, DIM)


func _draw_seat(inside: Rect2, y: float, seat: int) -> float:
	var scene = _view.scene
	var is_next = scene.actor == seat
	var row = Rect2(inside.position.x - 8, y, inside.size.x + 16, 34)
	if is_next:
		_box(row, Color(1, 1, 1, 0.08), 8)
	_disc(Vector2(inside.position.x + 9, y + 17), 8, Color(PAINTS[_seat_colour(seat)][0]))
	if is_next:
		draw_arc(Vector2(inside.position.x + 9, y + 17), 11, 0, TAU, 32, GOLD, 2.0, true)
	var name = scene.seats[seat]["name"]
	if _view.you == seat:
		name += " (you)"
	elif seat < _view.seats.size() and _view.seats[seat]["kind"] == "agent":
		name += " (level %d)" % int(_view.seats[seat].get("level", 0))
	var score = scene.seats[seat]["score"]
	var width = _extent_of(score, 14).x
	_write(Vector2(inside.end.x - width, y + 8), score, 14, DIM)
	_write(Vector2(inside.position.x + 28, y + 7), _shortened(name, 15, inside.size.x - width - 40), 15, TEXT)
	return y + 38


# The colour of a seat's cells on the board, or its default colour.
func _seat_colour(seat: int) -> String:
	for cell in _view.scene.cells:
		if cell["owner"] == seat:
			return _colour(cell)
	for word in _view.scene.seats[seat]["name"].to_lower().replace(",", "").split(" "):
		if PAINTS.has(word):
			return word
	return SEATS[seat % SEATS.size()]


# Pieces to take, and actions without cells.
func _draw_chips(inside: Rect2, y: float) -> float:
	var labels = []
	for action in (_view.scene.actions if _is_mine else []):
		var chip = [action.group, action.group] if action.group != "" else [action.text, action]
		if (action.group != "" or action.cells.is_empty()) and not _has_label(labels, chip[0]):
			labels.append(chip)
	var x = inside.position.x
	for chip in labels:
		var width = _extent_of(chip[0], 14).x + 18
		if x + width > inside.end.x:
			x = inside.position.x
			y += 32
		var place = Rect2(x, y, width, 27)
		var is_taken = typeof(chip[1]) == TYPE_STRING and chip[1] == _group
		_box(place, GOLD if is_taken else WOOD.lightened(0.12), 8)
		_write(place.position + Vector2(9, 5), chip[0], 14, Color.BLACK if is_taken else TEXT)
		_chips.append([place, chip[1]])
		x += width + 6
	if labels.is_empty():
		return y
	y += 36
	return y if _group == "" else _paragraph(inside, y, "Touch where it goes; R or the wheel turns it.", 13, DIM)


func _has_label(labels: Array, label: String) -> bool:
	for each in labels:
		if each[0] == label:
			return true
	return false


# Shapes and text.


func _box(place: Rect2, colour: Color, radius: float) -> void:
	var style = StyleBoxFlat.new()
	style.bg_color = colour
	style.set_corner_radius_all(int(radius))
	draw_style_box(style, place)


func _disc(middle: Vector2, radius: float, colour: Color) -> void:
	_box(Rect2(middle - Vector2(radius, radius), Vector2(radius, radius) * 2), colour, radius)


func _ring(cell: int, inset: float, colour: Color, width: float) -> void:
	if not _is_hex():
		var style = StyleBoxFlat.new()
		style.draw_center = false
		style.border_color = colour
		style.set_border_width_all(int(round(width)))
		style.set_corner_radius_all(int(_unit * 0.1))
		draw_style_box(style, Rect2(_centre(cell) - Vector2(_unit, _unit) / 2, Vector2(_unit, _unit)).grow(-_unit * inset))
		return
	var corners = _outline(cell, inset)
	corners.append(corners[0])
	draw_polyline(corners, colour, width, true)


func _extent_of(words: String, points: int) -> Vector2:
	return _font.get_string_size(words, HORIZONTAL_ALIGNMENT_LEFT, -1, points)


func _write(place: Vector2, words: String, points: int, colour: Color) -> void:
	var base := place + Vector2(0, _font.get_ascent(points))
	draw_string(_font, base, words, HORIZONTAL_ALIGNMENT_LEFT, -1, points, colour)


func _write_middle(middle: Vector2, words: String, points: int, colour: Color) -> void:
	points = maxi(points, 7)
	var extent := _extent_of(words, points)
	var base := middle + Vector2(-extent.x / 2, _font.get_ascent(points) - extent.y / 2)
	draw_string(_font, base.round(), words, HORIZONTAL_ALIGNMENT_LEFT, -1, points, colour)


func _shortened(words: String, points: int, width: float) -> String:
	while words.length() > 1 and _extent_of(words + "…", points).x > width:
		words = words.substr(0, words.length() - 1)
		if _extent_of(words + "…", points).x <= width:
			return words + "…"
	return words


# Draws wrapped text and returns the height after it.
func _paragraph(inside: Rect2, y: float, words: String, points: int, colour: Color) -> float:
	var line = ""
	for word in words.split(" "):
		if line != "" and _extent_of(line + " " + word, points).x > inside.size.x:
			_write(Vector2(inside.position.x, y), line, points, colour)
			y += points * 1.45
			line = word
		else:
			line = word if line == "" else line + " " + word
	_write(Vector2(inside.position.x, y), line, points, colour)
	return y + points * 1.45
