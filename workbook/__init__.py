"""What only the notebooks need.

Exercises: check/, the checks; trial.py, how a function is tried; answers.py, how answers are
compared; solutions.py, an answer to each; grid.py, the game on lists; and listings.py, what does an
exercise's work. Figures: axes.py, their style; lettering.py and fonts/, their letters;
learning_curve.py, comparison.py, curves.py, strength.py, brinks.py, patterns.py, diagrams.py,
board_figures.py and ewn_figures.py, put together with sheet.py. Experiments small enough for a
cell: tiny.py, the 2x2 game; whole_step.py, learning with alpha = 1; faults.py and museum.py, the
museum of faults. Widgets to try an idea with: explore.py and explorers/.

How a page reads: notebook.py, what a notebook begins with; prose.py and words.py, prose with
numbers; typography.py, its signs; sentences.py, those that judge; cells.py, figures with captions;
predict/, predictions that are entered; ready.py, set-up checks; live/, trainings that are watched;
learner/, a learner of the reader's own functions. WRITING.md shows how each is used.
"""
