"""From notebooks to the report.

Running the notebooks
    needs.py says what their outputs depend on, kernels.py runs one on a kernel of its own,
    notebooks.py all of them, tidy.py cleans what they showed.
Reading them
    document.py turns the cells tagged `report` into parts, with outputs.py and pictures.py.
Writing
    pandoc.py and convert.lua make Typst or HTML of the parts; pdf.py with page.typ and html.py with
    page.css set the pages; references.py, appendix.py and title.py add what no notebook says.
What one calls
    build.py does all of it for `python -m report`; exporter.py does it for one notebook and
    nbconvert; figures.py and handout.py make what else comes of the notebooks.

Nothing is imported here, so that what needs one of these modules does not load them all.
"""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]  # the checkout
