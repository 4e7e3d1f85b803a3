"""What comes after an exercise is done by the reader's function if it is right."""

import pytest

from workbook import solutions
from workbook.own import own_or_solution


def test_a_right_function_is_used_and_a_wrong_one_is_not():
    def right(V, s, r, s_next, alpha):
        V[s] += alpha * (r + (0 if s_next is None else V[s_next]) - V[s])

    def wrong(V, s, r, s_next, alpha):
        V[s] += alpha * r

    assert own_or_solution("td0", right) is right
    assert own_or_solution("td0", wrong) is solutions.td0


def test_there_is_such_an_exercise():
    with pytest.raises(ValueError, match="td1"):
        own_or_solution("td1", len)
