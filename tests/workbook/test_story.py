"""The game of the book is a game: every move follows from the rules, and its board asks its
question."""

import numpy as np
import pytest

from lib2048 import legal_actions, slide, to_array
from workbook.story import GAME, KEY_MOVE, the_board, the_game


def test_every_move_follows_from_the_rules():
    game = the_game()
    assert game.seed == GAME and len(game.boards) == len(game) + 1
    for move, action in enumerate(game.actions):
        board, following = int(game.boards[move]), int(game.boards[move + 1])
        afterstate, reward = slide(board, int(action))
        assert reward == game.rewards[move]
        before, after = to_array(afterstate), to_array(following)
        changed = before != after
        assert changed.sum() == 1 and before[changed] == 0 and after[changed] in (1, 2)
    assert legal_actions(int(game.boards[-1])) == []


def test_the_best_action_is_taken_each_time():
    game = the_game()
    legal = [legal_actions(int(board)) for board in game.boards[:-1]]
    assert [np.flatnonzero(~np.isnan(row)).tolist() for row in game.values] == legal
    assert np.nanargmax(game.values, axis=1).tolist() == game.actions.tolist()


def test_on_its_board_the_reward_decides():
    worth = the_game().values[KEY_MOVE]
    rewards = np.array([slide(the_board(), action)[1] for action in range(4)])
    assert np.argmax(worth) != np.argmax(worth - rewards)


def test_nobody_changes_it_for_others():
    with pytest.raises(ValueError):
        the_game().boards[0] = 0
