// A client for `parlour serve` in C#, for Unity and for .NET: one file without dependencies.
//
// NOT RUN IN UNITY by this project's tests. They compile this file with Mono, replay the recorded
// conversations against it, and play whole games with it on a real server.
//
//     var table = await Parlour.Table.Create("http://127.0.0.1:8000", "octa");
//     while (await table.Turn()) await table.Play(table.View.Scene.Actions[0].Id);
//     Debug.Log(table.View.Ending.Words);
//
// Requests are idempotent: each has an id and is sent again with it, over a new socket if necessary,
// until it is answered; the server executes it once. `Conversation` does no I/O;
// `Table` gives it a socket. Continuations run on the awaiting thread, which in Unity is
// the main one. WebGL has neither threads nor ClientWebSocket: a browser's socket can feed a
// `Conversation` there.

using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.WebSockets;
using System.Security.Cryptography;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

namespace Parlour
{
    using Fields = Dictionary<string, object>;

    /// <summary>A refusal of the server, or a failed connection: a code and a message.</summary>
    public sealed class Refused : Exception
    {
        public readonly string Code;

        public Refused(string code, string message) : base(message) { Code = code; }
    }

    // The state of a table.

    /// <summary>The visible content of a cell.</summary>
    public sealed class Cell
    {
        public string Glyph = "", Label = "", Colour = "", Face = "", Sign = "";
        public int Owner = -1, Piece, Number;
        public string[] Marks = new string[0];
    }

    /// <summary>A seat's display beside the board. A cell in the tray, such as a card, is given by its label.</summary>
    public sealed class SeatView
    {
        public string Name = "", Score = "";
        public string[] Tray = new string[0];
    }

    /// <summary>A legal action: choose its cells in order, or place a piece.</summary>
    public sealed class ActionView
    {
        public int Id;
        public string Text = "", Group = "";
        public int[] Cells = new int[0], Also = new int[0];
    }

    /// <summary>Everything that one viewer sees. Immutable.</summary>
    public sealed class Scene
    {
        public int Rows, Cols, Actor = -2;
        public string Shape = "square", Status = "";
        public string[] RowNames = new string[0], ColNames = new string[0];
        public int[] Holes = new int[0], Actors = new int[0];
        /// <summary>For the shape `points`: the place of each cell, and the links between cells.</summary>
        public double[][] Points = new double[0][];
        public int[][] Links = new int[0][];
        /// <summary>The name of each piece in trays and actions, and its rows and columns.</summary>
        public KeyValuePair<string, int[][]>[] Pieces = new KeyValuePair<string, int[][]>[0];
        public Cell[] Cells = new Cell[0];
        public SeatView[] Seats = new SeatView[0];
        public ActionView[] Actions = new ActionView[0];

        public Scene Copy() { return (Scene)MemberwiseClone(); }
    }

    /// <summary>How a game ended.</summary>
    public sealed class Outcome
    {
        public double[] Returns = new double[0];
        public string Words = "", Remark = "";
    }

    /// <summary>An event.</summary>
    public sealed class EventView
    {
        public int V, Ply, Seat = -1;
        public string Kind = "", Sentence = "", Text;
        public int? Action;
        public int[] Cells = new int[0];
    }

    /// <summary>The holder of a seat: `open`, `person` or `agent`.</summary>
    public sealed class SeatInfo
    {
        public string Kind = "", Name = "";
        public int Level;
    }

    /// <summary>A chat message.</summary>
    public sealed class Spoken
    {
        public int Seat;
        public string Name = "", Text = "";
    }

    /// <summary>The state of a table. Immutable.</summary>
    public sealed class TableView
    {
        public string Table = "", Game = "", Title = "", Status = "", Rematch = "", Remark = "";
        public int V, Ply, Watchers, Actor = -2;
        public int[] Actors = new int[0];
        public int? You, Thinking;
        public SeatInfo[] Seats = new SeatInfo[0];
        public Scene Scene;
        public EventView[] History = new EventView[0];
        /// <summary>The open offers: the seats that made or support each.</summary>
        public int[] DrawOffers = new int[0], TakebackOffers = new int[0], RematchOffers = new int[0];
        public Spoken[] Said = new Spoken[0];
        public Outcome Ending;
        /// <summary>The seconds left to each seat when they were received; empty without clocks.</summary>
        public double[] Clocks = new double[0];

        public bool IsOver { get { return Status == "over"; } }

        public bool IsMyTurn
        {
            get
            {
                return Status == "playing" && You != null && (Actor == You || Actors.Contains(You.Value))
                    && Seats[You.Value].Kind == "person";
            }
        }

        public TableView Copy() { return (TableView)MemberwiseClone(); }
    }

