// See vectors.py: reads conversations and scenes with the C# client.

using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using Parlour;
using Fields = System.Collections.Generic.Dictionary<string, object>;

public static class ReadVectors
{
    public static int Main(string[] arguments)
    {
        string folder = arguments[0];
        var conversations = new Fields();
        foreach (string path in Directory.GetFiles(folder, "*.jsonl")) conversations[Path.GetFileNameWithoutExtension(path)] = Known(File.ReadAllLines(path));
        var games = (List<object>)Json.Parse(File.ReadAllText(Path.Combine(folder, "scenes.json")));
        var scenes = games.Select(each => Scenes((List<object>)each)).ToList();
        using (var output = new StreamWriter(Console.OpenStandardOutput())) output.WriteLine(Json.Write(new Fields { { "conversations", conversations }, { "scenes", scenes } }));
        return 0;
    }

    static List<object> Scenes(List<object> messages)
    {
        var receiver = new SceneReceiver();
        return messages.Cast<Fields>().Select(each => Written(receiver.Take(Part(each, "scene"), Part(each, "diff")))).ToList();
    }

    static Fields Part(Fields message, string name) { return message.ContainsKey(name) ? (Fields)message[name] : null; }

    static object Written(Scene scene)
    {
        return new Fields
        {
            { "board", new Fields { { "rows", scene.Rows }, { "cols", scene.Cols }, { "row_names", scene.RowNames }, { "col_names", scene.ColNames }, { "shape", scene.Shape }, { "holes", scene.Holes }, { "points", scene.Points }, { "links", scene.Links }, { "pieces", scene.Pieces.Select(each => new object[] { each.Key, each.Value }).ToArray() } } },
            { "cells", scene.Cells.Select(cell => new Fields { { "glyph", cell.Glyph }, { "label", cell.Label }, { "owner", cell.Owner }, { "colour", cell.Colour }, { "face", cell.Face }, { "sign", cell.Sign }, { "marks", cell.Marks }, { "piece", cell.Piece }, { "number", cell.Number } }) },
            { "seats", scene.Seats.Select(seat => new Fields { { "name", seat.Name }, { "score", seat.Score }, { "tray", seat.Tray } }) },
            { "status", scene.Status },
            { "actor", scene.Actor },
            { "actors", scene.Actors },
            { "actions", scene.Actions.Select(action => new Fields { { "id", action.Id }, { "text", action.Text }, { "cells", action.Cells }, { "group", action.Group }, { "also", action.Also } }) },
        };
    }

    static Fields Known(string[] lines)
    {
        var talk = new Conversation("table-1", "token-1");
        var heard = new List<Heard>();
        var asked = new HashSet<string>();
        foreach (var line in lines.Where(each => each != "").Select(each => (Fields)Json.Parse(each)))
        {
            var message = (Fields)line["msg"];
            if ((string)line["dir"] == "S")
            {
                heard.AddRange(talk.Hear(Json.Write(message)));
                continue;
            }
            if ((string)message["t"] == "hello") talk.Connected();
            else if (asked.Add((string)message["id"])) talk.Ask(message);
            string said = Sorted((Fields)Json.Parse(talk.Outgoing.Dequeue()));
            if (said != Sorted(message)) throw new Exception(said + " is not " + Sorted(message));
        }
        var view = talk.View;
        return new Fields
        {
            { "v", view.V }, { "ply", view.Ply }, { "you", view.You }, { "status", view.Status }, { "rematch", view.Rematch },
            { "offers", new Fields { { "draw", view.DrawOffers }, { "takeback", view.TakebackOffers }, { "rematch", view.RematchOffers } } },
            { "actor", view.Actor },
            { "glyphs", string.Concat(view.Scene.Cells.Select(cell => cell.Glyph)) },
            { "actions", view.Scene.Actions.Select(action => action.Text) },
            { "history", view.History.Select(told => told.Text) },
            { "said", view.Said.Select(spoken => spoken.Text) },
            { "returns", view.Ending == null ? null : view.Ending.Returns },
            { "events", Of(heard, HeardKind.News).Select(each => each.Event.V) },
            { "answered", Of(heard, HeardKind.Answered).ToDictionary(each => each.Id, each => (object)each.V) },
            { "failed", Of(heard, HeardKind.Failed).ToDictionary(each => each.Id, each => (object)each.Error.Code) },
            { "renewals", Of(heard, HeardKind.Renew).Count() },
            { "talk", Of(heard, HeardKind.Talk).Count() },
        };
    }

    static IEnumerable<Heard> Of(List<Heard> heard, HeardKind kind) { return heard.Where(each => each.Kind == kind); }

    static string Sorted(Fields message) { return string.Join(" ", message.OrderBy(each => each.Key).Select(each => each.Key + "=" + Json.Write(each.Value)).ToArray()); }
}
