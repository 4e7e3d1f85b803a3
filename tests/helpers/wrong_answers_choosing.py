"""Planted faults about choosing a move."""

from planting import Fault, plant, wrong
from right_answers_choosing import (
    expectimax_by_loops,
    expectimax_by_two_functions,
    expectimax_with_spawn_mean,
    select_afterstate_by_argmax,
    select_afterstate_by_max,
    select_afterstate_from_minus_infinity,
    select_afterstate_from_none,
    select_state_by_max,
    select_state_with_select_afterstate,
    select_state_with_spawn_mean,
    select_state_written_out,
    spawn_mean_by_a_list_of_boards,
    spawn_mean_by_arrays,
    spawn_mean_by_loops,
    spawn_mean_by_placing_and_taking_away,
)
from right_answers_game import slide_by_rows

# select_afterstate

plant(
    "select_afterstate",
    select_afterstate_from_minus_infinity,
    Fault("from 0", "-math.inf", "0", says="started at a number"),
    Fault("from -1", "-math.inf", "-1", says="started at a number"),
    Fault("from -1,000", "-math.inf", "-1_000", says="started at a number"),
    Fault("from -1,000,000", "-math.inf", "-1_000_000", says="started at a number"),
    Fault("from -1,000,000,000", "-math.inf", "-1e9", says="started at a number"),
    Fault(
        "up from -1",
        "best = None\n    best_worth = -math.inf",
        "best = 0\n    best_worth = -1",
        says="started at a number",
    ),
    Fault("-1 when dead", "best = None", "best = -1", says="and -1 came"),
    Fault("up when dead", "best = None", "best = 0", says="which is up, came"),
    Fault("merges only", "reward >= 0", "reward > 0", says="only moves that merge"),
    Fault("the later of equals", "> best_worth", ">= best_worth", says="takes the later action"),
    Fault("from left on", "(0, 1, 2, 3)", "(3, 2, 1, 0)", says="takes the later action"),
    Fault("three actions", "(0, 1, 2, 3)", "(0, 1, 2)", says="never looked at"),
    Fault(
        "the worth",
        "return best",
        "return best_worth if best is not None else None",
        says="this is the worth",
    ),
    Fault(
        "one more",
        "return best",
        "return None if best is None else best + 1",
        says="counted from 1",
    ),
    Fault("up is false", "return best", "return best or None", says="0 counts as false"),
    Fault(
        "a float", "return best", "return None if best is None else float(best)", says="not a float"
    ),
    Fault(
        "a name",
        "return best",
        "return best if best is None else 'URDL'[best]",
        says="a text (str)",
    ),
    Fault("nothing", "return best", "return", says="Is there a return"),
)
plant(
    "select_afterstate",
    select_afterstate_from_none,
    Fault("illegal actions", "reward == -1", "False", says="moves nothing could be chosen"),
    Fault("no reward", "reward + value(after)", "value(after)", says="the reward were left out"),
    Fault("no value", "reward + value(after)", "reward", says="the value did not matter"),
    Fault("the value of s", "value(after)", "value(board)", says="the value did not matter"),
    Fault(
        "half of the reward",
        "reward + value(after)",
        "reward / 2 + value(after)",
        says="rewards were halved",
    ),
    Fault(
        "twice the reward",
        "reward + value(after)",
        "2 * reward + value(after)",
        says="rewards counted twice",
    ),
    Fault("multiplied", "reward + value(after)", "reward * value(after)", says="were multiplied"),
    Fault(
        "without a sign",
        "reward + value(after)",
        "abs(reward + value(after))",
        says="without its sign",
    ),
    Fault("the least", "worth > best_worth", "worth < best_worth", says="the smallest worth"),
    Fault("the first", " or worth > best_worth", "", says="the first legal action"),
    Fault("the last", "best is None or worth > best_worth", "True", says="the last legal action"),
    Fault(
        "the best worth is not kept",
        "            best_worth = worth\n",
        "            best_worth = best_worth or worth\n",
        says="keep its worth",
    ),
)
plant(
    "select_afterstate",
    select_afterstate_by_max,
    Fault(
        "the place among the legal",
        "return max(legal, key=lambda action: moves[action][1] + value(moves[action][0]))",
        "worths = [moves[a][1] + value(moves[a][0]) for a in legal]\n"
        "    return worths.index(max(worths))",
        says="the place in the list of legal actions",
    ),
    Fault(
        "a dead board raises",
        "    if not legal:\n        return None\n",
        "",
        says="nothing to choose",
    ),
)
plant(
    "select_afterstate",
    select_afterstate_by_argmax,
    Fault("from zeros", "np.full(4, -np.inf)", "np.zeros(4)", says="which is up, came"),
    Fault(
        "argmax of a dead board",
        "None if np.isinf(worths).all() else np.argmax(worths)",
        "np.argmax(worths)",
        says="which is up, came",
    ),
)