    /// <summary>JSON as dictionaries, lists, strings, doubles, bools and null.</summary>
    public static class Json
    {
        public static object Parse(string text)
        {
            int at = 0;
            object value = Value(text, ref at);
            Space(text, ref at);
            if (at != text.Length) throw new FormatException("more than one value");
            return value;
        }

        static void Space(string text, ref int at)
        {
            while (at < text.Length && char.IsWhiteSpace(text[at])) at++;
        }

        static char Next(string text, ref int at)
        {
            Space(text, ref at);
            if (at >= text.Length) throw new FormatException("the text ends too early");
            return text[at];
        }

        static object Value(string text, ref int at)
        {
            char first = Next(text, ref at);
            if (first == '{') return Object(text, ref at);
            if (first == '[') return List(text, ref at);
            if (first == '"') return String(text, ref at);
            int start = at;
            while (at < text.Length && ",]} \t\r\n".IndexOf(text[at]) < 0) at++;
            string word = text.Substring(start, at - start);
            if (word == "true") return true;
            if (word == "false") return false;
            if (word == "null") return null;
            return double.Parse(word, NumberStyles.Float, CultureInfo.InvariantCulture);
        }

        static Fields Object(string text, ref int at)
        {
            var found = new Fields();
            at++;
            while (Next(text, ref at) != '}')
            {
                string name = String(text, ref at);
                if (Next(text, ref at) != ':') throw new FormatException("a colon is missing");
                at++;
                found[name] = Value(text, ref at);
                if (Next(text, ref at) == ',') at++;
            }
            at++;
            return found;
        }

        static List<object> List(string text, ref int at)
        {
            var found = new List<object>();
            at++;
            while (Next(text, ref at) != ']')
            {
                found.Add(Value(text, ref at));
                if (Next(text, ref at) == ',') at++;
            }
            at++;
            return found;
        }

        static string String(string text, ref int at)
        {
            if (Next(text, ref at) != '"') throw new FormatException("a text is missing");
            var found = new StringBuilder();
            for (at++; at < text.Length && text[at] != '"'; at++)
            {
                if (text[at] != '\\') { found.Append(text[at]); continue; }
                char sign = text[++at];
                if (sign == 'u')
                {
                    found.Append((char)int.Parse(text.Substring(at + 1, 4), NumberStyles.HexNumber));
                    at += 4;
                }
                else found.Append(sign == 'n' ? '\n' : sign == 't' ? '\t' : sign == 'r' ? '\r' : sign == 'b' ? '\b' : sign == 'f' ? '\f' : sign);
            }
            at++;
            return found.ToString();
        }

        public static string Write(object value)
        {
            if (value == null) return "null";
            if (value is bool) return (bool)value ? "true" : "false";
            var text = value as string;
            if (text != null) return Quote(text);
            var fields = value as Fields;
            if (fields != null) return "{" + string.Join(",", fields.Select(each => Quote(each.Key) + ":" + Write(each.Value)).ToArray()) + "}";
            var list = value as System.Collections.IEnumerable;
            if (list != null) return "[" + string.Join(",", list.Cast<object>().Select(Write).ToArray()) + "]";
            return Convert.ToString(value, CultureInfo.InvariantCulture);
        }

        static string Quote(string text)
        {
            var found = new StringBuilder("\"");
            foreach (char sign in text)
            {
                if (sign == '"' || sign == '\\') found.Append('\\').Append(sign);
                else if (sign < ' ') found.Append("\\u").Append(((int)sign).ToString("x4"));
                else found.Append(sign);
            }
            return found.Append('"').ToString();
        }
    }

    /// <summary>The fields of a message; missing ones have default values.</summary>
    static class Read
    {
        public static object Get(this Fields fields, string name)
        {
            object found;
            return fields.TryGetValue(name, out found) ? found : null;
        }

        public static bool Has(this Fields fields, string name) { return fields.ContainsKey(name); }

        public static string Text(this Fields fields, string name) { return fields.Get(name) as string ?? ""; }

        public static int Number(this Fields fields, string name, int otherwise = 0) { return OrNone(fields, name) ?? otherwise; }

        public static int? OrNone(this Fields fields, string name)
        {
            object found = fields.Get(name);
            return found == null ? (int?)null : (int)(double)found;
        }

        public static double? Seconds(this Fields fields, string name) { return (double?)fields.Get(name); }

        public static Fields[] All(this Fields fields, string name) { return Items(fields.Get(name)).Cast<Fields>().ToArray(); }

        public static int[] Numbers(this Fields fields, string name) { return Integers(fields.Get(name)); }

        public static string[] Texts(this Fields fields, string name) { return Items(fields.Get(name)).Cast<string>().ToArray(); }

        public static List<object> Items(object list) { return list as List<object> ?? new List<object>(); }

