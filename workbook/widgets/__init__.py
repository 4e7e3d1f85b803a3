"""What the workbook's widgets share: explorers (workbook/explorers) and predictions.

widget.py is the class that explorers derive from, drawing.py what their pictures are drawn on;
script/ and style/ are what their scripts and style sheets have in common. The drawing of boards,
buttons and keys come from lib2048/viewer.
"""
