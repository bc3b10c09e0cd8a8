"""The program of the language-model child process: one OpenAI-compatible server on loopback, until its parent is gone.

Started by file path with a plain interpreter (nothing of this distribution is imported here). Protocol: one JSON line
of configuration on standard input; one JSON line `{"url": ...}` on standard output when the model is loaded; the end of
standard input means stop. A parent that dies closes the pipe, so the child cannot outlive it; where another process
inherited the pipe, the change of parent is noticed instead.
"""

from __future__ import annotations

import importlib
import json
import os
import signal
import sys
import threading
import time
from typing import Any

PARENT_POLL_S = 0.5


def serve(config: dict[str, Any]) -> Any:
    """Load the model and listen on a free loopback port.

    Args:
        config: Keys model, name, api_key, threads, context_tokens, slots.

    Returns:
        The running server; keep it referenced.
    """
    xllamacpp: Any = importlib.import_module("xllamacpp")  # a compiled module without type information

    params = xllamacpp.CommonParams()
    params.model.path = config["model"]
    params.model_alias = {config["name"]}
    params.n_ctx = config["context_tokens"]
    params.n_parallel = config["slots"]
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.api_keys = [config["api_key"]]
    params.ui = False
    params.verbosity = 0
    for cpu in (params.cpuparams, params.cpuparams_batch):
        cpu.n_threads = config["threads"]
        cpu.poll = 0
    return xllamacpp.Server(params)


def _leave_with_parent(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(PARENT_POLL_S)
    os._exit(0)


def main() -> None:
    """Run until standard input ends."""
    parent = os.getppid()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the parent decides when we end
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever the engine prints goes to standard error
    config = json.loads(sys.stdin.readline())
    if hasattr(os, "nice"):
        os.nice(config["niceness"])
    threading.Thread(target=_leave_with_parent, args=(parent,), daemon=True).start()
    server = serve(config)
    print(json.dumps({"url": server.listening_address}), file=answers, flush=True)  # noqa: T201 - the protocol
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    main()