        public static int[] Integers(object list) { return Items(list).Select(each => (int)(double)each).ToArray(); }
    }

    sealed class BadScene : Exception
    {
        public BadScene(string message) : base(message) { }
    }

    /// <summary>Decodes scenes: a palette, indices into it, and changes.</summary>
    public sealed class SceneReceiver
    {
        public Scene Scene = new Scene();
        Cell[] palette = new Cell[0];
        int[] places = new int[0];

        /// <summary>Returns the scene after a message with a scene, a diff or neither.</summary>
        public Scene Take(Fields full, Fields diff)
        {
            if (full != null) TakeFull(full);
            else if (diff != null) TakeDiff(diff);
            return Scene;
        }

        void TakeFull(Fields full)
        {
            var next = Scene.Copy();
            var board = full.Get("board") as Fields;
            if (board != null)
            {
                next.Rows = board.Number("rows");
                next.Cols = board.Number("cols");
                next.RowNames = board.Texts("row_names");
                next.ColNames = board.Texts("col_names");
                next.Shape = board.Has("shape") ? board.Text("shape") : "square";
                next.Holes = board.Numbers("holes");
                next.Points = Read.Items(board.Get("points")).Select(each => Read.Items(each).Cast<double>().ToArray()).ToArray();
                next.Links = Read.Items(board.Get("links")).Select(Read.Integers).ToArray();
                next.Pieces = Read.Items(board.Get("pieces")).Select(Read.Items).Select(each => new KeyValuePair<string, int[][]>((string)each[0], Read.Items(each[1]).Select(Read.Integers).ToArray())).ToArray();
            }
            var cells = full.Numbers("cells");
            if (cells.Length != next.Rows * next.Cols) throw new BadScene("the cells do not fill the board");
            next.Seats = full.All("seats").Select(SeatOf).ToArray();
            next.Status = full.Text("status");
            next.Actor = full.Number("actor");
            next.Actors = full.Numbers("actors");
            next.Actions = ActionsOf(full.Get("actions"));
            Show(full.All("palette").Select(CellOf).ToArray(), cells, next);
        }

        void TakeDiff(Fields diff)
        {
            var next = Scene.Copy();
            var moved = (int[])places.Clone();
            foreach (var pair in Read.Items(diff.Get("cells")).Select(Read.Integers))
            {
                if (pair[0] < 0 || pair[0] >= moved.Length) throw new BadScene("a change is not on the board");
                moved[pair[0]] = pair[1];
            }
            if (diff.Has("seats")) next.Seats = diff.All("seats").Select(SeatOf).ToArray();
            if (diff.Has("status")) next.Status = diff.Text("status");
            if (diff.Has("actor")) next.Actor = diff.Number("actor");
            if (diff.Has("actors")) next.Actors = diff.Numbers("actors");
            if (diff.Has("actions")) next.Actions = ActionsOf(diff.Get("actions"));
            Show(palette.Concat(diff.All("palette+").Select(CellOf)).ToArray(), moved, next);
        }

        void Show(Cell[] cells, int[] at, Scene next)
        {
            if (at.Any(place => place < 0 || place >= cells.Length)) throw new BadScene("a cell is not in the palette");
            next.Cells = at.Select(place => cells[place]).ToArray();
            palette = cells;
            places = at;
            Scene = next;
        }

        static Cell CellOf(Fields wire)
        {
            return new Cell
            {
                Glyph = wire.Text("glyph"), Label = wire.Text("label"), Owner = wire.Number("owner", -1), Colour = wire.Text("colour"),
                Face = wire.Text("face"), Sign = wire.Text("sign"), Marks = wire.Texts("marks"), Piece = wire.Number("piece"), Number = wire.Number("number"),
            };
        }

        static SeatView SeatOf(Fields wire)
        {
            return new SeatView { Name = wire.Text("name"), Score = wire.Text("score"), Tray = Read.Items(wire.Get("tray")).Select(TextOf).ToArray() };
        }

        static string TextOf(object item) { return item as string ?? ((Fields)item).Text("label"); }

        static ActionView[] ActionsOf(object wire)
        {
            return Read.Items(wire).Cast<List<object>>().Select(each => new ActionView
            {
                Id = (int)(double)each[0], Text = (string)each[1], Cells = Read.Integers(each[2]), Group = (string)each[3], Also = Read.Integers(each[4]),
            }).ToArray();
        }
    }

    public enum HeardKind { News, Talk, Changed, Answered, Failed, Later, Renew, Ended }

    /// <summary>One result of a message.</summary>
    public sealed class Heard
    {
        public HeardKind Kind;
        public EventView Event;
        public Spoken Spoken;
        public string Id = "", Reason = "";
        public int V;
        /// <summary>How long to wait; null if the server gives no delay.</summary>
        public double? Seconds;
        public Refused Error;
    }

