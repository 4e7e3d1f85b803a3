"""Right answers about choosing a move."""

import math

import naive
import numpy as np
from planting import right
from right_answers_game import flat, slide_by_rows, slide_of_the_library, slide_of_the_slow_twin

import lib2048

# select_afterstate


@right("select_afterstate")
def select_afterstate_from_none(board, value):
    best = None
    best_worth = None
    for action in range(4):
        after, reward = slide_by_rows(board, action)
        if reward == -1:
            continue
        worth = reward + value(after)
        if best is None or worth > best_worth:
            best = action
            best_worth = worth
    return best


@right("select_afterstate")
def select_afterstate_from_minus_infinity(board, value):
    best = None
    best_worth = -math.inf
    for action in (0, 1, 2, 3):
        after, reward = slide_by_rows(board, action)
        if reward >= 0 and reward + value(after) > best_worth:
            best, best_worth = action, reward + value(after)
    return best


@right("select_afterstate")
def select_afterstate_by_max(board, value):
    moves = {action: slide_by_rows(board, action) for action in range(4)}
    legal = [action for action in moves if moves[action][1] != -1]
    if not legal:
        return None
    return max(legal, key=lambda action: moves[action][1] + value(moves[action][0]))


@right("select_afterstate")
def select_afterstate_by_argmax(board, value):
    worths = np.full(4, -np.inf)
    for action in lib2048.legal_actions(lib2048.from_array(board)):
        after, reward = slide_of_the_library(board, action)
        worths[action] = reward + value(after)
    return None if np.isinf(worths).all() else np.argmax(worths)


@right("select_afterstate")
def select_afterstate_by_sorting(board, value):
    worths = []
    for action in range(4):
        after, reward = slide_of_the_slow_twin(board, action)
        if reward != -1:
            worths.append((-(reward + value(tuple(map(tuple, after)))), action))
    return min(worths)[1] if worths else None


@right("select_afterstate")
def select_afterstate_of_the_slow_twin(board, value):
    worths = []
    for action in range(4):
        after, reward = slide_of_the_slow_twin(board, action)
        floats = np.array(after, float)
        worths.append(reward + value(floats) if reward >= 0 else math.nan)
    return naive.best(worths)[0]


# spawn_mean


@right("spawn_mean")
def spawn_mean_by_loops(afterstate, value, p4):
    total = 0.0
    empty = 0
    for row in range(4):
        for column in range(4):
            if afterstate[row][column] == 0:
                empty += 1
                board = [list(cells) for cells in afterstate]
                board[row][column] = 1
                total += (1 - p4) * value(board)
                board[row][column] = 2
                total += p4 * value(board)
    return total / empty


@right("spawn_mean")
def spawn_mean_by_placing_and_taking_away(afterstate, value, p4):
    """Each tile is placed on one board, looked at, and taken away again."""
    board = [list(cells) for cells in afterstate]
    empty = [(r, c) for r in range(4) for c in range(4) if board[r][c] == 0]
    total = 0.0
    for r, c in empty:
        for exponent, probability in ((1, 1 - p4), (2, p4)):
            board[r][c] = exponent
            total += probability * value(board) / len(empty)
        board[r][c] = 0
    return total


@right("spawn_mean")
def spawn_mean_by_arrays(afterstate, value, p4):
    board = np.array(afterstate)
    twos = []
    fours = []
    for row, column in np.argwhere(board == 0):
        following = board.copy()
        following[row, column] = 1
        twos.append(value(following))
        following[row, column] = 2
        fours.append(value(following))
    return (1 - p4) * np.mean(twos) + p4 * np.mean(fours)


@right("spawn_mean")
def spawn_mean_of_the_slow_twin(afterstate, value, p4):
    return naive.mean_over_spawns(flat(afterstate), p4, lambda cells: value(naive.to_rows(cells)))


@right("spawn_mean")
def spawn_mean_by_a_list_of_boards(afterstate, value, p4):
    def with_tile(place, exponent):
        return [
            [exponent if (r, c) == place else afterstate[r][c] for c in range(4)] for r in range(4)
        ]

    places = [(r, c) for r in range(4) for c in range(4) if not afterstate[r][c]]
    boards = [((1 - p4) / len(places), with_tile(place, 1)) for place in places]
    boards += [(p4 / len(places), with_tile(place, 2)) for place in places]
    return sum(probability * value(board) for probability, board in boards)


# select_state


@right("select_state")
def select_state_with_spawn_mean(board, value, p4):
    best = None
    best_worth = -math.inf
    for action in range(4):
        after, reward = slide_by_rows(board, action)
        if reward == -1:
            continue
        worth = reward + spawn_mean_by_loops(after, value, p4)
        if worth > best_worth:
            best = action
            best_worth = worth
    return best


