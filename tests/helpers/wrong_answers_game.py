"""Planted faults about the game: slides, new tiles, whole games, images."""

import numpy as np
from planting import Fault, plant, wrong
from right_answers_game import (
    flat,
    play_game_until_a_break,
    play_game_while_there_is_an_action,
    slide_by_lines,
    slide_by_rows,
    slide_by_turning,
    slide_left_by_popping,
    slide_left_in_three_steps,
    slide_left_with_a_flag,
    slide_of_the_library,
    spawn_by_a_list_of_cells,
    spawn_by_counting,
    symmetries_by_arrays,
    symmetries_by_coordinates,
    symmetries_by_flips,
    symmetries_by_quarter_turns,
)

# slide_left

plant(
    "slide_left",
    slide_left_by_popping,
    Fault("two 32768 merge", " and exponent < 15", "", says="two 32768 tiles"),
    Fault("the old tile earns", "2**exponent", "2 ** (exponent - 1)", says="two old tiles"),
    Fault("the exponent earns", "2**exponent", "exponent", says="the reward were the exponent"),
    Fault("a merge earns 1", "2**exponent", "1", says="merges were counted"),
    Fault("the last merge earns", "reward += 2", "reward = 2", says="only the last merge"),
    Fault("nothing is earned", "reward += 2**exponent", "pass", says="no reward is ever given"),
    Fault("nothing merges", "tiles[0] == exponent", "False", says="nothing ever merged"),
    Fault(
        "exponents are doubled", "exponent += 1", "exponent *= 2", says="the exponent were doubled"
    ),
    Fault(
        "zeros stay",
        "[exponent for exponent in row if exponent]",
        "list(row)",
        says="two empty cells",
    ),
    Fault("too short", "slid + [0] * (4 - len(slid)), reward", "slid, reward", says="too short"),
    Fault(
        "the row alone",
        "slid + [0] * (4 - len(slid)), reward",
        "slid + [0] * (4 - len(slid))",
        says="this is the row alone",
    ),
    Fault(
        "the reward first",
        "slid + [0] * (4 - len(slid)), reward",
        "reward, slid + [0] * (4 - len(slid))",
        says="the reward comes first",
    ),
    Fault(
        "filled up in front",
        "slid + [0] * (4 - len(slid))",
        "[0] * (4 - len(slid)) + slid",
        says="with 0 behind them",
    ),
    Fault(
        "a return too early",
        "        slid.append(exponent)\n    return",
        "        slid.append(exponent)\n        return",
        says="inside the loop",
    ),
)
plant(
    "slide_left",
    slide_left_in_three_steps,
    Fault("holes stay", "closed(cells), reward", "cells, reward", says="left a hole"),
    Fault("gaps stay at first", "cells = closed(row)", "cells = list(row)", says="before merging"),
    Fault("a pair too few", "range(3)", "range(2)", says="only one pair"),
    Fault(
        "any neighbours merge",
        "cells[place] == cells[place + 1] and ",
        "",
        says="only equal ones merge",
    ),
    Fault(
        "changes the row",
        "cells = closed(row)",
        "row[:] = cells = closed(row)",
        says="It changes its argument 1, row",
    ),
)
plant(
    "slide_left",
    slide_left_with_a_flag,
    Fault("merges again", " and not has_merged", "", says="merged again"),
    Fault(
        "the flag stays", "            has_merged = False\n", "            pass\n", says="one pair"
    ),
    Fault(
        "-1 when nothing moves",
        "return tuple(slid), reward",
        "return tuple(slid), (reward if slid != list(row) else -1)",
        says="-1 stood for a row that does not move",
    ),
    Fault(
        "tiles for exponents",
        "return tuple(slid), reward",
        "return [2**e if e else 0 for e in slid], reward",
        says="made of exponents",
    ),
)


@wrong("slide_left", "one list for all calls", says="four cells, and this one has 1")
def slide_left_with_one_list(row, slid=[]):  # noqa: B006
    slid.extend(exponent for exponent in row if exponent)
    return slid, 0


@wrong("slide_left", "removes while looping", says="which skips")
def slide_left_removing(row):
    tiles = list(row)
    for exponent in tiles:
        if exponent == 0:
            tiles.remove(exponent)
    reward = 0
    for place in range(len(tiles) - 1):
        if tiles[place] == tiles[place + 1] != 0 and tiles[place] < 15:
            tiles[place] += 1
            reward += 2 ** tiles[place]
            del tiles[place + 1]
            tiles.append(0)
    return tiles + [0] * (4 - len(tiles)), reward


