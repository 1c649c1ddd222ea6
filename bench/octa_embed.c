/* The loop of peers/octa.c through the C ABI of embed/octa, with the same arguments and output.

   g++ -std=c++17 -O3 -shared -fPIC -I embed/octa/include embed/octa/src/octa_c.cpp -o libocta_c.so
   cc -O3 -I embed/octa/include bench/octa_embed.c -L. -locta_c -Wl,-rpath,. -o octa_embed
   python -c 'import parlour as p; open("cells", "wb").write(p.game("octa").start(1).packed())'
   ./octa_embed 9 80 0 5 3000 15 < cells */

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "octa/octa_c.h"

static uint32_t a, b, c, counter;

static uint32_t next32(void) {
    uint32_t out = a + b + counter++;
    a = b ^ (b >> 9);
    b = c + (c << 3);
    c = ((c << 21) | (c >> 11)) + out;
    return out;
}

static void seed_rng(uint64_t seed) {
    uint64_t low = seed + ((uint64_t)1 << 63);
    a = (uint32_t)low;
    b = (uint32_t)(low >> 32);
    c = 0;
    counter = 1;
    for (int i = 0; i < 12; i++) next32();
}

static uint32_t below(uint32_t n) {
    uint64_t product = (uint64_t)next32() * n;
    uint32_t low = (uint32_t)product;
    if (low < n) {
        uint32_t threshold = -n % n;
        while (low < threshold) {
            product = (uint64_t)next32() * n;
            low = (uint32_t)product;
        }
    }
    return (uint32_t)(product >> 32);
}

int main(int argc, char **argv) {
    if (argc != 7) return 2;
    int size = atoi(argv[1]) / 2, limit = atoi(argv[2]), stop = atoi(argv[3]);
    uint64_t seed = strtoull(argv[4], NULL, 10);
    int games = atoi(argv[5]), rounds = atoi(argv[6]), n = (2 * size + 1) * (2 * size + 1);
    int32_t *links = malloc(sizeof(int32_t) * 8 * (size_t)n);
    uint8_t *cells = malloc((size_t)n);
    if (!links || !cells || fread(cells, 1, (size_t)n, stdin) != (size_t)n) return 2;
    octa_square_links(size, links);
    octa_game *start = octa_new(n, links, cells, OCTA_TURN_LIMIT_MAJORITY, limit, stop);
    octa_game *game = octa_new(n, links, cells, OCTA_TURN_LIMIT_MAJORITY, limit, stop);
    if (!start || !game) return 2;
    double best = 1e9, returns = 0;
    long plies = 0;
    for (int round = 0; round < rounds; round++) {
        clock_t before = clock();
        seed_rng(seed);
        plies = 0;
        returns = 0;
        for (int i = 0; i < games; i++) {
            int player = 1;
            octa_copy(game, start);
            for (;; plies++) {
                int32_t cell = octa_nth_cell(game, player, (int32_t)below((uint32_t)octa_count(game, player)));
                if (octa_make_move(game, cell, player) != 0) break;
                octa_switch_player(game);
                player = 3 - player;
            }
            plies++;
            int winner = octa_get_winner(game);
            returns += winner == 1 ? 1 : winner == 2 ? -1 : 0;
        }
        double seconds = (double)(clock() - before) / CLOCKS_PER_SEC;
        if (seconds < best) best = seconds;
    }
    printf("%ld %.0f %.6f\n", plies, returns, best);
    octa_free(game);
    octa_free(start);
    return 0;
}
