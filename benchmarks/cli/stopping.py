"""Ctrl-C in a long command: it ends within seconds and in one line, whatever the calls under way make of it.

A pipeline that is told to stop swallows the stop, and a pool of processes waits for the trials it has begun: left to
them, a run went on. What a store holds is whole at any moment, so ending by force loses the trials under way alone.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, NoReturn

INTERRUPTED = 130
GRACE_S = 5.0
"""How long a command has to end by itself; a second Ctrl-C does not wait."""

TOLD = "interrupted: what was done is kept; the same `run` or `yield` command goes on from there\n"


@contextmanager
def ended_by_ctrl_c() -> Generator[None]:
    """Let Ctrl-C end what runs inside with exit code `INTERRUPTED`; does nothing where it is ignored or taken.

    Promises: the process ends within `GRACE_S` of the first Ctrl-C, its worker processes with it.
    """
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or before is not signal.default_int_handler:
        yield
        return
    owner, end = os.getpid(), threading.Timer(GRACE_S, _leave)
    end.daemon = True

    def stop(_signal: int, _frame: Any) -> None:
        if os.getpid() != owner:  # a worker process that was forked from here
            os._exit(INTERRUPTED)
        signal.signal(signal.SIGINT, lambda *_: _leave())
        end.start()
        raise KeyboardInterrupt

    signal.signal(signal.SIGINT, stop)
    try:
        yield
    except KeyboardInterrupt:  # outside what Typer runs
        sys.stderr.write(TOLD)
        raise SystemExit(INTERRUPTED) from None
    except SystemExit as left:
        if left.code == INTERRUPTED:
            sys.stderr.write(TOLD)
        raise
    finally:
        end.cancel()
        signal.signal(signal.SIGINT, before)


def _leave() -> NoReturn:
    sys.stderr.write(TOLD)
    sys.stderr.flush()
    for child in multiprocessing.active_children():
        child.terminate()
    os._exit(INTERRUPTED)