@wrong("slide_left", "slides right", says="slid to the right")
def slide_left_to_the_right(row):
    after, reward = slide_left_by_popping(row[::-1])
    return after[::-1], reward


@wrong("slide_left", "the far end merges first", says="at the far end")
def slide_left_from_the_far_end(row):
    after, reward = slide_left_by_popping(row[::-1])
    tiles = [exponent for exponent in after[::-1] if exponent]
    return tiles + [0] * (4 - len(tiles)), reward


# slide

plant(
    "slide",
    slide_by_rows,
    Fault(
        "0 when nothing moves", "return board, -1", "return board, 0", says="here it seems to be 0"
    ),
    Fault(
        "no board when nothing moves",
        "return board, -1",
        "return None, -1",
        says="here the board is missing",
    ),
    Fault("None when nothing moves", "return board, -1", "return None", says="a pair is asked for"),
    Fault(
        "no reward when nothing moves",
        "return board, -1",
        "return board, None",
        says="here it is missing",
    ),
    Fault("the reward decides", "slid == board", "total == 0", says="whenever nothing merges"),
    Fault("never -1", "slid == board", "False", says="here it seems to be 0"),
    Fault(
        "not mirrored back",
        "        slid = [row[::-1] for row in slid]",
        "        pass",
        says="mirror",
    ),
    Fault(
        "not turned back",
        "        slid = transposed(slid)",
        "        pass",
        says="turned back into rows",
    ),
    Fault("the last reward", "total += reward", "total = reward", says="reward of one row"),
    Fault("the board alone", "return slid, total", "return slid", says="this is the board alone"),
    Fault(
        "the reward first",
        "return slid, total",
        "return total, slid",
        says="the reward comes first",
    ),
    Fault("flat", "return slid, total", "return sum(slid, []), total", says="one flat list"),
)
plant(
    "slide",
    slide_by_turning,
    Fault(
        "up for down",
        "UP: 1, RIGHT: 2, DOWN: 3",
        "UP: 3, RIGHT: 2, DOWN: 1",
        says="up and down were exchanged",
    ),
    Fault("a wrong DOWN", "DOWN: 3", "DOWN: 1", says="DOWN does what UP"),
    Fault(
        "right for left",
        "LEFT: 0, UP: 1, RIGHT: 2",
        "LEFT: 2, UP: 1, RIGHT: 0",
        says="left and right were exchanged",
    ),
    Fault("a wrong RIGHT", "RIGHT: 2", "RIGHT: 0", says="RIGHT does what LEFT"),
    Fault(
        "the order of the course",
        "{LEFT: 0, UP: 1, RIGHT: 2, DOWN: 3}[action]",
        "[1, 3, 0, 2][action]",
        says="up, down, left, right",
    ),
    Fault(
        "from left on",
        "{LEFT: 0, UP: 1, RIGHT: 2, DOWN: 3}[action]",
        "action",
        says="counted from left on",
    ),
    Fault(
        "rows for columns",
        "{LEFT: 0, UP: 1, RIGHT: 2, DOWN: 3}[action]",
        "[0, 3, 2, 1][action]",
        says="rows and columns were exchanged",
    ),
    Fault(
        "half of the reward",
        "sum(reward for _, reward in rows)",
        "sum(reward for _, reward in rows) // 2",
        says="half of what it should",
    ),
    Fault(
        "the largest reward",
        "sum(reward for _, reward in rows)",
        "max(reward for _, reward in rows)",
        says="the largest reward",
    ),
)
plant(
    "slide",
    slide_by_lines,
    Fault(
        "changes the board",
        "after = [row[:] for row in board]",
        "after = board",
        says="It changes its argument 1, board",
    ),
    Fault("three lines", "for line in range(4):", "for line in range(3):", says="did not move"),
)


@wrong("slide", "moves twice", says="slid twice")
def slide_twice(board, action):
    after, reward = slide_of_the_library(board, action)
    again, more = slide_of_the_library(after.tolist(), action)
    return again, reward + max(more, 0)


def slid_in_the_turned_board(board, quarter_turns):
    turned = np.rot90(np.array(board), quarter_turns)
    after, reward = slide_of_the_library(turned.tolist(), 3)
    return np.array(after), reward


