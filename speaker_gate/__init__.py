"""Whose voice is this, and what may it do: enrolment, scoring, change of voice, policy. Loads no model package."""

from speaker_gate.calibration import BandPair, CalibrationRecord, load_record, shipped_record
from speaker_gate.consent import Consent, ConsentHook, ConsentScope, declined, in_call_only
from speaker_gate.embedders import Embedder, Embedding, Segmenter, SpeakerActivity, embed_off_loop, warm_up
from speaker_gate.enrolment import EnrolmentSettings, EnrolmentStatus, EnrolmentStep, Refusal
from speaker_gate.errors import (
    BadAudio,
    CallerError,
    ConsentMissing,
    EmbedderMismatch,
    EnvironmentFault,
    ExtraMissing,
    NoCalibration,
    NotEnoughData,
    SpeakerGateError,
    StoreUnreadable,
    WeightsMissing,
    WeightsUntrusted,
)
from speaker_gate.facts import SpokenPart, Stretch, TurnVerdict, Voice, VoiceDecision, Why, Word
from speaker_gate.gate import CallGate, GateSettings
from speaker_gate.policy.actions import Action, PolicyChoice
from speaker_gate.policy.handover import HandoverEvent, HandoverRecord
from speaker_gate.policy.kinds import Relevance, RelevanceReader, RelevanceReading
from speaker_gate.policy.reader import CueRelevanceReader
from speaker_gate.replies import Standing
from speaker_gate.ruling import Ruling, WordsHeard
from speaker_gate.turn import Ears

__all__ = [
    "Action",
    "BadAudio",
    "BandPair",
    "CalibrationRecord",
    "CallGate",
    "CallerError",
    "Consent",
    "ConsentHook",
    "ConsentMissing",
    "ConsentScope",
    "CueRelevanceReader",
    "Ears",
    "Embedder",
    "EmbedderMismatch",
    "Embedding",
    "EnrolmentSettings",
    "EnrolmentStatus",
    "EnrolmentStep",
    "EnvironmentFault",
    "ExtraMissing",
    "GateSettings",
    "HandoverEvent",
    "HandoverRecord",
    "NoCalibration",
    "NotEnoughData",
    "PolicyChoice",
    "Refusal",
    "Relevance",
    "RelevanceReader",
    "RelevanceReading",
    "Ruling",
    "Segmenter",
    "SpeakerActivity",
    "SpeakerGateError",
    "SpokenPart",
    "Standing",
    "StoreUnreadable",
    "Stretch",
    "TurnVerdict",
    "Voice",
    "VoiceDecision",
    "WeightsMissing",
    "WeightsUntrusted",
    "Why",
    "Word",
    "WordsHeard",
    "declined",
    "embed_off_loop",
    "in_call_only",
    "load_record",
    "shipped_record",
    "warm_up",
]
