"""Right answers about the game: slides, new tiles, whole games, images."""

import itertools

import naive
import numpy as np
from planting import right

import lib2048

UP, RIGHT, DOWN, LEFT = range(4)


def flat(board):
    return [int(exponent) for exponent in naive.flat(board)]


# slide_left


@right("slide_left")
def slide_left_by_popping(row):
    tiles = [exponent for exponent in row if exponent]
    slid = []
    reward = 0
    while tiles:
        exponent = tiles.pop(0)
        if tiles and tiles[0] == exponent and exponent < 15:
            tiles.pop(0)
            exponent += 1
            reward += 2**exponent
        slid.append(exponent)
    return slid + [0] * (4 - len(slid)), reward


@right("slide_left")
def slide_left_in_three_steps(row):
    """Close the gaps, merge, close the gaps again."""

    def closed(cells):
        tiles = [cell for cell in cells if cell != 0]
        return tiles + [0] * (4 - len(tiles))

    cells = closed(row)
    reward = 0
    for place in range(3):
        if cells[place] != 0 and cells[place] == cells[place + 1] and cells[place] != 15:
            cells[place] = cells[place] + 1
            cells[place + 1] = 0
            reward = reward + 2 ** cells[place]
    return closed(cells), reward


@right("slide_left")
def slide_left_with_a_flag(row):
    """Tile after tile, remembering whether the last one has merged."""
    slid = []
    reward = 0
    has_merged = False
    for exponent in row:
        if exponent == 0:
            continue
        if slid and slid[-1] == exponent and not has_merged and exponent < 15:
            slid[-1] += 1
            reward += 1 << slid[-1]
            has_merged = True
        else:
            slid.append(exponent)
            has_merged = False
    while len(slid) < 4:
        slid.append(0)
    return tuple(slid), reward


@right("slide_left")
def slide_left_by_arrays(row):
    row = np.array(row)
    tiles = row[row > 0]
    out = np.zeros(4, dtype=np.int8)
    reward = 0
    i = 0
    for place in range(4):
        if i >= len(tiles):
            break
        if i + 1 < len(tiles) and tiles[i] == tiles[i + 1] and tiles[i] < 15:
            out[place] = tiles[i] + 1
            reward += 2 ** int(out[place])
            i += 2
        else:
            out[place] = tiles[i]
            i += 1
    return out, np.int64(reward)


@right("slide_left")
def slide_left_by_recursion(row):
    def merged(tiles):
        if len(tiles) < 2:
            return tiles, 0
        first, second, *rest = tiles
        if first == second < 15:
            slid, reward = merged(rest)
            return [first + 1, *slid], reward + 2 ** (first + 1)
        slid, reward = merged([second, *rest])
        return [first, *slid], reward

    slid, reward = merged([exponent for exponent in row if exponent > 0])
    return [*slid, 0, 0, 0, 0][:4], reward


@right("slide_left")
def slide_left_of_the_library(row):
    board = lib2048.from_array([list(row), [0] * 4, [0] * 4, [0] * 4])
    afterstate, reward = lib2048.slide(board, lib2048.LEFT)
    return lib2048.to_array(afterstate)[0], max(reward, 0)


# slide


def transposed(rows):
    return [list(column) for column in zip(*rows)]


@right("slide")
def slide_by_rows(board, action):
    rows = [list(row) for row in board]
    if action in (UP, DOWN):
        rows = transposed(rows)
    if action in (RIGHT, DOWN):
        rows = [row[::-1] for row in rows]
    total = 0
    slid = []
    for row in rows:
        after, reward = slide_left_by_popping(row)
        slid.append(after)
        total += reward
    if action in (RIGHT, DOWN):
        slid = [row[::-1] for row in slid]
    if action in (UP, DOWN):
        slid = transposed(slid)
    if slid == board:
        return board, -1
    return slid, total