# spawn_mean

plant(
    "spawn_mean",
    spawn_mean_by_loops,
    Fault("not divided", "total / empty", "total", says="not divided by the number of empty cells"),
    Fault(
        "divided by the boards",
        "total / empty",
        "total / (2 * empty)",
        says="twice the number of empty cells",
    ),
    Fault("divided by 16", "total / empty", "total / 16", says="divided by 16"),
    Fault("one cell more", "empty = 0\n", "empty = 1\n", says="one off"),
    Fault("exchanged", "(1 - p4) * value(board)\n", "p4 * value(board)\n", says="times the mean"),
    Fault(
        "always 0.1",
        "    total = 0.0\n",
        "    p4 = 0.1\n    total = 0.0\n",
        says="always had the probability 0.1",
    ),
    Fault(
        "always 0.2",
        "    total = 0.0\n",
        "    p4 = 0.2\n    total = 0.0\n",
        says="always had the probability 0.2",
    ),
    Fault(
        "as often", "    total = 0.0\n", "    p4 = 0.5\n    total = 0.0\n", says="equally likely"
    ),
    Fault(
        "twos only", "    total = 0.0\n", "    p4 = 0\n    total = 0.0\n", says="only a 2 ever came"
    ),
    Fault(
        "p4 and 1 - p4", "    total = 0.0\n", "    p4 = 1 - p4\n    total = 0.0\n", says="exchanged"
    ),
    Fault("an 8", "board[row][column] = 2", "board[row][column] = 3", says="an 8 came"),
    Fault(
        "tiles stay",
        "[list(cells) for cells in afterstate]",
        "afterstate",
        says="It changes its argument 1, afterstate",
    ),
    Fault(
        "a return too early",
        "board)\n    return total / empty",
        "board)\n                return total / empty",
        says="only the first empty cell",
    ),
    Fault("rounded", "return total / empty", "return round(total / empty)", says="rounded"),
    Fault("cut off", "total / empty", "total // empty", says="without a remainder"),
    Fault("nothing", "return total / empty", "total / empty", says="Is there a return"),
    Fault("three rows", "for row in range(4)", "for row in range(3)", says="times the mean"),
)
plant(
    "spawn_mean",
    spawn_mean_by_placing_and_taking_away,
    Fault("not taken away", "        board[r][c] = 0\n", "", says="a tile that was placed stayed"),
    Fault(
        "tiles for exponents",
        "((1, 1 - p4), (2, p4))",
        "((2, 1 - p4), (4, p4))",
        says="where exponents belong",
    ),
    Fault(
        "no probabilities",
        "probability * value(board)",
        "value(board)",
        says="without their probabilities",
    ),
    Fault("no tile", "board[r][c] = exponent", "pass", says="no new tile were placed"),
)
plant(
    "spawn_mean",
    spawn_mean_by_arrays,
    Fault(
        "the best",
        "np.mean(twos) + p4 * np.mean(fours)",
        "np.max(twos) + p4 * np.max(fours)",
        says="times the mean",
    ),
    Fault(
        "the last left out",
        "np.argwhere(board == 0)",
        "np.argwhere(board == 0)[:-1]",
        says="times the mean",
    ),
)
plant(
    "spawn_mean",
    spawn_mean_by_a_list_of_boards,
    Fault(
        "the largest",
        "sum(probability * value(board) for",
        "max(value(board) for",
        says="the best new tile",
    ),
    Fault(
        "the smallest",
        "sum(probability * value(board) for",
        "min(value(board) for",
        says="the worst new tile",
    ),
)

# select_state