    /// <summary>
    /// The client's side of the protocol at one table, without I/O. For a new connection, call `Connected`,
    /// send the contents of `Outgoing`, and pass each incoming text to `Hear`.
    /// </summary>
    public sealed class Conversation
    {
        const int SaidKept = 50;
        public static readonly HashSet<string> Passing = new HashSet<string> { "rate_limited", "closing", "store_unavailable", "busy" };
        /// <summary>The protocol version of this client.</summary>
        const int Protocol = 1;

        /// <summary>The table's state; null before the welcome.</summary>
        public TableView View;
        public readonly Queue<string> Outgoing = new Queue<string>();

        readonly string table, token;
        readonly List<KeyValuePair<string, Fields>> requests = new List<KeyValuePair<string, Fields>>();
        readonly Dictionary<string, int> settling = new Dictionary<string, int>();
        SceneReceiver scenes = new SceneReceiver();
        bool isWelcome, isDoneWith;

        public Conversation(string table, string token)
        {
            this.table = table;
            this.token = token;
        }

        public void Connected()
        {
            Outgoing.Clear();
            isWelcome = isDoneWith = false;
            var hello = new Fields { { "t", "hello" }, { "protocol", Protocol }, { "table", table }, { "token", token } };
            if (View != null) hello["v"] = View.V;
            Outgoing.Enqueue(Json.Write(hello));
        }

        /// <summary>Sends a request with an `id`, now or as soon as there is a connection.</summary>
        public void Ask(Fields request)
        {
            requests.Add(new KeyValuePair<string, Fields>((string)request["id"], request));
            Again((string)request["id"]);
        }

        public void Again(string id)
        {
            foreach (var each in requests.Where(each => isWelcome && each.Key == id)) Outgoing.Enqueue(Json.Write(each.Value));
        }

        public void Drop(string id)
        {
            requests.RemoveAll(each => each.Key == id);
            settling.Remove(id);
        }

        bool IsAsked(string id) { return requests.Any(each => each.Key == id); }

        public List<Heard> Hear(string text)
        {
            if (isDoneWith) return new List<Heard>();
            List<Heard> heard;
            try { heard = Take((Fields)Json.Parse(text)); }
            catch (BadScene error) { heard = Renewal(error.Message); }
            catch (FormatException) { heard = One(new Heard { Kind = HeardKind.Ended, Error = new Refused("bad_message", "the server does not speak JSON") }); }
            isDoneWith = heard.Any(each => each.Kind == HeardKind.Renew || each.Kind == HeardKind.Ended);
            return heard;
        }

        static List<Heard> One(Heard heard) { return new List<Heard> { heard }; }

        static List<Heard> Renewal(string reason, double? seconds = null)
        {
            return One(new Heard { Kind = HeardKind.Renew, Reason = reason, Seconds = seconds });
        }

        List<Heard> Take(Fields message)
        {
            string type = message.Text("t");
            if (type == "welcome") return TakeWelcome(message);
            if (type == "error") return TakeError(message);
            if (type == "closing") return Renewal("the server shuts down", message.Seconds("retry_after"));
            if (type == "resync") return Renewal(message.Text("reason"));
            if (!isWelcome) return new List<Heard>();
            if (type == "update") return TakeUpdate(message);
            if (type != "ack") return TakeAside(message, type);
            if (!IsAsked(message.Text("id"))) return new List<Heard>();
            settling[message.Text("id")] = message.Number("v");
            return Settled();
        }

        List<Heard> TakeWelcome(Fields welcome)
        {
            if (welcome.Number("protocol") != Protocol)
            {
                string message = "this client speaks version " + Protocol + " of the protocol, the server version " + welcome.Number("protocol") + ": update the older one";
                return One(new Heard { Kind = HeardKind.Ended, Error = new Refused("version", message) });
            }
            int known = View == null ? int.MaxValue : View.V;
            // A duplicated message may be old.
            if (isWelcome && ((Fields)welcome.Get("standing")).Number("v") < known) return new List<Heard>();
            var fresh = new SceneReceiver();
            View = ViewOf(welcome, fresh.Take(welcome.Get("scene") as Fields, null));
            scenes = fresh;
            if (!isWelcome)
            {
                isWelcome = true;
                foreach (var each in requests) Outgoing.Enqueue(Json.Write(each.Value));
            }
            var missed = welcome.All("missed").Select(EventOf).Where(each => each.V > known);
            return One(new Heard { Kind = HeardKind.Changed }).Concat(News(missed)).Concat(Settled()).ToList();
        }

