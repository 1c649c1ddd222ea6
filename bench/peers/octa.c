/* The same loop in C: random games of Octa from one position, with the same generator.

   octa SIDE LIMIT STOP_ON_ENEMY SEED GAMES ROUNDS < cells
   Reads the packed cells of the position (one byte each, player 1 to move, turn 0).
   Prints: plies, the sum of player 1's returns, and the CPU seconds of the best round. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint32_t a, b, c, counter;

static uint32_t next32(void) {
    uint32_t out = a + b + counter++;
    a = b ^ (b >> 9);
    b = c + (c << 3);
    c = ((c << 21) | (c >> 11)) + out;
    return out;
}

static void seed_rng(uint64_t seed) {
    uint64_t low = seed + ((uint64_t)1 << 63); /* a seed from 0 to 2**63 - 1 */
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
    int side = atoi(argv[1]), limit = atoi(argv[2]), stop = atoi(argv[3]);
    uint64_t seed = strtoull(argv[4], NULL, 10);
    int games = atoi(argv[5]), rounds = atoi(argv[6]);
    int n = side * side;
    static const int down[8] = {-1, -1, 0, 1, 1, 1, 0, -1};
    static const int right[8] = {0, 1, 1, 1, 0, -1, -1, -1};
    int32_t *links = malloc(sizeof(int32_t) * 8 * n);
    uint8_t *start = malloc(n), *cells = malloc(n);
    if (!links || !start || !cells || fread(start, 1, n, stdin) != (size_t)n) return 2;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 8; k++) {
            int row = i / side + down[k], col = i % side + right[k];
            int inside = row >= 0 && row < side && col >= 0 && col < side;
            links[i * 8 + k] = inside ? row * side + col : -1;
        }
    int starting[3] = {0, 0, 0};
    for (int i = 0; i < n; i++)
        if ((start[i] & 3) == 1 || (start[i] & 3) == 2) starting[start[i] & 3]++;
    double best = 1e9, returns = 0;
    long plies = 0;
    for (int round = 0; round < rounds; round++) {
        clock_t before = clock();
        seed_rng(seed);
        plies = 0;
        returns = 0;
        for (int game = 0; game < games; game++) {
            int count[3] = {0, starting[1], starting[2]}, mover = 1, turns = 0;
            memcpy(cells, start, n);
            while (!(turns > 0 && (count[1] == 0 || count[2] == 0)) && turns < limit) {
                uint32_t left = below(count[mover]);
                int at = 0;
                for (;; at++)
                    if ((cells[at] & 3) == mover && left-- == 0) break;
                int arrow = ((cells[at] >> 2) + 1) & 7;
                cells[at] = mover | arrow << 2;
                int here = links[at * 8 + arrow];
                while (here >= 0) {
                    int holder = cells[here] & 3;
                    if (holder != 0) {
                        if (holder == mover || holder == 3 || stop) break;
                        count[holder]--;
                    }
                    count[mover]++;
                    arrow = ((cells[here] >> 2) + 1) & 7;
                    cells[here] = mover | arrow << 2;
                    here = links[here * 8 + arrow];
                }
                mover = 3 - mover;
                turns++;
            }
            plies += turns;
            returns += (count[1] > count[2]) - (count[1] < count[2]);
        }
        double seconds = (double)(clock() - before) / CLOCKS_PER_SEC;
        if (seconds < best) best = seconds;
    }
    printf("%ld %.0f %.6f\n", plies, returns, best);
    return 0;
}