plant(
    "select_state",
    select_state_with_spawn_mean,
    Fault(
        "no new tile",
        "spawn_mean_by_loops(after, value, p4)",
        "value(after)",
        says="asked about the afterstate itself",
    ),
    Fault("no reward", "reward + spawn", "spawn", says="the reward were left out"),
    Fault(
        "no value",
        "reward + spawn_mean_by_loops(after, value, p4)",
        "reward",
        says="the value did not matter",
    ),
    Fault("half of the reward", "reward + spawn", "reward / 2 + spawn", says="halved"),
    Fault("from 0", "-math.inf", "0", says="started at a number"),
    Fault("from -1", "-math.inf", "-1", says="started at a number"),
    Fault("from -1,000", "-math.inf", "-1000", says="started at a number"),
    Fault("from -1,000,000", "-math.inf", "-1_000_000", says="started at a number"),
    Fault("illegal actions", "reward == -1", "False", says="moves nothing"),
    Fault("merges only", "reward == -1", "reward <= 0", says="only moves that merge"),
    Fault(
        "the later of equals",
        "worth > best_worth",
        "worth >= best_worth",
        says="takes the later action",
    ),
    Fault("p4 and 1 - p4", "value, p4)\n", "value, 1 - p4)\n", says="exchanged"),
    Fault("always 0.1", "value, p4)\n", "value, 0.1)\n", says="always had the probability 0.1"),
    Fault("always 0.2", "value, p4)\n", "value, 0.2)\n", says="always had the probability 0.2"),
    Fault("twos only", "value, p4)\n", "value, 0)\n", says="only a 2 ever came"),
    Fault("-1 when dead", "best = None", "best = -1", says="and -1 came"),
    Fault("up when dead", "best = None", "best = 0", says="which is up, came"),
    Fault("up is false", "return best", "return best or None", says="0 counts as false"),
    Fault(
        "one more",
        "return best",
        "return best if best is None else best + 1",
        says="counted from 1",
    ),
)
plant(
    "select_state",
    select_state_written_out,
    Fault("not divided", "total / len(empty)", "total", says="not divided, or divided by"),
    Fault(
        "cells before the slide",
        "total / len(empty)",
        "total / max(1, sum(list(row).count(0) for row in board))",
        says="empty before the slide",
    ),
    Fault("divided by 16", "total / len(empty)", "total / 16", says="divided by 16"),
    Fault(
        "a cell counted once more", "total / len(empty)", "total / (len(empty) + 1)", says="one off"
    ),
    Fault(
        "not taken away", "            after[r][c] = 0\n", "", says="a tile that was placed stayed"
    ),
    Fault("an 8", "after[r][c] = 2", "after[r][c] = 3", says="an 8 came"),
)
plant(
    "select_state",
    select_state_by_max,
    Fault("the least by min", "max(worths", "min(worths", says="the smallest worth"),
    Fault(
        "a name",
        "return max(worths, key=worths.get, default=None)",
        "return worths and 'URDL'[max(worths, key=worths.get)]",
        says="a text (str)",
    ),
)
plant(
    "select_state",
    select_state_with_select_afterstate,
    Fault(
        "cut off",
        "return spawn_mean_by_a_list_of_boards(after, value, p4)",
        "return int(spawn_mean_by_a_list_of_boards(after, value, p4))",
        says="without a remainder",
    ),
)

# expectimax