@right("select_state")
def select_state_with_select_afterstate(board, value, p4):
    def expected(after):
        return spawn_mean_by_a_list_of_boards(after, value, p4)

    return select_afterstate_from_none(board, expected)


@right("select_state")
def select_state_by_max(board, value, p4):
    worths = {}
    for action in range(4):
        after, reward = slide_of_the_slow_twin(board, action)
        if reward >= 0:
            worths[action] = reward + spawn_mean_of_the_slow_twin(after, value, p4)
    return max(worths, key=worths.get, default=None)


@right("select_state")
def select_state_by_argmax(board, value, p4):
    worths = []
    for action in range(4):
        after, reward = slide_by_rows(board, action)
        if reward < 0:
            worths.append(-np.inf)
        else:
            worths.append(np.float64(reward + spawn_mean_by_arrays(after, value, p4)))
    return None if max(worths) == -np.inf else int(np.argmax(worths))


@right("select_state")
def select_state_written_out(board, value, p4):
    best = None
    for action in range(4):
        after, reward = slide_by_rows(board, action)
        if reward == -1:
            continue
        empty = [(r, c) for r in range(4) for c in range(4) if after[r][c] == 0]
        total = 0.0
        for r, c in empty:
            after[r][c] = 1
            total += (1 - p4) * value(after)
            after[r][c] = 2
            total += p4 * value(after)
            after[r][c] = 0
        worth = reward + total / len(empty)
        if best is None or worth > best[0]:
            best = (worth, action)
    return best[1] if best else None


# expectimax


@right("expectimax")
def expectimax_by_loops(board, value, plies, p4):
    best = None
    best_worth = 0.0
    for action in range(4):
        after, reward = slide_by_rows(board, action)
        if reward == -1:
            continue
        if plies == 1:
            worth = reward + value(after)
        else:
            empty = [(r, c) for r in range(4) for c in range(4) if after[r][c] == 0]
            total = 0.0
            for r, c in empty:
                following = [list(row) for row in after]
                following[r][c] = 1
                total += (1 - p4) * expectimax_by_loops(following, value, plies - 1, p4)[1]
                following[r][c] = 2
                total += p4 * expectimax_by_loops(following, value, plies - 1, p4)[1]
            worth = reward + total / len(empty)
        if best is None or worth > best_worth:
            best = action
            best_worth = worth
    return best, best_worth


@right("expectimax")
def expectimax_by_two_functions(board, value, plies, p4):
    """Nodes of the player and nodes of chance call each other."""

    def player(board, plies):
        worths = {}
        for action in range(4):
            after, reward = slide_of_the_slow_twin(board, action)
            if reward != -1:
                worths[action] = reward + chance(after, plies)
        if not worths:
            return None, 0
        action = max(worths, key=worths.get)
        return action, worths[action]

    def chance(after, plies):
        if plies == 1:
            return value(after)
        return spawn_mean_by_a_list_of_boards(after, lambda b: player(b, plies - 1)[1], p4)

    return player(board, plies)


@right("expectimax")
def expectimax_with_spawn_mean(board, value, plies, p4):
    def after_value(after):
        if plies == 1:
            return value(after)

        def best_worth(following):
            return expectimax_with_spawn_mean(following, value, plies - 1, p4)[1]

        return spawn_mean_by_loops(after, best_worth, p4)

    action = select_afterstate_from_none(board, after_value)
    if action is None:
        return None, 0
    after, reward = slide_by_rows(board, action)
    return action, reward + after_value(after)


@right("expectimax")
def expectimax_that_remembers(board, value, plies, p4):
    known = {}

    def search(board, plies):
        key = (tuple(map(tuple, board)), plies)
        if key not in known:
            best = (None, 0.0)
            for action in range(4):
                after, reward = slide_by_rows(board, action)
                if reward == -1:
                    continue
                worth = reward + (
                    value(after)
                    if plies == 1
                    else spawn_mean_by_arrays(after, lambda b: search(b.tolist(), plies - 1)[1], p4)
                )
                if best[0] is None or worth > best[1]:
                    best = (action, float(worth))
            known[key] = best
        return known[key]

    return search([list(row) for row in board], plies)


@right("expectimax")
def expectimax_of_the_slow_twin(board, value, plies, p4):
    class Valued:
        """What the slow twin asks of a network."""

        values = "afterstate"

        def value(self, cells):
            return value(naive.to_rows(cells))

    action, worths = naive.expectimax(Valued(), flat(board), plies, p4)
    return action, (0 if action is None else worths[action])
