"""The one error tree of this room; no vendor error leaves an adapter.

SpeakerGateError
├── CallerError            the caller's fault
│   ├── BadAudio           wrong shape, type or sampling rate
│   ├── EmbedderMismatch   two vectors of different embedders, or a record of another embedder
│   ├── NoCalibration      no calibration record for this embedder
│   ├── NotEnoughData      a fit was asked of too few speakers or too little speech
│   ├── ConsentMissing     voice data was to be stored without a recorded consent
│   └── StoreMisused       the voice store was given a key, limit, id, time or voice it cannot use
├── EnvironmentFault       the environment's fault
│   ├── WeightsMissing     no model weights where they were looked for; names the ways to get them
│   ├── WeightsUntrusted   the file's sha256 is not the pinned one, or none was pinned
│   ├── WeightsUnreadable  the file is there and is no model; names the file and the fix
│   ├── RecordUnreadable   a calibration record cannot be read, or holds what no fit can give
│   ├── StoreUnreadable    the stored voice data cannot be opened with this key
│   └── StoreUnwritable    the folder of the voice store cannot be made, written or cleared
└── ExtraMissing           a package is not installed; names the install line

In a live call none of these reaches the pipeline: `speaker_gate.gate.CallGate` turns them into *unsure*.
"""

from __future__ import annotations


class SpeakerGateError(Exception):
    """Base of every error of this room."""


class CallerError(SpeakerGateError):
    """The caller passed something that cannot be used."""


class BadAudio(CallerError):
    """The samples have the wrong shape or type, or the sampling rate cannot be used."""


class EmbedderMismatch(CallerError):
    """Two embeddings, or an embedding and a calibration record, come from different embedders."""


class NoCalibration(CallerError):
    """There is no calibration record for this embedder; fit one or pass one."""


class NotEnoughData(CallerError):
    """A calibration was asked of too few speakers or too little speech."""


class ConsentMissing(CallerError):
    """Voice data was about to be stored without a recorded consent."""


class StoreMisused(CallerError, ValueError):
    """The voice store was given something it cannot use; the message names it and holds no voice data."""


class EnvironmentFault(SpeakerGateError):
    """Something outside the caller's hands is not as it should be."""


class WeightsMissing(EnvironmentFault):
    """No model weights were found; the message names every way to provide them."""


class WeightsUntrusted(EnvironmentFault):
    """The checkpoint's sha256 is not the pinned one, or a checkpoint that runs code was given without a pin."""


class WeightsUnreadable(EnvironmentFault):
    """The file named as a model is none, or is damaged."""


class RecordUnreadable(EnvironmentFault):
    """A calibration record's files are missing, damaged, or hold numbers that are not finite."""


class StoreUnwritable(EnvironmentFault):
    """The voice store's folder cannot be made, written or cleared."""


class StoreUnreadable(EnvironmentFault):
    """The stored voice data cannot be opened: wrong key, or changed on disk."""


class ExtraMissing(SpeakerGateError):
    """A package this adapter needs is not installed."""

    def __init__(self, package: str, install: str) -> None:
        super().__init__(f"{package} is not installed; install it with: {install}")
        self.package = package
        self.install = install