plant(
    "expectimax",
    expectimax_by_loops,
    Fault("not divided", "total / len(empty)", "total", says="not divided by the empty cells"),
    Fault("no reward", "worth = reward + total", "worth = total", says="with 2 plies"),
    Fault(
        "no reward at the leaves",
        "worth = reward + value(after)",
        "worth = value(after)",
        says="with 1 ply",
    ),
    Fault(
        "p4 and 1 - p4", "    best = None\n", "    p4 = 1 - p4\n    best = None\n", says="exchanged"
    ),
    Fault(
        "twos only", "    best = None\n", "    p4 = 0\n    best = None\n", says="only a 2 ever came"
    ),
    Fault(
        "always 0.1",
        "    best = None\n",
        "    p4 = 0.1\n    best = None\n",
        says="always had the probability 0.1",
    ),
    Fault(
        "from 0",
        "best is None or worth > best_worth",
        "worth > best_worth",
        says="started at a number",
    ),
    Fault(
        "a dead board is -1", "best_worth = 0.0", "best_worth = -1", says="dead board were worth -1"
    ),
    Fault(
        "a dead board is None", "best_worth = 0.0", "best_worth = None", says="The board is dead"
    ),
    Fault(
        "up when dead",
        "    best = None\n    best_worth = 0.0",
        "    best = 0\n    best_worth = -1e12",
        says="The board is dead",
    ),
    Fault(
        "the first move",
        "best is None or worth > best_worth",
        "best is None",
        says="the first legal action",
    ),
    Fault("the least", "worth > best_worth", "worth < best_worth", says="smallest worth"),
    Fault(
        "the later of equals",
        "worth > best_worth",
        "worth >= best_worth",
        says="takes the later action",
    ),
    Fault(
        "the action alone",
        "return best, best_worth",
        "return best",
        says="A pair is asked for",
    ),
    Fault(
        "the worth alone",
        "return best, best_worth",
        "return {0: None, 1: best_worth}[1]",
        says="A pair is asked for",
    ),
    Fault(
        "the worth first", "return best, best_worth", "return best_worth, best", says="The order is"
    ),
    Fault("illegal moves", "reward == -1", "False", says="The board is dead"),
)
plant(
    "expectimax",
    expectimax_by_two_functions,
    Fault(
        "no last max",
        "lambda b: player(b, plies - 1)[1]",
        "lambda b: value(b)",
        says="the last max were missing",
    ),
    Fault("no plies", "player(b, plies - 1)", "player(b, 1)", says="more than 2 plies"),
    Fault(
        "one ply only",
        "return player(board, plies)",
        "return player(board, 1)",
        says="whatever plies is",
    ),
    Fault(
        "one ply too few",
        "return player(board, plies)",
        "return player(board, max(1, plies - 1))",
        says="one ply too few",
    ),
    Fault("dead boards are None", "return None, 0", "return None", says="It returns nothing"),
    Fault(
        "dead boards are -1", "return None, 0", "return None, -1", says="dead board were worth -1"
    ),
)
plant(
    "expectimax",
    expectimax_with_spawn_mean,
    Fault(
        "no rewards further down",
        "expectimax_with_spawn_mean(following, value, plies - 1, p4)[1]",
        "max(0, expectimax_with_spawn_mean(following, value, plies - 1, p4)[1])",
        says="below 0 counted as 0",
    ),
    Fault(
        "no new tile",
        "spawn_mean_by_loops(after, best_worth, p4)",
        "best_worth(after)",
        says="between two moves comes a new tile",
    ),
)


@wrong("expectimax", "the mean of the moves", says="the mean over the moves is taken")
def expectimax_with_a_mean_for_the_max(board, value, plies, p4):
    def worths_of(board, plies):
        worths = {}
        for action in range(4):
            after, reward = slide_by_rows(board, action)
            if reward != -1:
                worths[action] = reward + chance(after, plies)
        return worths

    def chance(after, plies):
        if plies == 1:
            return value(after)

        def mean_of_moves(following):
            worths = worths_of(following, plies - 1).values()
            return sum(worths) / len(worths) if worths else 0

        return spawn_mean_by_loops(after, mean_of_moves, p4)

    worths = worths_of(board, plies)
    action = max(worths, key=worths.get, default=None)
    return action, worths.get(action, 0)


@wrong("expectimax", "an enemy", says="as against an enemy")
def expectimax_against_an_enemy(board, value, plies, p4):
    def worths_of(board, plies):
        worths = {}
        for action in range(4):
            after, reward = slide_by_rows(board, action)
            if reward != -1:
                worths[action] = reward + chance(after, plies)
        return worths

    def chance(after, plies):
        if plies == 1:
            return value(after)

        def least(following):
            return min(worths_of(following, plies - 1).values(), default=0)

        return spawn_mean_by_loops(after, least, p4)

    worths = worths_of(board, plies)
    action = max(worths, key=worths.get, default=None)
    return action, worths.get(action, 0)


plant(
    "expectimax",
    expectimax_by_loops,
    Fault("by 16", "/ len(empty)", "/ 16", says="divided by 16"),
    Fault(
        "counted before the slide",
        "/ len(empty)",
        "/ max(1, sum(list(row).count(0) for row in board))",
        says="counted before the slide",
    ),
    Fault(
        "V at each ply",
        "worth = reward + total",
        "worth = reward + value(after) + total",
        says="V of the afterstate were added at each ply",
    ),
)