@wrong("slide", "stays turned", says="as it was turned for sliding")
def slide_that_stays_turned(board, action):
    after, reward = slid_in_the_turned_board(board, {3: 0, 0: 1, 1: 2, 2: 3}[action])
    return (board, -1) if reward == -1 else (after.tolist(), reward)


@wrong("slide", "stays mirrored", says="undo both after sliding")
def slide_that_stays_mirrored(board, action):
    rows = np.array(board)
    if action in (0, 2):
        rows = rows.T
    if action in (1, 2):
        rows = rows[:, ::-1]
    after, reward = slid_in_the_turned_board(rows, 0)
    return (board, -1) if reward == -1 else (after.tolist(), reward)


# spawn

plant(
    "spawn",
    spawn_by_a_list_of_cells,
    Fault(
        "always the first cell",
        "empty[rng.integers(len(empty))]",
        "empty[0]",
        says="the first empty cell",
    ),
    Fault(
        "never the last cell",
        "rng.integers(len(empty))",
        "rng.integers(max(1, len(empty) - 1))",
        says="leaves the first or the last",
    ),
    Fault(
        "exchanged",
        "2 if rng.random() < p4 else 1",
        "1 if rng.random() < p4 else 2",
        says="exchanged",
    ),
    Fault("always 0.1", "rng.random() < p4", "rng.random() < 0.1", says="p4 were not used"),
    Fault("never a 4", "2 if rng.random() < p4 else 1", "1", says="p4 were not used"),
    Fault("as often", "rng.random() < p4", "rng.random() < 0.5", says="p4 were not used"),
    Fault(
        "tiles",
        "2 if rng.random() < p4 else 1",
        "4 if rng.random() < p4 else 2",
        says="a 2 is exponent 1, a 4 exponent 2",
    ),
    Fault(
        "changes the board",
        "[list(cells) for cells in board]",
        "board",
        says="It changes its argument 1, board",
    ),
    Fault(
        "changes the rows",
        "[list(cells) for cells in board]",
        "list(board)",
        says="It changes its argument 1, board",
    ),
    Fault("nothing", "return after", "return", says="Is there a return"),
    Fault(
        "unseeded",
        "rng.random() < p4",
        "np.random.default_rng().random() < p4",
        says="Draw from rng",
    ),
    Fault("any cell", "if board[row][column] == 0", "if True", says="choose among empty cells"),
    Fault("the place alone", "return after", "return row, column", says="A board is asked for"),
    Fault(
        "two tiles",
        "    after[row][column]",
        "    after[row - 1][column] = after[row - 1][column] or 1\n    after[row][column]",
        says="new tiles",
    ),
)
plant(
    "spawn",
    spawn_by_counting,
    Fault(
        "a 4 for a 2", "1 + int(rng.random() < p4)", "2 - int(rng.random() < p4)", says="exchanged"
    ),
    Fault("one cell too far", "cells.count(0))", "cells.count(0)) + 1", says="no tile was placed"),
)


@wrong("spawn", "a row first", says="Choosing a row first")
def spawn_by_rows(board, rng, p4):
    """A random row that has room, and then a random cell in it."""
    row = rng.choice([row for row in range(4) if 0 in board[row]])
    column = rng.choice([column for column in range(4) if board[row][column] == 0])
    after = [list(cells) for cells in board]
    after[row][column] = 2 if rng.random() < p4 else 1
    return after


@wrong("spawn", "one random number for cell and tile", says="draw two")
def spawn_with_one_number(board, rng, p4):
    empty = [(r, c) for r in range(4) for c in range(4) if board[r][c] == 0]
    number = rng.random()
    row, column = empty[int(number * len(empty))]
    after = [list(cells) for cells in board]
    after[row][column] = 2 if number < p4 else 1
    return after


# play_game

