"""The site: every notebook as a page that needs no kernel, and what belongs beside them.

    python -m pages        writes build/site/index.html and what it leads to

reading.py takes an executed notebook apart, markdown.py turns its prose into HTML, outputs.py what
its cells showed. report/live.py brings widgets to life where there is no Python, search.py makes
the index that the search box reads, and frame.py puts the pages together. extras.py makes what is
no notebook: the glossary, the references, the playing page, the report, the pages of the API.
script/ and style/ are the browser's side.
"""
