"""The drive home: what each guess is corrected towards, and the picture of it."""

from workbook import drive


def test_time_goes_on_and_the_drive_ends():
    gone = [minutes for _, minutes, _ in drive.STAGES]
    assert gone == sorted(set(gone)) and drive.STAGES[-1][2] == 0


def test_only_the_guess_before_the_roadworks_learns_of_them_by_td():
    guesses = drive.in_all()
    corrections = [target - guess for guess, target in zip(guesses, drive.targets(waits=False))]
    by_place = dict(zip((place for place, *_ in drive.STAGES), corrections))
    assert by_place["far bank"] > 0 > by_place["bridge"]
    assert drive.targets(waits=True) == [guesses[-1]] * (len(guesses) - 1)


def test_the_picture_says_what_it_shows():
    figure = drive.picture()
    assert "desk 45 to 60" in figure.alt and len(figure.axes) == 2
    assert "<svg" in figure.svg()
