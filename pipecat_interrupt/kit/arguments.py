"""Whether what a kit was given is what it can use.

Owns the messages: which argument, what it is, what to write instead.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast

from obligations.pathway import Pathway
from obligations.steering import SteeringPolicy
from pipecat_interrupt.carrier import CarrierPlayback
from pipecat_interrupt.errors import PipelineError
from pipecat_interrupt.gate import SpeakerGateProcessor
from pipecat_interrupt.kit.keeping import CallKeeping
from pipecat_interrupt.kit.settings import KitSettings
from pipecat_interrupt.live import RtviFacts, SpanExport
from pipecat_interrupt.steering import CallFrame

_KINDS: dict[str, tuple[tuple[type, ...], str]] = {
    "pathway": (
        (str, Path, Pathway, CallKeeping),
        "a bundled pathway's name, a file, a Pathway, or what keep_call(...) gave",
    ),
    "journal": ((str, Path), 'the path of a JSONL file, such as Path("journals") / f"{call_id}.jsonl"'),
    "call_id": ((str,), "the call's name as text"),
    "settings": ((KitSettings,), "KitSettings(...)"),
    "policy": ((SteeringPolicy,), "SteeringPolicy(...)"),
    "gate": ((SpeakerGateProcessor,), "SpeakerGateProcessor(CallGate(ears))"),
    "carrier": ((CarrierPlayback,), "CarrierPlayback()"),
    "frame": ((CallFrame,), "CallFrame(...)"),
    "spill": ((str, Path), "the path of a folder"),
    "rtvi": ((RtviFacts,), "RtviFacts()"),
    "spans": ((SpanExport,), "SpanExport()"),
}
_METHODS: dict[str, tuple[str, str]] = {
    "reader": ("read", "an AnswerReader, such as LocalAnswerReader()"),
    "acknowledger": ("acknowledge", "an Acknowledger, such as PathwayAcknowledger()"),
    "on_handoff": ("__call__", "a function that takes the hand-off"),
}


def check_arguments(given: Mapping[str, object]) -> None:
    """Refuse an argument of the wrong kind before anything is made of it; None is always taken.

    Args:
        given: Every argument of `InterruptKit`, by name.

    Raises:
        PipelineError: One is; the message names it, what it is and what to write.
    """
    for name, value in given.items():
        if value is None:
            continue
        if name == "sinks":
            wanted = "a list of journal sinks, such as [SqliteSink(path)]"
            fits = isinstance(value, list | tuple) and all(
                callable(getattr(sink, "append", None)) for sink in cast("Sequence[object]", value)
            )
        elif name in _METHODS:
            method, wanted = _METHODS[name]
            fits = not isinstance(value, type) and callable(getattr(value, method, None))
        else:
            kinds, wanted = _KINDS[name]
            fits = isinstance(value, kinds)
        if not fits:
            raise _wrong(name, value, wanted)
    journal, spill = given.get("journal"), given.get("spill")
    if isinstance(journal, str | Path) and Path(journal).is_dir():
        raise PipelineError(f"journal {journal}: is a folder; name a file in it")
    if isinstance(spill, str | Path) and Path(spill).is_file():
        raise PipelineError(f"spill {spill}: is a file; name a folder")


def check_loop(what: str) -> None:
    """Refuse what needs the running event loop where there is none.

    Raises:
        PipelineError: There is none.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        raise PipelineError(
            f"{what}: call it in the bot's coroutine, where the event loop runs, such as in the handler of"
            ' "on_client_connected"'
        ) from None


def _wrong(name: str, value: object, wanted: str) -> PipelineError:
    found = f"the class {value.__name__}" if isinstance(value, type) else type(value).__name__
    return PipelineError(f"{name}: is {found}; give {wanted}")
