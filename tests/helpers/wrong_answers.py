"""Planted wrong answers to the exercises: WRONG[NAME][fault] is rejected by `check.NAME`.

They stand in the files imported here, topic by topic.
"""

import wrong_answers_choosing  # noqa: F401  (each enters its answers)
import wrong_answers_game  # noqa: F401
import wrong_answers_learning  # noqa: F401
import wrong_answers_network  # noqa: F401
import wrong_answers_search  # noqa: F401
import wrong_answers_table  # noqa: F401
from planting import WRONG  # noqa: F401
