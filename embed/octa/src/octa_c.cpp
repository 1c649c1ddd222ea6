// The C ABI: checks of arguments around `octa::FlatGame`.
#include "octa/octa_c.h"
#include "octa/core.hpp"

struct octa_game {
    octa::FlatGame game;
};

octa_game *octa_new(int32_t cell_count, const int32_t *links, const uint8_t *cells,
                    int32_t win_condition, int32_t turn_limit, int32_t stop_on_enemy) try {
    const bool by_turns = win_condition == OCTA_TURN_LIMIT_MAJORITY;
    if (cell_count < 1 || !links || !cells) return nullptr;
    if (by_turns ? turn_limit < 1 : win_condition != OCTA_ELIMINATION) return nullptr;
    const int32_t *end = links + std::int64_t{cell_count} * octa::kDirections;
    auto table = std::make_shared<const std::vector<std::int32_t>>(links, end);
    std::vector<std::uint8_t> bytes(cells, cells + cell_count);
    const int limit = by_turns ? turn_limit : 0;
    return new octa_game{{std::move(table), std::move(bytes), limit, stop_on_enemy != 0}};
} catch (...) {
    return nullptr;
}
void octa_free(octa_game *game) { delete game; }
int32_t octa_copy(octa_game *game, const octa_game *source) try {
    octa::FlatGame copy = source->game;  // a failure leaves the game as it was
    game->game = std::move(copy);
    return 1;
} catch (...) {
    return 0;
}
int32_t octa_square_links(int32_t size, int32_t *links) {
    static const int32_t down[] = {-1, -1, 0, 1, 1, 1, 0, -1}, right[] = {0, 1, 1, 1, 0, -1, -1, -1};
    if (size < 1 || size > 5000 || !links) return 0;
    const int32_t side = 2 * size + 1;
    for (int32_t i = 0; i < side * side * octa::kDirections; ++i) {
        const int32_t cell = i / octa::kDirections, way = i % octa::kDirections;
        const int32_t row = cell / side + down[way], column = cell % side + right[way];
        const bool inside = row >= 0 && row < side && column >= 0 && column < side;
        links[i] = inside ? row * side + column : -1;
    }
    return 1;
}
int32_t octa_is_valid_move(const octa_game *game, int32_t cell, int32_t player) {
    return game->game.is_valid_move(cell, player);
}
int32_t octa_make_move(octa_game *game, int32_t cell, int32_t player) {
    if (!game->game.is_valid_move(cell, player)) return -1;
    game->game.make_move(cell);
    return static_cast<int32_t>(game->game.reason());
}
int32_t octa_is_game_over(const octa_game *game) { return game->game.is_over(); }
int32_t octa_get_current_player(const octa_game *game) { return game->game.player(); }
void octa_switch_player(octa_game *game) { game->game.switch_player(); }
int32_t octa_get_turn_count(const octa_game *game) { return game->game.turns(); }
int32_t octa_get_reason(const octa_game *game) { return static_cast<int32_t>(game->game.reason()); }
int32_t octa_get_winner(const octa_game *game) { return game->game.winner(); }
int32_t octa_get_cell(const octa_game *game, int32_t cell) {
    return game->game.has(cell) ? game->game.packed(cell) : -1;
}
int32_t octa_set_cell(octa_game *game, int32_t cell, int32_t packed) {
    if (!game->game.has(cell) || packed < 0 || packed >= 4 * octa::kDirections) return 0;
    game->game.set_cell(cell, static_cast<uint8_t>(packed));
    return 1;
}
int32_t octa_count(const octa_game *game, int32_t owner) {
    return owner >= 0 && owner <= octa::kBlocked ? game->game.count(owner) : 0;
}
int32_t octa_nth_cell(const octa_game *game, int32_t owner, int32_t n) {
    if (owner < 0 || owner > octa::kBlocked) return -1;
    return n >= 0 && n < game->game.count(owner) ? game->game.nth_cell(owner, n) : -1;
}
