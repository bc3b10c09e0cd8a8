"""One call as a job that any worker can do: picklable in, picklable out.

Owns what is loaded once a process (pathway, recogniser, ears) and the border at which a failure becomes a refusal. The
same function is mapped by the local runner and by anybody else's.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Literal

from loguru import logger
from pydantic import ValidationError

from obligations.errors import ObligationsError
from obligations.pathway import Pathway, load_pathway
from pipecat_interrupt.errors import InterruptError, MissingExtra
from pipecat_interrupt.local.errors import LocalModelError
from pipecat_interrupt.plain_errors import plain_os_error
from pipecat_interrupt.replay.calls import replay_files
from pipecat_interrupt.replay.errors import RecordingRefused, RefusalCode
from pipecat_interrupt.replay.inputs import CallInput
from pipecat_interrupt.replay.outputs import RESULT_FILE, write_call
from pipecat_interrupt.replay.places import Place, place_of
from pipecat_interrupt.replay.recognise import Recogniser, WhisperRecogniser
from pipecat_interrupt.replay.result import CallResult
from pipecat_interrupt.replay.settings import ReplaySettings
from pipecat_interrupt.weights.errors import WeightsError
from speaker_gate import CallGate, SpeakerGateError
from speaker_gate.turn import Ears

READING = "6"
"""Raised whenever the same files may be read otherwise within one version of the package."""

GateBackend = Literal["none", "onnx", "pyannote"]


@dataclass(frozen=True, slots=True)
class ReplayPlan:
    """How every call of a run is replayed.

    Parameters:
        pathway: A bundled name or a file; None for overlaps and heard-truth alone.
        settings: Everything that has a default.
        stt: Whether recordings without a transcript are transcribed.
        model: Folder of the Whisper model; None: the local profile's.
        gate: Which speaker models; "none" leaves every voice to the primary speaker.
        out: Where results go, one folder a call: a folder of this machine, or an address of fsspec's as text.
        fresh: Replay again what stands there already.
    """

    out: Path | str
    pathway: str | None = None
    settings: ReplaySettings = ReplaySettings()
    stt: bool = True
    model: Path | None = None
    gate: GateBackend = "none"
    fresh: bool = False

    @property
    def place(self) -> Place:
        """Where results go."""
        return place_of(str(self.out))

    def digest(self) -> str:
        """16 hex digits over everything that may change a result, the package's version included."""
        pathway = _pathway(self.pathway)
        parts = (
            self.settings.digest,
            pathway.digest if pathway is not None else "",
            str(self.stt),
            self.model.name if self.model is not None else "",
            self.gate,
            _own_version(),
            READING,
        )
        return hashlib.sha256("|".join(parts).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class JobOutcome:
    """What became of one call.

    Parameters:
        call_id: The call.
        sources: Its files' names.
        status: done, kept (a result of the same files and settings stands there), or refused.
        code: Of the refusal; None otherwise.
        why: Of the refusal; no words of the call.
        inputs_sha256: Over its files.
    """

    call_id: str
    sources: tuple[str, ...]
    status: Literal["done", "kept", "refused"]
    code: RefusalCode | None = None
    why: str = ""
    inputs_sha256: str = ""


def replay_job(call: CallInput, plan: ReplayPlan) -> JobOutcome:
    """Replay one call and write its folder.

    Returns:
        The outcome; a poisoned file is a refusal, never an exception.

    Raises:
        MissingExtra: A package is missing: no call of this run could be done.
        WeightsError: A model is missing, likewise.
    """
    names = tuple(path.name for path in call.files)
    digest = ""
    try:
        with call.here() as local:
            digest = local.sha256()
            if not plan.fresh and kept_result(plan.place, call.call_id, digest, plan.digest()) is not None:
                return JobOutcome(call.call_id, names, "kept", inputs_sha256=digest)
            done = replay_files(
                local,
                _pathway(plan.pathway),
                plan.settings,
                recogniser=(lambda: _recogniser(plan.model)) if plan.stt else None,
                gate=(lambda call_id: _gate(plan.gate, call_id)) if plan.gate != "none" else None,
            )
        result = done.result.model_copy(update={"inputs_sha256": digest, "settings": plan.digest()})
        write_call(type(done)(done.timeline, result, done.handoff, done.lines), plan.place, call.call_id)
    except (MissingExtra, WeightsError, LocalModelError, SpeakerGateError):
        raise
    except RecordingRefused as refusal:
        return JobOutcome(call.call_id, names, "refused", refusal.code, refusal.why, digest)
    except ObligationsError as error:
        return JobOutcome(call.call_id, names, "refused", "no_pathway_language", str(error), digest)
    except InterruptError:
        raise
    except OSError as error:
        return JobOutcome(call.call_id, names, "refused", "unreadable", plain_os_error(error), digest)
    except Exception as error:
        logger.warning("a call could not be replayed: {}", type(error).__name__)
        why = f"an error of ours ({type(error).__name__}); please report it with the file's form"
        return JobOutcome(call.call_id, names, "refused", "failed", why, digest)
    return JobOutcome(call.call_id, names, "done", inputs_sha256=digest)


def kept_result(place: Place, call_id: str, inputs_sha256: str, plan_digest: str) -> CallResult | None:
    """Give the result that stands of a call, when it was made of the same files in the same way."""
    try:
        result = read_result(place, call_id)
    except (OSError, ValidationError, ValueError):
        return None
    same = result.inputs_sha256 == inputs_sha256 and result.settings == plan_digest
    return result if same else None


def read_result(place: Place, call_id: str) -> CallResult:
    """Read a call's result.

    Raises:
        FileNotFoundError: It is not there.
        ValidationError: It is not one of ours.
    """
    text = place.text(f"{call_id}/{RESULT_FILE}")
    if text is None:
        raise FileNotFoundError(f"no result of {call_id} in {place}")
    return CallResult.model_validate_json(text)


@cache
def _pathway(name: str | None) -> Pathway | None:
    return load_pathway(name) if name is not None else None


@cache
def _recogniser(model: Path | None) -> Recogniser:
    return WhisperRecogniser(model)


@cache
def _ears(backend: Literal["onnx", "pyannote"]) -> Ears:
    from speaker_gate.adapters.shared import shared_ears

    return shared_ears(backend)


def _gate(backend: GateBackend, call_id: str) -> CallGate:
    assert backend != "none"
    return CallGate(_ears(backend), call_id=call_id)


@cache
def _own_version() -> str:
    try:
        return version("pipecat-interrupt")
    except PackageNotFoundError:
        return "unknown"
