// Plays the games of octa.txt through the C ABI and through the classes of the specification.
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>

#include "octa/octa.hpp"
#include "octa/octa_c.h"

using namespace octa;

static void check(bool holds, const char *what, long line) {
    if (holds) return;
    std::cerr << "line " << line << ": " << what << "\n";
    std::exit(1);
}

// Any table of neighbours; cell n has the coordinate (n, 0).
class TableMap : public IGameMap {
public:
    explicit TableMap(const std::vector<int> &links) {
        for (std::size_t n = 0; n < links.size() / 8; ++n) {
            cells_.push_back(std::make_shared<GameCell>(Coordinate{static_cast<int>(n), 0}));
        }
        for (std::size_t i = 0; i < links.size(); ++i) {
            if (links[i] < 0) continue;
            cells_[i / 8]->setNeighbor(static_cast<Direction>(i % 8),
                                       cells_[static_cast<std::size_t>(links[i])]);
        }
    }
    ~TableMap() override {
        for (const auto &cell : cells_) {
            for (int way = 0; way < 8; ++way) cell->setNeighbor(static_cast<Direction>(way), {});
        }
    }
    std::shared_ptr<GameCell> getCell(const Coordinate &at) const override {
        const bool inside = at.y == 0 && at.x >= 0 && at.x < getTotalCellCount();
        return inside ? cells_[static_cast<std::size_t>(at.x)] : nullptr;
    }
    std::vector<std::shared_ptr<GameCell>> getAllCells() const override { return cells_; }
    int getSize() const override { return getTotalCellCount(); }
    int getTotalCellCount() const override { return static_cast<int>(cells_.size()); }

private:
    std::vector<std::shared_ptr<GameCell>> cells_;
};

class Nothing : public MoveProvider {
public:
    std::optional<Coordinate> getNextMove() override { return std::nullopt; }
};

static void set(GameCell &cell, int packed) {
    cell.setState(static_cast<CellState>(packed & 3));
    cell.setDirection(static_cast<Direction>(packed >> 2));
}

static int get(const GameCell &cell) {
    return static_cast<int>(cell.getState()) + 4 * static_cast<int>(cell.getDirection());
}

static std::vector<std::uint8_t> bytes(const std::string &hex) {
    std::vector<std::uint8_t> found;
    for (std::size_t i = 0; i < hex.size(); i += 2) {
        found.push_back(static_cast<std::uint8_t>(std::stoi(hex.substr(i, 2), nullptr, 16)));
    }
    return found;
}

static const char *const kReasons[] = {"ongoing", "elimination", "majority", "tie"};

static int readVectors(const char *path) {
    std::ifstream file(path);
    std::string line;
    int games = 0, count = 0, size = 0, condition = 0, limit = 0, stops = 0;
    std::vector<int> links;
    octa_game *flat = nullptr;
    std::shared_ptr<IGameMap> map;
    std::unique_ptr<OctaGameLogic> logic;
    std::vector<std::shared_ptr<GameCell>> cells;
    for (long number = 1; std::getline(file, line); ++number) {
        std::istringstream in(line.substr(1));
        if (line[0] == 'G') {
            in >> count >> size >> condition >> limit >> stops;
            ++games;
        } else if (line[0] == 'L') {
            links.assign(std::istream_iterator<int>(in), {});
            if (size > 0) {
                std::vector<int32_t> square(links.size());
                check(octa_square_links(size, square.data()) == 1, "square links", number);
                check(std::equal(links.begin(), links.end(), square.begin()), "links", number);
            }
        } else if (line[0] == 'C') {
            std::string hex;
            in >> hex;
            const auto start = bytes(hex);
            const std::vector<int32_t> table(links.begin(), links.end());
            flat = octa_new(count, table.data(), start.data(), condition, limit, stops);
            check(flat != nullptr, "octa_new", number);
            map = size > 0 ? std::shared_ptr<IGameMap>(std::make_shared<GraphGameMap>(size))
                           : std::make_shared<TableMap>(links);
            cells = map->getAllCells();
            for (std::size_t i = 0; i < cells.size(); ++i) set(*cells[i], start[i]);
            const auto win = static_cast<WinCondition>(condition);
            logic = std::make_unique<OctaGameLogic>(map, GameConfig{win, limit, stops != 0});
        } else if (line[0] == 'S') {
            int cell = 0, packed = 0;
            in >> cell >> packed;
            check(octa_set_cell(flat, cell, packed) == 1, "octa_set_cell", number);
            set(*cells[static_cast<std::size_t>(cell)], packed);
        } else if (line[0] == 'M') {
            int cell = 0, player = 0, reason = 0, winner = 0, turns = 0;
            in >> cell >> player >> reason >> winner >> turns;
            const auto &chosen = cells[static_cast<std::size_t>(cell)];
            const auto mover = static_cast<Player>(player);
            check(octa_is_valid_move(flat, cell, player) == (reason >= 0), "flat valid", number);
            check(logic->isValidMove(chosen, mover) == (reason >= 0), "valid", number);
            check(octa_make_move(flat, cell, player) == reason, "flat reason", number);
            try {
                check(logic->makeMove(chosen, mover).reason == kReasons[reason < 0 ? 0 : reason] &&
                          reason >= 0, "reason", number);
            } catch (const InvalidMoveError &) {
                check(reason < 0, "refused", number);
            }
            const auto result = logic->getResult();
            check((result.winner ? static_cast<int>(*result.winner) : 0) == winner, "winner", number);
            check(octa_get_winner(flat) == winner, "flat winner", number);
            check(octa_get_turn_count(flat) == turns, "flat turns", number);
            check(logic->getTurnCount() == turns, "turns", number);
            check(octa_is_game_over(flat) == logic->isGameOver(), "over", number);
            if (reason >= 0) {
                octa_switch_player(flat);
                logic->switchPlayer();
            }
        } else if (line[0] == 'E') {
            std::string hex;
            in >> hex;
            const auto last = bytes(hex);
            const std::vector<int32_t> table(links.begin(), links.end());
            octa_game *copy = octa_new(count, table.data(), last.data(), condition, limit, stops);
            check(octa_copy(copy, flat) == 1 && octa_get_turn_count(copy) == octa_get_turn_count(flat), "copy", number);
            for (int i = 0; i < count; ++i) {
                const auto at = static_cast<std::size_t>(i);
                check(octa_get_cell(copy, i) == last[at], "flat cells", number);
                check(get(*cells[at]) == last[at], "cells", number);
            }
            octa_free(copy);
            octa_free(flat);
        }
    }
    return games;
}

