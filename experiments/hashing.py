"""Hashes that tell whether something is still what it was."""

import hashlib
import json
from pathlib import Path


def json_hash(content) -> str:
    """The hash of what JSON would say of `content`, whatever the order of its dicts."""
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def file_hash(path: Path) -> str:
    """The hash of the bytes of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()
