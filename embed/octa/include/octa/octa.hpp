// Octa: the interfaces of the specification, in C++17 without dependencies. N is y + 1. A missing
// neighbour is null. A blocked cell stops a chain like the edge; the cell that stops it stays as it
// is. Results follow the cells, so changes between moves count. A move costs what it changes.
#pragma once

#include <algorithm>
#include <array>
#include <cstdio>
#include <iostream>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>

#include "octa/core.hpp"

namespace octa {

struct Coordinate {
    int x;
    int y;
    bool operator==(const Coordinate &other) const { return x == other.x && y == other.y; }
};

struct CoordinateHash {
    std::size_t operator()(const Coordinate &at) const {
        const auto x = static_cast<std::uint32_t>(at.x), y = static_cast<std::uint32_t>(at.y);
        return static_cast<std::size_t>((std::uint64_t{x} << 32 | y) * 0x9E3779B97F4A7C15u >> 16);
    }
};

enum class Player { PLAYER_1 = 1, PLAYER_2 = 2 };
enum class CellState { NEUTRAL, PLAYER_1, PLAYER_2, BLOCKED };
enum class Direction { N, NE, E, SE, S, SW, W, NW };

inline CellState getCellState(Player player) { return static_cast<CellState>(player); }
inline Player getOpponent(Player player) { return static_cast<Player>(3 - static_cast<int>(player)); }
inline Direction rotateClockwise(Direction direction) {
    return static_cast<Direction>((static_cast<int>(direction) + 1) % kDirections);
}

// How many cells have each state. Cells report changes to it.
using CellCounts = std::array<int, 4>;

class GameCell {
public:
    explicit GameCell(Coordinate coordinate, CellState state = CellState::NEUTRAL,
                      Direction direction = Direction::N)
        : coordinate_(coordinate), state_(state), direction_(direction) {}
    GameCell(const GameCell &) = delete;  // a copy would count as a second cell of its map
    GameCell &operator=(const GameCell &) = delete;
    const Coordinate &getCoordinate() const { return coordinate_; }
    CellState getState() const { return state_; }
    Direction getDirection() const { return direction_; }
    void setDirection(Direction direction) { direction_ = direction; }
    void setState(CellState state) {
        for (const auto &each : counts_) {
            if (const auto counts = each.lock()) {
                --(*counts)[static_cast<std::size_t>(state_)];
                ++(*counts)[static_cast<std::size_t>(state)];
            }
        }
        state_ = state;
    }
    const std::shared_ptr<GameCell> &getNeighbor(Direction direction) const {
        return neighbors_[static_cast<std::size_t>(direction)];
    }
    void setNeighbor(Direction direction, std::shared_ptr<GameCell> cell) {
        neighbors_[static_cast<std::size_t>(direction)] = std::move(cell);
    }
    void clearNeighbors() { neighbors_ = {}; }
    // Report this cell and its changes to the counts of a logic, once.
    void countIn(const std::shared_ptr<CellCounts> &counts) {
        if (isCountedIn(counts)) return;
        const auto isLost = [](const auto &each) { return each.expired(); };
        counts_.erase(std::remove_if(counts_.begin(), counts_.end(), isLost), counts_.end());
        counts_.push_back(counts);
        ++(*counts)[static_cast<std::size_t>(state_)];
    }
    bool isCountedIn(const std::shared_ptr<CellCounts> &counts) const {
        const auto isSame = [&](const auto &each) { return each.lock() == counts; };
        return std::any_of(counts_.begin(), counts_.end(), isSame);
    }
private:
    Coordinate coordinate_;
    CellState state_;
    Direction direction_;
    std::array<std::shared_ptr<GameCell>, kDirections> neighbors_;
    std::vector<std::weak_ptr<CellCounts>> counts_;
};

class IGameMap {
public:
    virtual ~IGameMap() = default;
    virtual std::shared_ptr<GameCell> getCell(const Coordinate &coord) const = 0;
    virtual std::vector<std::shared_ptr<GameCell>> getAllCells() const = 0;
    virtual int getSize() const = 0;
    virtual int getTotalCellCount() const = 0;
};

// A square grid from -size to size on both axes, without wrap.
class GraphGameMap : public IGameMap {
public:
    explicit GraphGameMap(int size) : size_(size) {
        if (size < 1) throw std::invalid_argument("size must be at least 1");
        for (int y = size; y >= -size; --y) {
            for (int x = -size; x <= size; ++x) {
                order_.push_back(std::make_shared<GameCell>(Coordinate{x, y}));
                cells_.emplace(Coordinate{x, y}, order_.back());
            }
        }
        static constexpr int east[] = {0, 1, 1, 1, 0, -1, -1, -1}, north[] = {1, 1, 0, -1, -1, -1, 0, 1};
        for (const auto &cell : order_) {
            const auto [x, y] = cell->getCoordinate();
            for (int way = 0; way < kDirections; ++way) {
                cell->setNeighbor(static_cast<Direction>(way), GraphGameMap::getCell({x + east[way], y + north[way]}));
            }
        }
    }
    // Neighbours own each other: break the cycles, or no cell would ever be freed.
    ~GraphGameMap() override {
        for (const auto &cell : order_) cell->clearNeighbors();
    }
    GraphGameMap(const GraphGameMap &) = delete;
    GraphGameMap &operator=(const GraphGameMap &) = delete;
    std::shared_ptr<GameCell> getCell(const Coordinate &coord) const override {
        const auto found = cells_.find(coord);
        return found == cells_.end() ? nullptr : found->second;
    }
    // The cells in reading order, north first.
    std::vector<std::shared_ptr<GameCell>> getAllCells() const override { return order_; }
    int getSize() const override { return size_; }
    int getTotalCellCount() const override { return static_cast<int>(order_.size()); }
private:
    int size_;
    std::unordered_map<Coordinate, std::shared_ptr<GameCell>, CoordinateHash> cells_;
    std::vector<std::shared_ptr<GameCell>> order_;
};

enum class WinCondition { ELIMINATION, TURN_LIMIT_MAJORITY };

struct GameConfig {
    WinCondition winCondition;
    int turnLimit;
    bool stopOnEnemy;
};

// Without a winner, the reason is "ongoing" or "tie"; otherwise "elimination" or "majority".
struct GameResult {
    std::optional<Player> winner;
    std::string reason;
};

// The move is not valid. Nothing has changed.
struct InvalidMoveError : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

class IGameLogic {
public:
    virtual ~IGameLogic() = default;
    virtual bool isValidMove(std::shared_ptr<GameCell> cell, Player player) const = 0;
    virtual GameResult makeMove(std::shared_ptr<GameCell> cell, Player player) = 0;
    virtual bool isGameOver() const = 0;
    virtual Player getCurrentPlayer() const = 0;
    virtual void switchPlayer() = 0;
    virtual int getTurnCount() const = 0;
    // Not in the specification. Override it to name the winner.
    virtual GameResult getResult() const { return {{}, isGameOver() ? "tie" : "ongoing"}; }
};

// Octa on any map. A cell belongs to the map if `getCell` finds it at its coordinate. The map is
// read as a whole at the start, and again when it has gained or lost cells.
class OctaGameLogic : public IGameLogic {
public:
    OctaGameLogic(std::shared_ptr<IGameMap> map, GameConfig config) : map_(std::move(map)), config_(config) {
        if (!map_) throw std::invalid_argument("a logic needs a map");
        if (isByTurns() && config_.turnLimit < 1) throw std::invalid_argument("turnLimit must be at least 1");
        readMap();
    }
    bool isValidMove(std::shared_ptr<GameCell> cell, Player player) const override {
        return refusal(cell, player).empty();
    }
    GameResult makeMove(std::shared_ptr<GameCell> cell, Player player) override {
        const std::string reason = refusal(cell, player);
        if (!reason.empty()) throw InvalidMoveError(reason);
        fire(*this, cell.get(), static_cast<int>(player), config_.stopOnEnemy);
        ++turnCount_;
        return getResult();
    }
    bool isGameOver() const override { return getReason() != Reason::ONGOING; }
    Player getCurrentPlayer() const override { return currentPlayer_; }
    void switchPlayer() override { currentPlayer_ = getOpponent(currentPlayer_); }
    int getTurnCount() const override { return turnCount_; }
    GameResult getResult() const override {
        static const char *const reasons[] = {"ongoing", "elimination", "majority", "tie"};
        const Reason reason = getReason();
        const int number = winner(reason, (*counts_)[1], (*counts_)[2]);
        GameResult result{{}, reasons[static_cast<int>(reason)]};
        if (number > 0) result.winner = static_cast<Player>(number);
        return result;
    }
    // The board of `fire`.
    bool exists(const GameCell *cell) const { return cell != nullptr; }
    int owner(const GameCell *cell) const { return static_cast<int>(cell->getState()); }
    void turn(GameCell *cell, int owner) {
        cell->setDirection(rotateClockwise(cell->getDirection()));
        cell->setState(static_cast<CellState>(owner));
    }
    GameCell *next(const GameCell *cell) const {
        const auto &after = cell->getNeighbor(cell->getDirection());
        return isOnMap(after) ? after.get() : nullptr;
    }
private:
    bool isByTurns() const { return config_.winCondition == WinCondition::TURN_LIMIT_MAJORITY; }
    void readMap() const {
        total_ = map_->getTotalCellCount();
        counts_ = std::make_shared<CellCounts>(CellCounts{});
        for (const auto &cell : map_->getAllCells()) cell->countIn(counts_);
    }
    Reason getReason() const {
        if (map_->getTotalCellCount() != total_) readMap();
        return verdict((*counts_)[1], (*counts_)[2], turnCount_, isByTurns() ? config_.turnLimit : 0);
    }
    bool isOnMap(const std::shared_ptr<GameCell> &cell) const {
        if (!cell || map_->getCell(cell->getCoordinate()) != cell) return false;
        if (!cell->isCountedIn(counts_)) readMap();
        return true;
    }
    // Return why the move is not valid, or nothing.
    std::string refusal(const std::shared_ptr<GameCell> &cell, Player player) const {
        if (!cell) return "a move is a cell of the map";
        if (isGameOver()) return "the game is over";
        if (player != currentPlayer_) return "it is the other player's turn";
        if (!isOnMap(cell)) return "the cell is not on this map";
        return cell->getState() == getCellState(player) ? "" : "the cell is not your own";
    }
    std::shared_ptr<IGameMap> map_;
    GameConfig config_;
    Player currentPlayer_ = Player::PLAYER_1;
    int turnCount_ = 0;
    mutable int total_ = 0;
    mutable std::shared_ptr<CellCounts> counts_;
};

class MoveProvider {
public:
    virtual ~MoveProvider() = default;
    virtual std::optional<Coordinate> getNextMove() = 0;
};

// The console: reads x,y, asks again after anything else, and ends with the input.
class CLIView : public MoveProvider {
public:
    explicit CLIView(std::istream &in = std::cin, std::ostream &out = std::cout) : in_(in), out_(out) {}
    std::optional<Coordinate> getNextMove() override {
        Coordinate at{};
        char rest = 0;
        std::string line;
        while (out_ << "Your move (x,y): " << std::flush, std::getline(in_, line)) {
            if (std::sscanf(line.c_str(), "%9d ,%9d %c", &at.x, &at.y, &rest) == 2) return at;
            out_ << "That is not a cell: write x,y, such as 0,-1.\n";
        }
        return std::nullopt;
    }
private:
    std::istream &in_;
    std::ostream &out_;
};

// The map as text, north on top: the owner of each cell and its arrow, without gaps between cells.
inline std::string boardText(const IGameMap &map) {
    static const char *const arrows[] = {"↑", "↗", "→", "↘", "↓", "↙", "←", "↖"};
    std::map<long long, std::map<int, std::string>> rows;  // by -y, then by x
    for (const auto &cell : map.getAllCells()) {
        const auto [x, y] = cell->getCoordinate();
        const char owner = ".12#"[static_cast<int>(cell->getState())];
        rows[-static_cast<long long>(y)][x] = owner + std::string(arrows[static_cast<int>(cell->getDirection())]);
    }
    std::string text;
    for (const auto &[south, row] : rows) {
        for (const auto &[x, sign] : row) text += (x == row.begin()->first ? "" : " ") + sign;
        text += "\n";
    }
    return text;
}

// Shows the board, gets a move, makes it and switches players, until the game is over.
class GameEngine {
public:
    GameEngine(std::shared_ptr<IGameMap> map, std::shared_ptr<IGameLogic> logic,
               std::shared_ptr<MoveProvider> provider, std::ostream &out = std::cout)
        : map_(std::move(map)), logic_(std::move(logic)), provider_(std::move(provider)), out_(out) {
        if (!map_ || !logic_ || !provider_) throw std::invalid_argument("a part of the engine is missing");
    }
    // The final result; "ongoing" if the provider has no more moves or a player has no valid one.
    GameResult run() {
        GameResult result = logic_->getResult();
        while (!logic_->isGameOver() && canMove()) {
            const Player player = logic_->getCurrentPlayer();
            out_ << boardText(*map_) << "Turn " << logic_->getTurnCount() + 1;
            out_ << ": PLAYER_" << static_cast<int>(player) << "\n";
            const auto cell = nextCell(player);
            if (!cell) break;
            result = logic_->makeMove(cell, player);
            logic_->switchPlayer();
        }
        const int winner = result.winner ? static_cast<int>(*result.winner) : 0;
        out_ << boardText(*map_) << "Winner: " << (winner ? "PLAYER_" + std::to_string(winner) : "none")
             << " (" << result.reason << ")\n";
        return result;
    }
private:
    bool canMove() const {
        const auto isValid = [&](auto &cell) { return logic_->isValidMove(cell, logic_->getCurrentPlayer()); };
        const auto cells = map_->getAllCells();
        return std::any_of(cells.begin(), cells.end(), isValid);
    }
    // The cell of the next valid move, or null if the provider has no more.
    std::shared_ptr<GameCell> nextCell(Player player) {
        while (const auto move = provider_->getNextMove()) {
            const auto cell = map_->getCell(*move);
            if (cell && logic_->isValidMove(cell, player)) return cell;
            out_ << move->x << "," << move->y << (cell ? " is not valid.\n" : " is not on the map.\n");
        }
        return nullptr;
    }
    std::shared_ptr<IGameMap> map_;
    std::shared_ptr<IGameLogic> logic_;
    std::shared_ptr<MoveProvider> provider_;
    std::ostream &out_;
};

}  // namespace octa
