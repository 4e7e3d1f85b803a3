"""From notebooks to the report.

cells.py, listings.py what cells of the notebooks show - needs.py, tidy.py, kernels.py, notebooks.py running them -
figures.py, handout.py what else is made of them - document.py, outputs.py, pandoc.py, convert.lua the cells tagged
`report` as Typst or HTML - pdf.py, page.typ, html.py, page.css the pages - exporter.py the same for nbconvert -
references.py, appendix.py, title.py what no notebook says - build.py all of it, for `python -m report`.

Nothing is imported here, so that a notebook that imports report.cells does not load what makes PDFs.
"""