@right("slide")
def slide_by_turning(board, action):
    """Turn the board until the action is left, slide its rows, and turn it back."""
    turns = {LEFT: 0, UP: 1, RIGHT: 2, DOWN: 3}[action]
    turned = np.rot90(np.array(board), turns)
    rows = [slide_left_by_arrays(row) for row in turned]
    after = np.rot90(np.array([row for row, _ in rows]), -turns)
    if np.array_equal(after, board):
        return np.array(board), -1
    return after, sum(reward for _, reward in rows)


@right("slide")
def slide_by_lines(board, action):
    """Go along the four lines of cells, each from the wall on."""
    after = [row[:] for row in board]
    total = 0
    for line in range(4):
        if action == LEFT:
            cells = [(line, place) for place in range(4)]
        elif action == RIGHT:
            cells = [(line, 3 - place) for place in range(4)]
        elif action == UP:
            cells = [(place, line) for place in range(4)]
        else:
            cells = [(3 - place, line) for place in range(4)]
        slid, reward = slide_left_with_a_flag([board[row][column] for row, column in cells])
        total += reward
        for (row, column), exponent in zip(cells, slid):
            after[row][column] = exponent
    has_moved = after != board
    return after, (total if has_moved else -1)


@right("slide")
def slide_of_the_slow_twin(board, action):
    after, reward = naive.slide(flat(board), action)
    return naive.to_rows(after), reward


@right("slide")
def slide_of_the_library(board, action):
    after, reward = lib2048.slide(lib2048.from_array(board), action)
    return lib2048.to_array(after), reward


@right("slide")
def slide_tile_by_tile(board, action):
    """Push every tile as far as it goes, those nearest to the wall first."""
    down, right_ = {UP: (-1, 0), RIGHT: (0, 1), DOWN: (1, 0), LEFT: (0, -1)}[action]
    cells = {(row, column): board[row][column] for row in range(4) for column in range(4)}
    merged = set()
    reward = 0
    for place in sorted(cells, reverse=action in (RIGHT, DOWN)):
        exponent = cells[place]
        if exponent == 0:
            continue
        cells[place] = 0
        ahead = (place[0] + down, place[1] + right_)
        while cells.get(ahead) == 0:
            place = ahead
            ahead = (place[0] + down, place[1] + right_)
        if cells.get(ahead) == exponent < 15 and ahead not in merged:
            cells[ahead] = exponent + 1
            merged.add(ahead)
            reward += 2 ** (exponent + 1)
        else:
            cells[place] = exponent
    after = [[cells[row, column] for column in range(4)] for row in range(4)]
    if after == board:
        reward = -1
    return after, reward


# spawn


@right("spawn")
def spawn_by_a_list_of_cells(board, rng, p4):
    empty = []
    for row in range(4):
        for column in range(4):
            if board[row][column] == 0:
                empty.append((row, column))
    row, column = empty[rng.integers(len(empty))]
    after = [list(cells) for cells in board]
    after[row][column] = 2 if rng.random() < p4 else 1
    return after


@right("spawn")
def spawn_by_choice(board, rng, p4):
    after = np.array(board)
    rows, columns = np.nonzero(after == 0)
    chosen = rng.choice(len(rows))
    after[rows[chosen], columns[chosen]] = rng.choice([1, 2], p=[1 - p4, p4])
    return after


@right("spawn")
def spawn_by_trying(board, rng, p4):
    """Try cells until an empty one is met."""
    while True:
        row, column = rng.integers(4, size=2)
        if board[row][column] == 0:
            break
    exponent = 1
    if rng.random() < p4:
        exponent = 2
    return [
        [exponent if (r, c) == (row, column) else board[r][c] for c in range(4)] for r in range(4)
    ]


@right("spawn")
def spawn_by_counting(board, rng, p4):
    """The tile first, then the cell, by its number among the empty ones."""
    exponent = 1 + int(rng.random() < p4)
    cells = [cell for row in board for cell in row]
    number = int(rng.random() * cells.count(0))
    seen = 0
    for place, cell in enumerate(cells):
        if cell == 0:
            if seen == number:
                cells[place] = exponent
                break
            seen += 1
    return [cells[0:4], cells[4:8], cells[8:12], cells[12:16]]