// What vectors do not show: the engine, the console, and wrong arguments.
static void checkParts() {
    const auto map = std::make_shared<GraphGameMap>(1);
    map->getCell({-1, 0})->setState(CellState::PLAYER_1);
    map->getCell({-1, 0})->setDirection(Direction::NW);
    map->getCell({1, 0})->setState(CellState::PLAYER_2);
    map->getCell({-1, 1})->setDirection(Direction::NE);
    map->getCell({0, 1})->setDirection(Direction::E);
    const GameConfig config{WinCondition::ELIMINATION, 0, false};
    const auto logic = std::make_shared<OctaGameLogic>(map, config);
    std::istringstream in("hello\n9,9\n 1, 0\n-1,0\n");
    std::ostringstream out;
    GameEngine engine(map, logic, std::make_shared<CLIView>(in, out), out);
    const auto result = engine.run();
    check(result.winner == Player::PLAYER_1 && result.reason == "elimination", "engine", 0);
    check(out.str().find("1,0 is not valid") != std::string::npos, "not valid", 0);
    check(out.str().find("9,9 is not on the map") != std::string::npos, "not on the map", 0);
    check(out.str().find("Winner: PLAYER_1 (elimination)") != std::string::npos, "winner", 0);
    check(boardText(*map) == "1→ 1↘ .↑\n1↑ .↑ 1↗\n.↑ .↑ .↑\n", "board", 0);
    const auto none = std::make_shared<Nothing>();
    const auto empty = std::make_shared<GraphGameMap>(1);
    const auto idle = std::make_shared<OctaGameLogic>(empty, config);
    check(GameEngine(empty, idle, none, out).run().reason == "ongoing", "no valid move", 0);
    for (int wrong = 0; wrong < 3; ++wrong) {
        bool refused = false;
        try {
            if (wrong == 0) GraphGameMap zero(0);
            if (wrong == 1) OctaGameLogic(map, {WinCondition::TURN_LIMIT_MAJORITY, 0, false});
            if (wrong == 2) OctaGameLogic(nullptr, config);
        } catch (const std::invalid_argument &) {
            refused = true;
        }
        check(refused, "wrong arguments", wrong);
    }
    const std::weak_ptr<GameCell> last = empty->getCell({0, 0});
    check(!last.expired(), "a cell of a map", 0);
    {
        const std::weak_ptr<GameCell> lost = GraphGameMap(2).getCell({0, 0});
        check(lost.expired(), "cells are freed with their map", 0);
    }
    // A chain of 100,000 cells on a line.
    const int count = 100000;
    std::vector<int> links(8 * static_cast<std::size_t>(count), -1);
    for (int i = 0; i + 1 < count; ++i) links[8 * static_cast<std::size_t>(i) + 1] = i + 1;
    const auto row = std::make_shared<TableMap>(links);
    row->getCell({0, 0})->setState(CellState::PLAYER_1);
    OctaGameLogic chain(row, config);
    chain.makeMove(row->getCell({0, 0}), Player::PLAYER_1);
    check(row->getCell({count - 1, 0})->getState() == CellState::PLAYER_1, "long chain", 0);
    const int32_t link[8] = {1, -1, -1, -1, -1, -1, -1, -1};
    const uint8_t cell[1] = {1}, wrong[1] = {32};
    check(!octa_new(1, link, cell, 0, 0, 0), "a link off the board", 0);
    check(!octa_new(1, nullptr, cell, 0, 0, 0) && !octa_new(0, link, cell, 0, 0, 0), "null", 0);
    const int32_t loop[8] = {0, -1, -1, -1, -1, -1, -1, -1};
    check(!octa_new(1, loop, wrong, 0, 0, 0), "a cell", 0);
    check(!octa_new(1, loop, cell, 1, 0, 0) && !octa_new(1, loop, cell, 2, 5, 0), "limit", 0);
    octa_game *game = octa_new(1, loop, cell, 0, 0, 0);
    check(game && octa_get_cell(game, 1) == -1 && octa_set_cell(game, 1, 0) == 0, "bounds", 0);
    check(octa_count(game, 1) == 1 && octa_nth_cell(game, 1, 0) == 0, "count", 0);
    check(octa_count(game, 9) == 0 && octa_nth_cell(game, 1, 1) == -1, "no such owner", 0);
    octa_free(game);
}

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    checkParts();
    std::cout << readVectors(argv[1]) << " games\n";
    return 0;
}