        List<Heard> TakeUpdate(Fields update)
        {
            if (((Fields)update.Get("standing")).Number("v") <= View.V) return new List<Heard>();
            var events = update.All("events").Select(EventOf).ToArray();
            if (events[0].V != View.V + 1) return Renewal("version " + (View.V + 1) + " is missing");
            var scene = scenes.Take(update.Get("scene") as Fields, update.Get("diff") as Fields);
            View = After(View, update, events, scene);
            return News(events).Concat(Settled()).ToList();
        }

        static IEnumerable<Heard> News(IEnumerable<EventView> events)
        {
            return events.Select(each => new Heard { Kind = HeardKind.News, Event = each }).ToList();
        }

        /// <summary>Returns the executed requests whose events have all arrived.</summary>
        List<Heard> Settled()
        {
            var done = settling.Where(each => each.Value <= View.V).Select(each => new Heard { Kind = HeardKind.Answered, Id = each.Key, V = each.Value }).ToList();
            foreach (var each in done) Drop(each.Id);
            return done;
        }

        List<Heard> TakeError(Fields message)
        {
            string code = message.Text("code"), id = message.Text("id");
            var error = new Refused(code, message.Text("message"));
            double? seconds = message.Seconds("retry_after");
            if (!message.Has("id"))
            {
                if (isWelcome) return new List<Heard>();
                return Passing.Contains(code) ? Renewal(error.Message, seconds) : One(new Heard { Kind = HeardKind.Ended, Error = error });
            }
            if (!IsAsked(id) || settling.ContainsKey(id)) return new List<Heard>();
            if (Passing.Contains(code)) return One(new Heard { Kind = HeardKind.Later, Id = id, Seconds = seconds ?? 1, Error = error });
            Drop(id);
            return One(new Heard { Kind = HeardKind.Failed, Id = id, Error = error });
        }

        /// <summary>Handles messages that are not events.</summary>
        List<Heard> TakeAside(Fields message, string type)
        {
            var told = One(new Heard { Kind = HeardKind.Changed });
            Action<TableView> change;
            if (type == "say")
            {
                var spoken = SpokenOf(message);
                var said = View.Said.Concat(new[] { spoken }).ToArray();
                change = view => view.Said = said.Skip(said.Length - SaidKept).ToArray();
                told.Add(new Heard { Kind = HeardKind.Talk, Spoken = spoken });
            }
            else if (type == "presence") change = view => view.Watchers = message.Number("watchers");
            else if (type == "thinking") change = view => view.Thinking = message.Number("seat");
            else return new List<Heard>();
            change(View = View.Copy());
            return told;
        }

        static TableView ViewOf(Fields welcome, Scene scene)
        {
            var view = new TableView
            {
                Table = welcome.Text("table"), Game = welcome.Text("game"), Title = welcome.Text("title"), You = welcome.OrNone("you"),
                Scene = welcome.Has("scene") ? scene : null, History = welcome.All("history").Select(EventOf).ToArray(),
                Said = welcome.All("said").Select(SpokenOf).ToArray(),
            };
            Store(view, (Fields)welcome.Get("standing"));
            return view;
        }

        static TableView After(TableView before, Fields update, EventView[] events, Scene scene)
        {
            var view = before.Copy();
            Store(view, (Fields)update.Get("standing"));
            int line = update.Number("line");
            view.History = before.History.Take(view.Ply - line).Concat(events.Skip(events.Length - line)).ToArray();
            if (update.Has("scene") || update.Has("diff")) view.Scene = scene;
            view.Thinking = null;
            return view;
        }

        /// <summary>Returns the fields of a view that a standing replaces.</summary>
        static void Store(TableView view, Fields standing)
        {
            view.V = standing.Number("v");
            view.Remark = standing.Text("remark");
            view.Ply = standing.Number("ply");
            view.Status = standing.Text("status");
            view.Seats = standing.All("seats").Select(SeatOf).ToArray();
            view.Actor = standing.Number("actor", -2);
            view.Actors = standing.Numbers("actors");
            view.Clocks = ClocksOf(standing);
            view.Ending = EndingOf(standing);
            view.Rematch = standing.Text("rematch");
            TakeOffers(view, standing);
        }

        static void TakeOffers(TableView view, Fields message)
        {
            var open = message.Get("offers") as Fields ?? new Fields();
            view.DrawOffers = open.Numbers("draw");
            view.TakebackOffers = open.Numbers("takeback");
            view.RematchOffers = open.Numbers("rematch");
        }

        static EventView EventOf(Fields wire)
        {
            return new EventView
            {
                V = wire.Number("v"), Ply = wire.Number("ply"), Kind = wire.Text("kind"), Seat = wire.Number("seat", -1), Sentence = wire.Text("sentence"),
                Text = wire.Get("text") as string, Action = wire.OrNone("action"), Cells = wire.Numbers("cells"),
            };
        }

        static SeatInfo SeatOf(Fields wire) { return new SeatInfo { Kind = wire.Text("kind"), Name = wire.Text("name"), Level = wire.Number("level") }; }

