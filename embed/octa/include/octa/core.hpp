// Octa: the rules on any table of neighbours, and a flat game on top of them.
// Header-only C++17 without dependencies. Parlour's Python rules are the reference.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

namespace octa {

constexpr int kDirections = 8;
constexpr int kNeutral = 0, kBlocked = 3;  // owners; 1 and 2 are the players

// Why a game has ended. The numbers are part of the C ABI.
enum class Reason : std::int32_t { ONGOING = 0, ELIMINATION = 1, MAJORITY = 2, TIE = 3 };

// Fire the chain that starts at a cell of `owner`. Return how many neutral and enemy cells it took.
// A board knows what a cell is: it turns an arrow and sets the owner, follows an arrow, and so on.
template <class Board, class Cell>
std::pair<int, int> fire(Board &board, Cell start, int owner, bool stop_on_enemy) {
    int neutral = 0, enemy = 0;
    board.turn(start, owner);
    for (Cell here = board.next(start); board.exists(here); here = board.next(here)) {
        const int holder = board.owner(here);
        if (holder == owner || holder == kBlocked || (holder != kNeutral && stop_on_enemy)) break;
        ++(holder == kNeutral ? neutral : enemy);
        board.turn(here, owner);
    }
    return {neutral, enemy};
}

// A player without cells has lost after the first turn. At the limit, more cells win.
// A limit below 1 means that there is none.
inline Reason verdict(int count_1, int count_2, int turns, int limit) {
    if (turns > 0 && (count_1 == 0 || count_2 == 0)) {
        return count_1 == count_2 ? Reason::TIE : Reason::ELIMINATION;
    }
    if (limit < 1 || turns < limit) return Reason::ONGOING;
    return count_1 == count_2 ? Reason::TIE : Reason::MAJORITY;
}

// The player, 1 or 2, who has won, or 0.
inline int winner(Reason reason, int count_1, int count_2) {
    if (reason == Reason::ONGOING || reason == Reason::TIE) return 0;
    return count_1 > count_2 ? 1 : 2;
}

// Cells and links in arrays, for `fire`. A copy on the stack stays in registers.
struct FlatBoard {
    std::uint8_t *cells;
    const std::int32_t *links;
    bool exists(std::int32_t cell) const { return cell >= 0; }
    int owner(std::int32_t cell) const { return cells[cell] & 3; }
    std::int32_t next(std::int32_t cell) const { return links[cell * kDirections + (cells[cell] >> 2)]; }
    void turn(std::int32_t cell, int owner) {
        cells[cell] = static_cast<std::uint8_t>(owner | ((((cells[cell] >> 2) + 1) & 7) << 2));
    }
};

// A game on arrays. A cell is a byte: its owner plus four times its arrow (0 north, clockwise).
// `links` has eight neighbours per cell, -1 for none; games on one board share it.
class FlatGame {
public:
    using Links = std::shared_ptr<const std::vector<std::int32_t>>;
    FlatGame(Links links, std::vector<std::uint8_t> cells, int limit, bool stop_on_enemy)
        : links_(std::move(links)), cells_(std::move(cells)), limit_(limit), stops_(stop_on_enemy) {
        const bool fits = !cells_.empty() && links_->size() == cells_.size() * kDirections;
        if (!fits) throw std::invalid_argument("there must be eight links for each cell");
        for (const std::int32_t to : *links_) {
            if (to < -1 || to >= size()) throw std::invalid_argument("a link leads off the board");
        }
        for (const std::uint8_t cell : cells_) {
            if (cell >= 4 * kDirections) throw std::invalid_argument("a cell is a byte below 32");
            ++counts_[cell & 3];
        }
    }
    bool is_valid_move(std::int32_t cell, int player) const {
        return !is_over() && player == player_ && has(cell) && owner(cell) == player;
    }
    // Make a valid move, without switching players.
    void make_move(std::int32_t cell) {
        FlatBoard board{cells_.data(), links_->data()};
        const auto [neutral, enemy] = fire(board, cell, player_, stops_);
        counts_[player_] += neutral + enemy;
        counts_[3 - player_] -= enemy;
        counts_[kNeutral] -= neutral;
        ++turns_;
    }
    // The index of the owner's cell number `n` in reading order; the owner must have that many.
    // Eight cells at a time: a byte of `same` is 1 where the owner matches.
    std::int32_t nth_cell(int owner, int n) const {
        constexpr std::uint64_t ones = 0x0101010101010101u;
        std::int32_t at = 0;
        for (; at + 8 <= size(); at += 8) {
            std::uint64_t word;
            std::memcpy(&word, cells_.data() + at, 8);
            word = (word & (3 * ones)) ^ (static_cast<std::uint64_t>(owner) * ones);
            const std::uint64_t same = ~(word | word >> 1) & ones;
            const int found = static_cast<int>(same * ones >> 56);
            if (n < found) break;
            n -= found;
        }
        while (this->owner(at) != owner || n-- > 0) ++at;
        return at;
    }
    void set_cell(std::int32_t cell, std::uint8_t packed) {
        --counts_[owner(cell)];
        cells_[static_cast<std::size_t>(cell)] = packed;
        ++counts_[packed & 3];
    }
    void switch_player() { player_ = 3 - player_; }
    Reason reason() const { return verdict(counts_[1], counts_[2], turns_, limit_); }
    int winner() const { return octa::winner(reason(), counts_[1], counts_[2]); }
    bool is_over() const { return reason() != Reason::ONGOING; }
    bool has(std::int32_t cell) const { return cell >= 0 && cell < size(); }
    std::int32_t size() const { return static_cast<std::int32_t>(cells_.size()); }
    int owner(std::int32_t cell) const { return packed(cell) & 3; }
    std::uint8_t packed(std::int32_t cell) const { return cells_[static_cast<std::size_t>(cell)]; }
    int count(int owner) const { return counts_[owner]; }
    int player() const { return player_; }
    int turns() const { return turns_; }
private:
    Links links_;
    std::vector<std::uint8_t> cells_;
    int counts_[4] = {0, 0, 0, 0}, player_ = 1, turns_ = 0, limit_;
    bool stops_;
};

}  // namespace octa
