"""What only the notebooks need: checks of exercises, figures, the 2x2 game, the museum of faults."""