        static Spoken SpokenOf(Fields wire) { return new Spoken { Seat = wire.Number("seat"), Name = wire.Text("name"), Text = wire.Text("text") }; }

        static double[] ClocksOf(Fields wire)
        {
            var clocks = wire.Get("clocks") as Fields;
            return clocks == null ? new double[0] : Read.Items(clocks.Get("left")).Cast<double>().ToArray();
        }

        static Outcome EndingOf(Fields wire)
        {
            var ending = wire.Get("ending") as Fields;
            if (ending == null) return null;
            return new Outcome { Returns = Read.Items(ending.Get("returns")).Cast<double>().ToArray(), Words = ending.Text("words"), Remark = ending.Text("remark") };
        }
    }

    /// <summary>A table on a server, over a socket that reconnects.</summary>
    public sealed class Table : IDisposable
    {
        const int Attempts = 14;
        /// <summary>The limit for a server that has never answered: its address is probably wrong.</summary>
        const int FirstAttempts = 3;
        const int QuietMilliseconds = 25000, DeafMilliseconds = 35000;
        const int Unauthorized = 4401, SeatTaken = 4403, WrongVersion = 4426;
        static readonly Random random = new Random();

        public readonly string Base, Id, Token;
        /// <summary>The number of sockets opened so far.</summary>
        public int Sockets { get; private set; }
        /// <summary>A message arrived, and the view may have changed.</summary>
        public event Action<Heard> Told;

        readonly Conversation talk;
        readonly CancellationTokenSource ending = new CancellationTokenSource();
        readonly Dictionary<string, TaskCompletionSource<int>> answers = new Dictionary<string, TaskCompletionSource<int>>();
        readonly SemaphoreSlim sending = new SemaphoreSlim(1);
        TaskCompletionSource<bool> changed = new TaskCompletionSource<bool>();
        ClientWebSocket socket;
        Refused failure;
        int failures;

        Table(string server, string id, string token)
        {
            Base = server;
            Id = id;
            Token = token;
            talk = new Conversation(id, token);
        }

        /// <summary>The table's state.</summary>
        public TableView View { get { return talk.View; } }

        /// <summary>Creates a table with you in the first seat and agents of that level in the others.</summary>
        public static async Task<Table> Create(string server, string game, IDictionary<string, object> options = null, int level = 1, string name = "")
        {
            server = server.TrimEnd('/');
            var games = await Call(server, "GET", "/games", null);
            var found = games.All("games").FirstOrDefault(each => each.Text("name") == game);
            if (found == null) throw new Refused("not_found", "the server has no game " + game);
            var seats = new List<object> { new Fields { { "kind", "me" } } };
            while (seats.Count < found.Number("seats")) seats.Add(new Fields { { "kind", "agent" }, { "level", level } });
            var wish = new Fields { { "game", game }, { "options", new Fields(options ?? new Fields()) }, { "seats", seats }, { "name", name }, { "nonce", NewKey() } };
            var made = await Call(server, "POST", "/tables", wish);
            return await Sit(server, made.Text("table"), made.Text("token"));
        }

        /// <summary>Joins by a link, BASE/t/TABLE#seat=1&amp;claim=SECRET; without a claim, as a spectator.</summary>
        public static async Task<Table> Join(string link, string name = "")
        {
            var parts = link.Trim().Split('#');
            int at = parts[0].IndexOf("/t/", StringComparison.Ordinal);
            if (at < 0 || !link.StartsWith("http", StringComparison.Ordinal)) throw new Refused("bad_link", "a link to a table reads like https://games.example.org/t/TABLE, not " + link);
            string server = parts[0].Substring(0, at), table = parts[0].Substring(at + 3);
            var given = (parts.Length > 1 ? parts[1] : "").Split('&').Select(pair => pair.Split(new[] { '=' }, 2)).Where(pair => pair.Length == 2).ToDictionary(pair => pair[0], pair => pair[1]);
            if (!given.ContainsKey("claim") || !given.ContainsKey("seat")) return await Sit(server, table, "");
            var body = new Fields { { "claim", given["claim"] }, { "name", name }, { "nonce", NewKey() } };
            var seated = await Call(server, "POST", "/tables/" + table + "/seats/" + given["seat"] + "/claim", body);
            return await Sit(server, table, seated.Text("token"));
        }

        /// <summary>Returns to a seat with its token, or watches without one.</summary>
        public static async Task<Table> Sit(string server, string table, string token)
        {
            var found = new Table(server, table, token);
            found.Keep();
            await found.Wait(view => true);
            return found;
        }

        /// <summary>Disconnects. The seat stays reserved; `Sit` returns to it.</summary>
        public void Dispose() { Fail(new Refused("closed", "this client has left the table")); }

