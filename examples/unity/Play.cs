// Plays a random game at a table on a server, from the command line.
//
//     mcs -out:Play.exe ParlourClient.cs Play.cs
//     mono Play.exe http://127.0.0.1:8000 octa size=3
//     mono Play.exe 'http://127.0.0.1:8000/t/TABLE#seat=1&claim=SECRET'
//
// With .NET put both files into a console project. Unity does not need this one.

using System;
using System.Collections.Generic;
using System.Globalization;
using System.Threading.Tasks;
using Parlour;

public static class Play
{
    public static int Main(string[] arguments)
    {
        try
        {
            Run(arguments).GetAwaiter().GetResult();
            return 0;
        }
        catch (Refused error)
        {
            Console.Error.WriteLine(error.Code + ": " + error.Message);
            return 1;
        }
    }

    static async Task Run(string[] arguments)
    {
        if (arguments.Length == 0) throw new Refused("usage", "say which server and game, or which invitation");
        var random = new Random();
        using (var table = arguments.Length == 1 ? await Table.Join(arguments[0], "C#") : await Table.Create(arguments[0], arguments[1], Options(arguments), 1, "C#"))
        {
            Console.WriteLine("table " + table.Id);
            while (await table.Turn())
            {
                var actions = table.View.Scene.Actions;
                await table.Play(actions[random.Next(actions.Length)].Id);
            }
            foreach (var told in table.View.History) Console.WriteLine(told.Sentence);
            Console.WriteLine(table.Sockets + " sockets");
            Console.WriteLine(table.View.Ending.Words);
        }
    }

    static Dictionary<string, object> Options(string[] arguments)
    {
        var found = new Dictionary<string, object>();
        for (int at = 2; at < arguments.Length; at++)
        {
            var pair = arguments[at].Split(new[] { '=' }, 2);
            double number;
            bool isNumber = double.TryParse(pair[1], NumberStyles.Float, CultureInfo.InvariantCulture, out number);
            found[pair[0]] = isNumber ? number : pair[1] == "true" ? true : pair[1] == "false" ? (object)false : pair[1];
        }
        return found;
    }
}