plant(
    "play_game",
    play_game_while_there_is_an_action,
    Fault(
        "no new tile",
        "board = spawn(afterstate)",
        "board = afterstate",
        says="the new tile of spawn",
    ),
    Fault(
        "s'' for s'",
        "path.append((board, action, reward, afterstate))\n        board = spawn(afterstate)",
        "following = spawn(afterstate)\n        path.append((board, action, reward, "
        "following))\n        board = following",
        says="where the afterstate s' should be",
    ),
    Fault(
        "s'' by a second tile",
        "path.append((board, action, reward, afterstate))",
        "path.append((board, action, reward, spawn(afterstate)))",
        says="where the afterstate s'",
    ),
    Fault(
        "action and reward",
        "(board, action, reward, afterstate)",
        "(board, reward, action, afterstate)",
        says="action and reward are exchanged",
    ),
    Fault(
        "no reward",
        "(board, action, reward, afterstate)",
        "(board, action, afterstate)",
        says="the reward, or more, is missing",
    ),
    Fault(
        "the afterstate twice",
        "(board, action, reward, afterstate)",
        "(afterstate, action, reward, afterstate)",
        says="the board after the slide",
    ),
    Fault(
        "the board of the next move",
        "path.append((board, action, reward, afterstate))\n        board = spawn(afterstate)",
        "board = spawn(afterstate)\n        path.append((board, action, reward, afterstate))",
        says="the board of the next move",
    ),
    Fault("the last first", "return path", "return path[::-1]", says="the last comes first"),
    Fault(
        "the last left out", "return path", "return path[:-1]", says="the last move were left out"
    ),
    Fault("one move", "while action is not None", "if action is not None", says="the game goes on"),
    Fault(
        "the path and more",
        "return path",
        "return path, len(path)",
        says="the path alone is asked for",
    ),
    Fault(
        "the score", "return path", "return sum(r for _, _, r, _ in path)", says="this is the score"
    ),
    Fault(
        "a record of the end",
        "return path",
        "return path + [(board, None, -1, board)]",
        says="record of the dead board",
    ),
    Fault(
        "a record of the end with up",
        "return path",
        "return path + [(board, 0, -1, board)]",
        says="record of the dead board",
    ),
    Fault(
        "stops without a reward",
        "        board = spawn(afterstate)\n",
        "        if reward <= 0:\n"
        "            return path[:-1]\n        board = spawn(afterstate)\n",
        says="earned nothing",
    ),
    Fault("nothing", "return path", "return", says="Is there a return"),
)
plant(
    "play_game",
    play_game_until_a_break,
    Fault("0 is false", "action is None", "not action", says="0 counts as false"),
    Fault(
        "while the board has room",
        "action is None",
        "action is None or 0 not in sum(board, [])",
        says="A full board may still have a move",
    ),
    Fault(
        "one step for all",
        "path += [[board, action, r, after]]",
        "path = [[board, action, r, after]]",
        says="Only the last move",
    ),
)


@wrong("play_game", "the score for the reward", says="the score so far")
def play_game_with_scores(board, choose, slide, spawn):
    path = []
    score = 0
    while True:
        action = choose(board)
        if action is None:
            return path
        afterstate, reward = slide(board, action)
        score += reward
        path.append((board, action, score, afterstate))
        board = spawn(afterstate)


@wrong("play_game", "goes on with the first board", says="from the same board")
def play_game_from_the_first_board(board, choose, slide, spawn):
    """The board is reset: each move is made on the board of the beginning."""
    path = []
    for _ in range(3):
        action = choose(board)
        if action is None:
            break
        afterstate, reward = slide(board, action)
        path.append((board, action, reward, afterstate))
    return path


# symmetries

plant(
    "symmetries",
    symmetries_by_quarter_turns,
    Fault(
        "no mirror images",
        "        images.append([row[::-1] for row in board])\n",
        "",
        says="not their mirror images",
    ),
    Fault(
        "mirror images only",
        "        images.append(board)\n",
        "",
        says="but not the four rotations",
    ),
    Fault(
        "the same board",
        "board = [list(row) for row in zip(*board[::-1])]",
        "pass",
        says="never turned",
    ),
    Fault("mirrored for turned", "zip(*board[::-1])", "board[::-1]", says="quarter turns"),
    Fault(
        "transposed for turned", "zip(*board[::-1])", "zip(*board)", says="rows were made columns"
    ),
    Fault("three turns", "range(4)", "range(3)", says="6 images"),
    Fault("eight turns", "range(4)", "range(8)", says="Every image comes twice"),
    Fault(
        "turns for mirror images",
        "[row[::-1] for row in board]",
        "[list(row) for row in zip(*board[::-1])]",
        says="rotations come twice",
    ),
    Fault("a generator", "return images", "return (image for image in images)", says="generator"),
    Fault(
        "different ones",
        "return images",
        "return [image for n, image in enumerate(images) if image not in images[:n]]",
        says="Images that are equal were left out",
    ),
    Fault(
        "a set",
        "return images",
        "return {tuple(map(tuple, image)) for image in images}",
        says="a set",
    ),
    Fault(
        "flat images",
        "return images",
        "return [sum(image, []) for image in images]",
        says="four rows of four",
    ),
    Fault("seven", "return images", "return images[1:]", says="7 images"),
    Fault("nothing", "return images", "pass", says="Is there a return"),
)
plant(
    "symmetries",
    symmetries_by_arrays,
    Fault("half turns", "range(4)", "range(0, 4, 2)", says="no quarter turns"),
    Fault("shifted", "np.fliplr(image)", "np.roll(image, 1, 0)", says="no images of the board"),
)
plant(
    "symmetries",
    symmetries_by_coordinates,
    Fault(
        "one image twice",
        "image(lambda r, c: (3 - c, 3 - r))",
        "image(lambda r, c: (3 - c, r))",
        says="7 of them different",
    ),
)
plant(
    "symmetries",
    symmetries_by_flips,
    Fault("not across", "if across:", "if False:", says="rows must become columns"),
)


