"""The fast engine: boards as bit planes, lookups by vector, choosing, rules.

Equal to learning.py to the bit.
"""
