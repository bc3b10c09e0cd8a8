"""Keeps standard output for the one JSON object: whatever else a run prints goes to standard error.

Owns file descriptor 1 while it is entered, so that output of C libraries and child processes is caught as well.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def stdout_kept_clean(active: bool = True) -> Iterator[None]:
    """Send everything printed inside to standard error; does nothing unless `active`."""
    if not active:
        yield
        return
    sys.stdout.flush()
    try:
        descriptor = sys.stdout.fileno()
    except (OSError, ValueError):  # A captured stream without a descriptor: only Python's own prints can reach it.
        kept, sys.stdout = sys.stdout, sys.stderr
        try:
            yield
        finally:
            sys.stdout = kept
        return
    saved = os.dup(descriptor)
    try:
        os.dup2(sys.stderr.fileno(), descriptor)
        yield
    finally:
        sys.stdout.flush()
        os.dup2(saved, descriptor)
        os.close(saved)
