"""Lets the speaker labels of a diarising recogniser speak where the voice alone does not decide. Pure.

A label ("0", "S1") means nothing by itself. It earns a meaning from stretches that were decided by voice, and loses
it when it contradicts itself: recognisers do swap labels.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from speaker_gate.facts import Voice, VoiceDecision, Why

SECONDS_MIN = 2.0
"""Decided speech under a label before the label counts."""

SHARE_MIN = 0.85
"""Share of that speech that must agree."""

LABELS_MAX = 16
"""Labels followed in one call."""

GROUNDS = frozenset(
    {Why.ABOVE_ACCEPT, Why.BELOW_REJECT, Why.CHANGED_FROM_PRIMARY, Why.AGENT_VOICE, Why.ALLOWED_SPEAKER}
)
"""Decisions by voice; what was itself decided by a label must not feed it."""


class LabelBook:
    """What the recogniser's labels have meant in this call so far."""

    def __init__(self) -> None:
        self._seconds: dict[str, dict[Voice, float]] = defaultdict(lambda: defaultdict(float))

    def note(self, labels: Iterable[str], decision: VoiceDecision) -> None:
        """Note that speech under one label was decided by voice; mixed labels and other grounds are left out."""
        found = set(labels)
        if len(found) != 1 or decision.why not in GROUNDS:
            return
        label = found.pop()
        if label in self._seconds or len(self._seconds) < LABELS_MAX:
            self._seconds[label][decision.voice] += decision.seconds

    def meaning(self, label: str) -> Voice | None:
        """The voice a label stands for; None while it has not earned one."""
        seconds = self._seconds.get(label)
        if not seconds:
            return None
        voice, most = max(seconds.items(), key=lambda item: item[1])
        total = sum(seconds.values())
        return voice if most >= SECONDS_MIN and most / total >= SHARE_MIN else None

    def help(self, decision: VoiceDecision, labels: Iterable[str]) -> VoiceDecision:
        """Let one label decide what the voice left unsure; a voice decision is never overruled."""
        found = set(labels)
        if decision.decided or len(found) != 1:
            return decision
        voice = self.meaning(found.pop())
        return decision if voice is None else replace(decision, voice=voice, why=Why.STT_LABEL)

    def speaks_for_another(self, labels: Iterable[str]) -> bool:
        """True when a label among these stands for somebody other than the patient, or is new beside a known one."""
        meanings = {label: self.meaning(label) for label in labels}
        if any(voice in (Voice.THIRD_PARTY, Voice.AGENT_ECHO) for voice in meanings.values()):
            return True
        patient_known = any(self.meaning(label) is Voice.PRIMARY for label in list(self._seconds))
        return patient_known and any(voice is None for voice in meanings.values())

    def forget(self) -> None:
        """Start again: the recogniser was restarted and its labels mean something else now."""
        self._seconds.clear()
