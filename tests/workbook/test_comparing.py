"""Sentences that compare ways of learning: none is called ahead that cannot be told apart."""

from workbook.comparing import equal_budgets, more_or_fewer

LOW = [10.0, 11.0, 12.0]
HIGH = [20.0, 21.0, 22.0]
NEARLY = [20.0, 21.0, 23.0]


def test_who_leads_clearly_whatever_is_held_equal_is_said_once():
    both = {"TD": LOW, "TC": HIGH}
    assert equal_budgets(both, both, both).startswith("Whatever is held equal, *TC* is clearly")


def test_a_lead_that_may_be_luck_is_no_lead():
    clear = {"TD": LOW, "TC": HIGH}
    close = {"TD": NEARLY, "TC": HIGH}
    said = equal_budgets(clear, close, close)
    assert said == (
        "At equal games *TC* is clearly ahead. At equal moves *TD* has the best mean, but *TC* "
        "cannot be told from it by so few trainings. At equal seconds *TD* has the best mean, but "
        "*TC* cannot be told from it by so few trainings. So much of what is won at equal games is "
        "paid for: in moves, and in time."
    )


def test_what_is_held_equal_may_decide():
    first = {"TD": LOW, "TC": HIGH}
    other = {"TD": HIGH, "TC": LOW}
    assert equal_budgets(first, first, other) == (
        "At equal games *TC* is clearly ahead, and at equal moves as well. At equal seconds *TD* "
        "is clearly ahead."
    )


def test_a_difference_is_more_or_fewer_points():
    assert more_or_fewer(-40.2, 100.0) == "40 ± 100 points fewer"
