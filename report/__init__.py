"""From notebooks to the report.

Running the notebooks
    files.py reads and writes them; needs.py says what their outputs depend on; notebooks.py runs
    them; tidy.py cleans what they showed, folding.py folds away what is not to be seen at once;
    manifest.py notes what was executed and what was printed.
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
    nbconvert; figures.py and handout.py make what else comes of the notebooks; lab.py opens them.

Nothing is imported here, so that what needs one of these modules does not load them all.
"""
