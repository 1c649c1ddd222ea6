/* Octa for other languages: a game on arrays behind a C ABI.

   A board is any number of cells with eight neighbours each, clockwise from north; -1 is none.
   A cell is a byte: its owner (0 neutral, 1, 2, 3 blocked) plus four times its arrow (0 north).
   Players are 1 and 2. Reasons: 0 ongoing, 1 elimination, 2 majority, 3 tie.
   Functions never throw. All numbers are checked; a game is a pointer that `octa_new`
   returned and that was not freed, for one thread at a time. */
#pragma once
#include <stdint.h>
#if defined(_WIN32)
#define OCTA_API __declspec(dllexport)
#else
#define OCTA_API __attribute__((visibility("default")))
#endif
#ifdef __cplusplus
extern "C" {
#endif

enum { OCTA_ELIMINATION = 0, OCTA_TURN_LIMIT_MAJORITY = 1 };
typedef struct octa_game octa_game;

/* A game, player 1 to move, or NULL: wrong links, cells or limit, or no memory. */
OCTA_API octa_game *octa_new(int32_t cell_count, const int32_t *links, const uint8_t *cells,
                             int32_t win_condition, int32_t turn_limit, int32_t stop_on_enemy);
OCTA_API void octa_free(octa_game *game);
/* Give `game` the position of `source`. 1, or 0 if there is no memory. */
OCTA_API int32_t octa_copy(octa_game *game, const octa_game *source);
/* Fill in the 8 * (2 * size + 1)^2 links of a square board, north first. 1, or 0 for a wrong size. */
OCTA_API int32_t octa_square_links(int32_t size, int32_t *links);

OCTA_API int32_t octa_is_valid_move(const octa_game *game, int32_t cell, int32_t player);
/* Make the move, without switching players. The reason after it, or -1 if it is not valid. */
OCTA_API int32_t octa_make_move(octa_game *game, int32_t cell, int32_t player);
OCTA_API int32_t octa_is_game_over(const octa_game *game);
OCTA_API int32_t octa_get_current_player(const octa_game *game);
OCTA_API void octa_switch_player(octa_game *game);
OCTA_API int32_t octa_get_turn_count(const octa_game *game);
OCTA_API int32_t octa_get_reason(const octa_game *game);
/* 1 or 2, or 0 while the game goes on and after a tie. */
OCTA_API int32_t octa_get_winner(const octa_game *game);
/* A cell, or -1 off the board; set one between moves: 1, or 0 for wrong numbers. */
OCTA_API int32_t octa_get_cell(const octa_game *game, int32_t cell);
OCTA_API int32_t octa_set_cell(octa_game *game, int32_t cell, int32_t packed);
/* How many cells an owner has, and the index of the n-th of them in reading order, or -1. */
OCTA_API int32_t octa_count(const octa_game *game, int32_t owner);
OCTA_API int32_t octa_nth_cell(const octa_game *game, int32_t owner, int32_t n);

#ifdef __cplusplus
}
#endif
