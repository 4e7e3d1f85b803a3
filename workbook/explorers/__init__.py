"""Explorers: small widgets to try an idea with, one for each thing that is hard to see on paper.

    from workbook import explore
    explore.slide()

slide.py, the slide bench; index.py, the index machine; alpha.py, step size and games on the 2x2
game; backup.py, learning from an episode step by step; choose.py, what the actions of a board are
worth; search.py, a search tree that grows. Each has its numbers computed by Python when it is made.
None of them trains anything in the browser.
"""