@right("spawn")
def spawn_by_shuffling(board, rng, p4):
    after = [row[:] for row in board]
    empty = [cell for cell in range(16) if board[cell // 4][cell % 4] == 0]
    rng.shuffle(empty)
    after[empty[0] // 4][empty[0] % 4] = 1 if rng.random() >= p4 else 2
    return after


@right("spawn")
def spawn_of_the_library(board, rng, p4):
    return lib2048.to_array(lib2048.spawn(lib2048.from_array(board), rng, p4))


# play_game


@right("play_game")
def play_game_while_there_is_an_action(board, choose, slide, spawn):
    path = []
    action = choose(board)
    while action is not None:
        afterstate, reward = slide(board, action)
        path.append((board, action, reward, afterstate))
        board = spawn(afterstate)
        action = choose(board)
    return path


@right("play_game")
def play_game_until_a_break(board, choose, slide, spawn):
    path = []
    while True:
        action = choose(board)
        if action is None:
            break
        after, r = slide(board, action)
        path += [[board, action, r, after]]
        board = spawn(after)
    return path


@right("play_game")
def play_game_by_recursion(board, choose, slide, spawn):
    action = choose(board)
    if action is None:
        return []
    after, reward = slide(board, action)
    step = (board, action, reward, after)
    return [step, *play_game_by_recursion(spawn(after), choose, slide, spawn)]


@right("play_game")
def play_game_with_an_assignment_in_the_condition(board, choose, slide, spawn):
    path = []
    while (action := choose(board)) is not None:
        after, reward = slide(board, action)
        path.append((np.array(board), np.int64(action), np.int32(reward), tuple(after)))
        board = spawn(after)
    return tuple(path)


@right("play_game")
def play_game_with_lists_of_each(board, choose, slide, spawn):
    boards, actions, rewards, afterstates = [], [], [], []
    over = False
    while not over:
        action = choose(board)
        over = action is None
        if not over:
            after, reward = slide(board, action)
            boards.append(board)
            actions.append(action)
            rewards.append(reward)
            afterstates.append(after)
            board = spawn(after)
    return list(zip(boards, actions, rewards, afterstates))


# symmetries


@right("symmetries")
def symmetries_by_quarter_turns(board):
    images = []
    for _ in range(4):
        board = [list(row) for row in zip(*board[::-1])]
        images.append(board)
        images.append([row[::-1] for row in board])
    return images


@right("symmetries")
def symmetries_by_arrays(board):
    board = np.array(board)
    turned = [np.rot90(board, turns) for turns in range(4)]
    return np.array(turned + [np.fliplr(image) for image in turned])


@right("symmetries")
def symmetries_by_flips(board):
    """Up and down, left and right, and rows for columns: each done or not."""
    images = []
    for upside_down, mirrored, across in itertools.product((False, True), repeat=3):
        image = [list(row) for row in board]
        if upside_down:
            image = image[::-1]
        if mirrored:
            image = [row[::-1] for row in image]
        if across:
            image = transposed(image)
        images.append(image)
    return images


@right("symmetries")
def symmetries_by_coordinates(board):
    def image(place):
        return [[board[place(r, c)[0]][place(r, c)[1]] for c in range(4)] for r in range(4)]

    return [
        image(lambda r, c: (r, c)),
        image(lambda r, c: (r, 3 - c)),
        image(lambda r, c: (3 - r, c)),
        image(lambda r, c: (3 - r, 3 - c)),
        image(lambda r, c: (c, r)),
        image(lambda r, c: (c, 3 - r)),
        image(lambda r, c: (3 - c, r)),
        image(lambda r, c: (3 - c, 3 - r)),
    ]


@right("symmetries")
def symmetries_of_the_slow_twin(board):
    return tuple(naive.to_rows(image) for image in naive.symmetries(flat(board)))


@right("symmetries")
def symmetries_of_the_library(board):
    images = lib2048.symmetries(lib2048.from_array(board))
    return [lib2048.to_array(image) for image in images]