        // Requests.

        /// <summary>Plays an action by its id and returns the resulting version; throws `Refused`.</summary>
        public Task<int> Play(int action) { return Ask("play", new Fields { { "ply", View.Ply }, { "action", action } }); }

        /// <summary>Sends a request: play, resign, draw, takeback, rematch, say, premove.</summary>
        public async Task<int> Ask(string type, Fields fields = null)
        {
            if (failure != null) throw failure;
            var request = new Fields(fields ?? new Fields()) { { "t", type }, { "id", NewKey() } };
            var answer = new TaskCompletionSource<int>();
            lock (talk)
            {
                answers[(string)request["id"]] = answer;
                talk.Ask(request);
            }
            await Flush();
            return await answer.Task;
        }

        /// <summary>Waits until a condition on the view is true.</summary>
        public async Task Wait(Func<TableView, bool> holds)
        {
            while (View == null || !holds(View))
            {
                if (failure != null) throw failure;
                await changed.Task;
            }
        }

        /// <summary>Waits for your turn; false when the game is over.</summary>
        public async Task<bool> Turn()
        {
            await Wait(view => view.IsOver || view.IsMyTurn);
            return !View.IsOver;
        }

        // The socket.

        async void Keep()
        {
            bool isKnown = false;
            while (failure == null)
            {
                double? seconds = null;
                string problem = Base + " does not answer";
                try
                {
                    using (socket = new ClientWebSocket())
                    {
                        socket.Options.AddSubProtocol("parlour.1");
                        await socket.ConnectAsync(new Uri("ws" + Base.Substring(4) + "/ws/v1"), ending.Token);
                        Sockets++;
                        isKnown = true;
                        lock (talk) talk.Connected();
                        await Flush();
                        seconds = await Listen();
                    }
                }
                catch (Refused error) { Fail(error); }
                catch (OperationCanceledException) { }
                catch (Exception error)
                {
                    if (!(error is WebSocketException || error is IOException || error is WebException || error is ObjectDisposedException || error is System.Net.Sockets.SocketException))
                        Fail(new Refused("client_error", error.ToString()));
                }
                socket = null;
                if (failure != null) return;
                failures++;
                if (failures >= (isKnown ? Attempts : FirstAttempts)) Fail(new Refused("unreachable", problem));
                else await Task.Delay(TimeSpan.FromSeconds(seconds ?? Pause(failures)));
            }
        }

        /// <summary>Reads messages until the socket must be replaced; returns the server's delay.</summary>
        async Task<double?> Listen()
        {
            var buffer = new ArraySegment<byte>(new byte[16384]);
            while (true)
            {
                var text = new MemoryStream();
                WebSocketReceiveResult part;
                do
                {
                    part = await Receive(buffer);
                    text.Write(buffer.Array, 0, part.Count);
                } while (!part.EndOfMessage && part.MessageType != WebSocketMessageType.Close);
                if (part.MessageType == WebSocketMessageType.Close)
                {
                    int code = (int)(socket.CloseStatus ?? 0);
                    if (code == WrongVersion) throw new Refused("version", socket.CloseStatusDescription ?? "another version of the protocol");
                    if (code == Unauthorized || code == SeatTaken) throw new Refused(code == Unauthorized ? "unauthorized" : "not_your_seat", socket.CloseStatusDescription ?? "the seat has another holder");
                    return null;
                }
                List<Heard> heard;
                lock (talk) heard = talk.Hear(Encoding.UTF8.GetString(text.ToArray()));
                foreach (var each in heard)
                {
                    if (each.Kind == HeardKind.Renew) return each.Seconds;
                    Act(each);
                }
                await Flush();
                Notify();
            }
        }

        /// <summary>Returns the next part; drops a connection that is silently dead.</summary>
        async Task<WebSocketReceiveResult> Receive(ArraySegment<byte> buffer)
        {
            var next = socket.ReceiveAsync(buffer, ending.Token);
            if (await Task.WhenAny(next, Task.Delay(QuietMilliseconds, ending.Token)) == next) return await next;
            await Send("{\"t\":\"ping\",\"at\":0}");
            if (await Task.WhenAny(next, Task.Delay(DeafMilliseconds - QuietMilliseconds, ending.Token)) == next) return await next;
            throw new IOException("the line is dead");
        }

        void Act(Heard heard)
        {
            if (heard.Kind == HeardKind.Ended) throw heard.Error;
            if (heard.Kind == HeardKind.Later && ++failures < Attempts) SendLater(heard);
            else if (heard.Kind == HeardKind.Later || heard.Kind == HeardKind.Failed)
            {
                var answer = Answer(heard.Id);
                if (answer != null) answer.TrySetException(heard.Error);
            }
            else
            {
                failures = 0;
                var answer = heard.Kind == HeardKind.Answered ? Answer(heard.Id) : null;
                if (answer != null) answer.TrySetResult(heard.V);
            }
            if (Told != null) Told(heard);
        }

