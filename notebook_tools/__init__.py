"""What is done with the notebooks: running, cleaning, folding, noting, handing out, opening.

Files
    files.py finds, reads and writes notebooks; cells.py reads what cells say of themselves.
Running
    execute.py runs them, where needs.py says that their outputs are out of date; tidy.py cleans
    what they showed; folding.py folds away what is not to be seen at once; manifest.py notes what
    was executed, and what was printed of it.
For people
    handout.py makes the notebooks for a class, with handout.md beside them; lab.py opens them in
    JupyterLab, with lab_settings/.

What is printed of them, and put on pages, is made in report/ and pages/, from which these modules
import nothing. Nothing is imported here, so that what needs one of them does not load them all.
"""