@wrong("symmetries", "a half turn twice", says="A half turn stands among the mirror images")
def symmetries_with_a_half_turn_twice(board):
    board = np.array(board)
    turned = [np.rot90(board, turns) for turns in range(4)]
    return [*turned, board[::-1], board[:, ::-1], board[::-1, ::-1], board.T]


@wrong("symmetries", "the other diagonal", says="A half turn stands among the mirror images")
def symmetries_with_the_other_diagonal(board):
    board = np.array(board)
    turned = [np.rot90(board, turns) for turns in range(4)]
    return [*turned, board[::-1], board[:, ::-1], board[::-1, ::-1], board[::-1, ::-1].T]


@wrong("symmetries", "mirrored in two ways", says="Only mirror images come, each of them twice")
def symmetries_mirrored_in_two_ways(board):
    turned = [np.rot90(np.array(board), turns) for turns in range(4)]
    return [image for turn in turned for image in (turn[::-1], turn[:, ::-1])]


@wrong("symmetries", "changes the board", says="It changes its argument 1, board")
def symmetries_in_place(board):
    images = symmetries_by_quarter_turns(board)
    board[:] = images[2]
    return images


@wrong("symmetries", "one list eight times", says="one list")
def symmetries_in_one_list(board):
    cells = np.array(flat(board)).reshape(4, 4)
    images = []
    for turns in range(8):
        cells[:] = np.rot90(cells)
        if turns == 4:
            cells[:] = np.fliplr(cells)
        images.append(cells)
    return images


@wrong("slide_left", "takes exponents for tiles", says="the row were taken for tiles")
def slide_left_as_of_tiles(row):
    tiles = [cell for cell in row if cell]
    reward = 0
    for n in range(len(tiles) - 1):
        if tiles[n] == tiles[n + 1]:
            tiles[n] *= 2
            tiles[n + 1] = 0
            reward += tiles[n]
    slid = [cell for cell in tiles if cell]
    return slid + [0] * (4 - len(slid)), reward


@wrong("spawn", "never the last empty cell", says="so n must be 1 or more")
def spawn_but_in_the_last_cell(board, rng, p4):
    rows = [list(row) for row in board]
    empty = [(r, c) for r in range(4) for c in range(4) if rows[r][c] == 0]
    row, column = empty[rng.integers(len(empty) - 1)]
    rows[row][column] = 2 if rng.random() < p4 else 1
    return rows


plant(
    "slide",
    slide_by_turning,
    Fault("turned on, not back", ", -turns)", ", turns)", says="stands on its head"),
)

plant(
    "play_game",
    play_game_while_there_is_an_action,
    Fault(
        "another slide",
        "= slide(board, action)",
        "= slide_by_rows(board, action)",
        says="another slide were called",
    ),
    Fault(
        "choose asked once",
        "        board = spawn(afterstate)\n        action = choose(board)\n",
        "        board = spawn(afterstate)\n",
        says="choose were asked once",
    ),
)
plant(
    "play_game",
    play_game_until_a_break,
    Fault(
        "the end by the reward",
        "        if action is None:\n            break\n        after, r = slide(board, action)\n",
        "        after, r = slide(board, action)\n        if r == -1:\n            break\n",
        says="ask whether the action is None before you slide",
    ),
)