        /// <summary>Completes the task that waits for a request's answer.</summary>
        TaskCompletionSource<int> Answer(string id)
        {
            lock (talk)
            {
                TaskCompletionSource<int> answer;
                answers.TryGetValue(id, out answer);
                answers.Remove(id);
                talk.Drop(id);
                return answer;
            }
        }

        async void SendLater(Heard heard)
        {
            await Task.Delay(TimeSpan.FromSeconds(heard.Seconds ?? 1));
            lock (talk) talk.Again(heard.Id);
            await Flush();
        }

        async Task Flush()
        {
            // Unsent messages are sent again on the next socket.
            await sending.WaitAsync();
            try
            {
                string text;
                while ((text = NextToSend()) != null) await Send(text);
            }
            catch (Exception error)
            {
                if (!(error is WebSocketException || error is IOException || error is OperationCanceledException || error is ObjectDisposedException)) throw;
            }
            finally { sending.Release(); }
        }

        string NextToSend()
        {
            lock (talk) return talk.Outgoing.Count > 0 && socket != null && socket.State == WebSocketState.Open ? talk.Outgoing.Dequeue() : null;
        }

        Task Send(string text) { return socket.SendAsync(new ArraySegment<byte>(Encoding.UTF8.GetBytes(text)), WebSocketMessageType.Text, true, ending.Token); }

        void Notify()
        {
            var before = changed;
            changed = new TaskCompletionSource<bool>();
            before.TrySetResult(true);
        }

        void Fail(Refused error)
        {
            if (failure != null) return;
            failure = error;
            ending.Cancel();
            TaskCompletionSource<int>[] waiting;
            lock (talk) waiting = answers.Values.ToArray();
            foreach (var each in waiting) each.TrySetException(error);
            Notify();
        }

        // HTTP, retried with the same idempotency key while the server is unavailable.

        static async Task<Fields> Call(string server, string method, string path, Fields body)
        {
            if (!server.StartsWith("http://", StringComparison.Ordinal) && !server.StartsWith("https://", StringComparison.Ordinal)) throw new Refused("bad_link", "a server reads like http://127.0.0.1:8000, not " + server);
            string key = NewKey();
            bool isKnown = false;
            for (int count = 1; ; count++)
            {
                double seconds = Pause(count);
                var problem = new Refused("unreachable", server + " does not answer");
                try { return await Once(server, method, path, body, key); }
                catch (WebException error)
                {
                    if (error.Response != null)
                    {
                        isKnown = true;
                        var refused = Refusal(error.Response);
                        problem = new Refused(refused.Has("code") ? refused.Text("code") : "refused", refused.Has("message") ? refused.Text("message") : error.Message);
                        if (!Conversation.Passing.Contains(problem.Code)) throw problem;
                        seconds = refused.Seconds("retry_after") ?? seconds;
                    }
                }
                if (count >= (isKnown ? Attempts : FirstAttempts)) throw problem;
                await Task.Delay(TimeSpan.FromSeconds(seconds));
            }
        }

        static async Task<Fields> Once(string server, string method, string path, Fields body, string key)
        {
            var request = (HttpWebRequest)WebRequest.Create(server + "/api/v1" + path);
            request.Method = method;
            request.Headers["Idempotency-Key"] = key;
            if (body != null)
            {
                request.ContentType = "application/json";
                var bytes = Encoding.UTF8.GetBytes(Json.Write(body));
                using (var stream = await request.GetRequestStreamAsync()) await stream.WriteAsync(bytes, 0, bytes.Length);
            }
            using (var answer = await request.GetResponseAsync()) return Body(answer);
        }

        static Fields Body(WebResponse answer)
        {
            using (var reader = new StreamReader(answer.GetResponseStream(), Encoding.UTF8)) return (Fields)Json.Parse(reader.ReadToEnd());
        }

        static Fields Refusal(WebResponse answer)
        {
            try { return Body(answer); }
            catch (FormatException) { return new Fields(); }
            catch (InvalidCastException) { return new Fields(); }
        }

        /// <summary>Keys must be unguessable, because some answers contain secrets.</summary>
        static string NewKey()
        {
            var bytes = new byte[16];
            using (var source = RandomNumberGenerator.Create()) source.GetBytes(bytes);
            return BitConverter.ToString(bytes).Replace("-", "").ToLowerInvariant();
        }

        /// <summary>Exponential backoff with jitter.</summary>
        static double Pause(int count) { return Math.Min(10, 0.2 * Math.Pow(2, count - 1)) * (0.5 + 0.5 * random.NextDouble()); }
    }
}
