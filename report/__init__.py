"""From notebooks to the report, as PDF and HTML.

The notebooks have been run by then: notebook_tools/ does that.

Reading them
    document.py turns the cells tagged `report` into parts, with pictures.py. A notebook may come
    from a stranger: what these modules and convert.lua let through runs nothing and reads nothing
    outside the checkout (tests/report/test_stranger.py).
Writing
    pandoc.py and convert.lua make Typst or HTML of the parts; pdf.py with page.typ and html.py with
    page.css set the pages, and live.py lets games play in the latter; letters.py looks for letters
    that no font has; matter.py, answers.py and title.py add what no notebook says.
What one calls
    build.py does all of it for `python -m report`; exporter.py does it for a single notebook and
    nbconvert; figures.py writes the figures into figures/.

Nothing is imported here, so that what needs one of these modules does not load them all.
"""
