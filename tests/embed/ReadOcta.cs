// Plays the games of octa.txt through the C ABI, as Unity would: with P/Invoke.
using System;
using System.IO;
using System.Linq;
using System.Runtime.InteropServices;

static class ReadOcta
{
    const string Library = "octa_c";

    [DllImport(Library)] static extern IntPtr octa_new(
        int cellCount, int[] links, byte[] cells, int winCondition, int turnLimit, int stopOnEnemy);
    [DllImport(Library)] static extern void octa_free(IntPtr game);
    [DllImport(Library)] static extern int octa_make_move(IntPtr game, int cell, int player);
    [DllImport(Library)] static extern void octa_switch_player(IntPtr game);
    [DllImport(Library)] static extern int octa_get_turn_count(IntPtr game);
    [DllImport(Library)] static extern int octa_get_winner(IntPtr game);
    [DllImport(Library)] static extern int octa_get_current_player(IntPtr game);
    [DllImport(Library)] static extern int octa_get_cell(IntPtr game, int cell);
    [DllImport(Library)] static extern int octa_set_cell(IntPtr game, int cell, int packed);

    static void Check(bool holds, string what, int line)
    {
        if (!holds) throw new Exception("line " + line + ": " + what);
    }

    static byte[] Bytes(string hex)
    {
        return Enumerable.Range(0, hex.Length / 2)
            .Select(i => Convert.ToByte(hex.Substring(2 * i, 2), 16)).ToArray();
    }

    static void Main(string[] arguments)
    {
        int games = 0, number = 0, player = 1;
        int[] head = null, links = null;
        IntPtr game = IntPtr.Zero;
        foreach (string line in File.ReadLines(arguments[0]))
        {
            number++;
            string rest = line.Substring(2);
            int[] words = line[0] == 'C' || line[0] == 'E'
                ? null : rest.Split(' ').Select(int.Parse).ToArray();
            switch (line[0])
            {
                case 'G': head = words; games++; break;
                case 'L': links = words; break;
                case 'C':
                    game = octa_new(head[0], links, Bytes(rest), head[2], head[3], head[4]);
                    Check(game != IntPtr.Zero, "octa_new", number);
                    player = 1;
                    break;
                case 'S':
                    Check(octa_set_cell(game, words[0], words[1]) == 1, "octa_set_cell", number);
                    break;
                case 'M':
                    Check(octa_get_current_player(game) == player, "player", number);
                    Check(octa_make_move(game, words[0], words[1]) == words[2], "reason", number);
                    Check(octa_get_winner(game) == words[3], "winner", number);
                    Check(octa_get_turn_count(game) == words[4], "turns", number);
                    if (words[2] >= 0) { octa_switch_player(game); player = 3 - player; }
                    break;
                case 'E':
                    byte[] last = Bytes(rest);
                    for (int i = 0; i < last.Length; i++)
                        Check(octa_get_cell(game, i) == last[i], "cell", number);
                    octa_free(game);
                    break;
            }
        }
        Console.WriteLine(games + " games");
    }
}
