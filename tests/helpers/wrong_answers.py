"""Planted wrong answers: WRONG[NAME][fault] is a learner's function that `check.NAME` must reject.

Most are a right answer with one fault switched on, so that nothing but the fault can give them
away. A number that ends a name is that of a fault which students are known to make; a test asks for
each of them. Those of choosing and learning are in wrong_answers_learning.py, which enters them
here.
"""

import naive
import numpy as np

WRONG = {}


def wrong(check, fault):
    """Enter a function into the catalogue."""

    def enter(fn):
        assert fault not in WRONG.setdefault(check, {})
        WRONG[check][fault] = fn
        return fn

    return enter


def variants(check, base, **faults):
    """Enter base(*args, **switches) for each fault."""
    for fault, switches in faults.items():
        wrong(check, fault)(lambda *args, switches=switches: base(*args, **switches))


# Rows and boards


def slide_left(
    row, cap=True, again=False, from_right=False, merge="all", gap=True, share=1, of="tile", still=0
):
    """A row slid left, with faults."""
    cells = list(row)
    tiles = [e for e in cells if e] if gap else cells
    tiles = tiles[::-1] if from_right else tiles
    done, reward, merged, merges = [], 0, False, 0
    for e in tiles:
        may = done and e and done[-1] == e and (e < 15 or not cap) and (again or not merged)
        if may and merge != "none" and (merge == "all" or not merges):
            done[-1], merged, merges = e + 1, True, merges + 1
            reward += {"tile": 2 ** (e + 1), "exponent": e + 1, "old": 2**e, "count": 1, "none": 0}[
                of
            ]
        else:
            done.append(e)
            merged = False
    done = (done[::-1] if from_right else done) + [0] * (4 - len(done))
    return done, (reward // share if done != cells else still)


ROWS = dict(
    no_tile_cap=dict(cap=False),
    merges_again=dict(again=True),
    merges_from_the_wrong_side=dict(from_right=True),
    merges_one_pair_only=dict(merge="first"),
    never_merges=dict(merge="none"),
    does_not_close_gaps=dict(gap=False),
    halved_reward_9=dict(share=2),
    reward_is_the_exponent=dict(of="exponent"),
    reward_is_the_old_tile=dict(of="old"),
    reward_counts_merges=dict(of="count"),
    no_reward=dict(of="none"),
)
variants("slide_left", slide_left, **ROWS, minus_one_when_nothing_moves=dict(still=-1))
wrong("slide_left", "keeps_its_list_between_calls")(
    lambda row, done=[]: (done.extend(row), (done, 0))[1]
)  # noqa: B006
wrong("slide_left", "only_the_row")(lambda row: slide_left(row)[0])
wrong("slide_left", "tiles_for_exponents")(
    lambda r: ([2**e if e else 0 for e in slide_left(r)[0]], slide_left(r)[1])
)
wrong("slide_left", "shorter_row")(
    lambda row: ([e for e in slide_left(row)[0] if e], slide_left(row)[1])
)
wrong("slide_left", "reward_first")(lambda row: slide_left(row)[::-1])


@wrong("slide_left", "changes_its_row")
def _(row):
    row[:], reward = slide_left(row)
    return row, reward


@wrong("slide_left", "removes_while_looping")
def _(row):
    row = list(row)
    for e in row:
        if e == 0:
            row.remove(e)  # and skips the next one
    return slide_left(row, gap=False)


def slide(board, action, turns=(1, 2, 3, 0), unmoved=-1, same=True, **row_faults):
    """A board slid by turning it (counterclockwise) until the action is LEFT, with faults."""
    rows = [
        slide_left(row, **row_faults) for row in np.rot90(np.array(board), turns[action]).tolist()
    ]
    after = np.rot90(np.array([row for row, _ in rows]), -turns[action]).tolist()
    return (
        (after, sum(reward for _, reward in rows))
        if after != board
        else (board if same else None, unmoved)
    )


variants(
    "slide",
    slide,
    **ROWS,
    transposed_directions=dict(turns=(0, 3, 2, 1)),
    up_for_down=dict(turns=(3, 2, 1, 0)),
    left_for_right=dict(turns=(1, 0, 3, 2)),
    wrong_down_9=dict(turns=(1, 2, 1, 0)),
    left_first=dict(turns=(0, 1, 2, 3)),
    reward_zero_when_nothing_moves=dict(unmoved=0),
    no_reward_when_nothing_moves=dict(unmoved=None),
    no_board_when_nothing_moves=dict(same=False),
)
wrong("slide", "minus_one_without_a_merge")(lambda b, a: (slide(b, a)[0], slide(b, a)[1] or -1))
wrong("slide", "a_flat_board")(lambda b, a: (naive.flat(slide(b, a)[0]), slide(b, a)[1]))
wrong("slide", "only_the_board")(lambda b, a: slide(b, a)[0])
wrong("slide", "right_not_mirrored_back")(
    lambda b, a: slide([row[::-1] for row in b], 3) if a == 1 else slide(b, a)
)


@wrong("slide", "changes_its_board")
def _(board, action):
    board[:], reward = slide(board, action)
    return board, reward


def images(board, turns=4, mirror=np.fliplr, times=1):
    """Images of a board, with faults."""
    turned = [np.rot90(np.array(board), n) for n in range(turns)]
    return [image.tolist() for image in turned + [mirror(image) for image in turned]] * times


variants(
    "symmetries",
    images,
    four_turns_twice=dict(mirror=np.rot90),
    two_turns_mirrored=dict(turns=2),
    sixteen=dict(times=2),
    half_of_them_twice=dict(turns=2, times=2),
    rows_shifted=dict(mirror=lambda a: np.roll(a, 1, 0)),
)
wrong("symmetries", "no_mirrors")(lambda b: images(b)[:4])
wrong("symmetries", "mirrors_only")(lambda b: images(b)[4:])
wrong("symmetries", "different_ones_only")(
    lambda b: list({tuple(map(tuple, i)) for i in images(b)})
)
wrong("symmetries", "a_set")(lambda b: {tuple(map(tuple, i)) for i in images(b)})
wrong("symmetries", "the_same_board")(lambda b: [b] * 8)
wrong("symmetries", "flat_images")(lambda b: [naive.flat(i) for i in images(b)])
wrong("symmetries", "one_too_few")(lambda b: images(b)[:7])
wrong("symmetries", "a_generator")(lambda b: (i for i in images(b)))


@wrong("symmetries", "turns_the_board_in_place")
def _(board):
    out = images(board)
    board[:] = out[1]
    return out


# The network


def index(board, pattern, base=16, back=False, swap=False, order=None):
    """Index of a pattern, with faults."""
    cells = [
        board[c % 4][c // 4] if swap else board[c // 4][c % 4] for c in (order or list)(pattern)
    ]
    return sum(e * base**j for j, e in enumerate(cells[::-1] if back else cells))


variants(
    "index",
    index,
    digits_in_the_other_order_13=dict(back=True),
    decimal=dict(base=10),
    three_bits=dict(base=8),
    base_fifteen=dict(base=15),
    columns_for_rows=dict(swap=True),
    sorted_cells=dict(order=sorted),
    one_cell_too_few=dict(order=lambda p: p[:-1]),
    cells_from_one=dict(order=lambda p: [max(c - 1, 0) for c in p]),
)
wrong("index", "tiles_for_exponents")(
    lambda b, p: index([[2**e if e else 0 for e in row] for row in b], p)
)
wrong("index", "a_float")(lambda b, p: float(index(b, p)))
wrong("index", "a_text")(lambda b, p: hex(index(b, p)))
wrong("index", "a_tuple")(lambda b, p: tuple(b[c // 4][c % 4] for c in p))
wrong("index", "eight_bits")(lambda b, p: int(np.array([index(b, p)]).astype(np.uint8)[0]))
wrong("index", "shift_before_plus")(
    lambda b, p: sum(b[c // 4][c % 4] + 1 << 4 * j for j, c in enumerate(p))
)


def lookups(board, patterns, views=images, **faults):
    """(Table, index) of every lookup."""
    return [
        (k, index(image, pattern, **faults))
        for image in views(board)
        for k, pattern in enumerate(patterns)
    ]


def estimate(board, patterns, tables, **faults):
    """V of a board, with faults."""
    return sum(tables[k][i] for k, i in lookups(board, patterns, **faults))


VIEWS = dict(
    no_isomorphisms_5=dict(views=lambda b: [b]),
    turns_only=dict(views=lambda b: images(b)[:4]),
    two_turns_and_their_mirrors=dict(views=lambda b: images(b, turns=2)),
    turns_twice=dict(views=lambda b: images(b)[:4] * 2),
    different_images_only=dict(views=lambda b: {tuple(map(tuple, i)) for i in images(b)}),
)
variants(
    "estimate",
    estimate,
    **VIEWS,
    digits_in_the_other_order_13=dict(back=True),
    decimal=dict(base=10),
)
wrong("estimate", "mean_of_the_lookups")(lambda b, p, t: estimate(b, p, t) / (8 * len(p)))
wrong("estimate", "mean_of_the_images")(lambda b, p, t: estimate(b, p, t) / 8)
wrong("estimate", "first_pattern_only")(lambda b, p, t: estimate(b, p[:1], t))
wrong("estimate", "first_table_only")(lambda b, p, t: estimate(b, p, [t[0]] * len(p)))
wrong("estimate", "one_table_per_image_14")(
    lambda b, p, t: sum(
        t[n * len(p) + k][index(i, q)] for n, i in enumerate(images(b)) for k, q in enumerate(p)
    )
)
wrong("estimate", "one_table_per_image_14_in_turn")(
    lambda b, p, t: sum(
        t[n % len(p)][i % len(t[n % len(p)])] for n, (_, i) in enumerate(lookups(b, p)[::-1])
    )
)
wrong("estimate", "each_weight_once")(lambda b, p, t: sum(t[k][i] for k, i in set(lookups(b, p))))
wrong("estimate", "whole_numbers")(lambda b, p, t: int(estimate(b, p, t)))
wrong("estimate", "empty_corners_count_nothing")(
    lambda b, p, t: sum(t[k][index(i, q)] for i in images(b) for k, q in enumerate(p) if i[0][0])
)


@wrong("estimate", "changes_its_tables")
def _(board, patterns, tables):
    value = estimate(board, patterns, tables)
    for k, i in lookups(board, patterns):
        tables[k][i] = 0
    return value


@wrong("estimate", "changes_its_tables_a_little")
def _(board, patterns, tables):
    value = estimate(board, patterns, tables)
    for k, i in lookups(board, patterns):
        tables[k][i] += 1e-9
    return value


def update(
    board, patterns, tables, delta, m=None, answer="after", put=False, once=False, sign=1, **faults
):
    """V after an update, with faults."""
    before, found = estimate(board, patterns, tables), lookups(board, patterns, **faults)
    for k, i in set(found) if once else found:
        tables[k][i] = sign * delta / (m(patterns, found) if m else 8 * len(patterns)) + (
            0 if put else tables[k][i]
        )
    return {
        "after": estimate(board, patterns, tables),
        "before": before,
        "moved": before + delta,
        "nothing": None,
        "delta": delta,
    }[answer]


variants(
    "update",
    update,
    **VIEWS,
    delta_not_divided_4=dict(m=lambda p, found: 1),
    divided_by_the_patterns_only=dict(m=lambda p, found: len(p)),
    divided_by_the_images_only=dict(m=lambda p, found: 8),
    divided_by_different_weights=dict(m=lambda p, found: len(set(found))),
    divided_by_32=dict(m=lambda p, found: 32),
    each_weight_once=dict(once=True),
    each_weight_once_all_told=dict(once=True, m=lambda p, found: len(set(found))),
    puts_instead_of_adding=dict(put=True),
    wrong_sign=dict(sign=-1),
    digits_in_the_other_order_13=dict(back=True),
    value_before=dict(answer="before"),
    value_before_plus_delta=dict(answer="moved"),
    returns_nothing=dict(answer="nothing"),
    returns_delta=dict(answer="delta"),
)
wrong("update", "changes_copies")(lambda b, p, t, d: update(b, p, [table.copy() for table in t], d))
wrong("update", "first_pattern_only")(
    lambda b, p, t, d: (update(b, p[:1], t, d), estimate(b, p, t))[1]
)


@wrong("update", "one_addition_for_equal_indices")
def _(board, patterns, tables, delta):
    for k in range(len(patterns)):
        tables[k][[i for j, i in lookups(board, patterns) if j == k]] += delta / (8 * len(patterns))
    return estimate(board, patterns, tables)


@wrong("update", "sums_while_adding")
def _(board, patterns, tables, delta):
    total = 0
    for k, i in lookups(board, patterns):
        tables[k][i] += delta / (8 * len(patterns))
        total += tables[k][i]
    return total


@wrong("update", "new_tables_in_the_list")
def _(board, patterns, tables, delta):
    tables[:] = [table.copy() for table in tables]
    return update(board, patterns, tables, delta)


import wrong_answers_learning  # noqa: E402, F401  (completes the catalogue)
