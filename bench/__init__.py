"""Benchmarks: they print figures and ratios; nothing here is a timed test.

`python -m bench` measures the speed, `python -m bench.search` that of looking ahead.
"""
