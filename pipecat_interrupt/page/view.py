"""What a page shows of a call, as values: the seam between what happened and how it is drawn.

Owns the shape only. `fold` makes a `CallView` from a journal, `from_summary` from a `CallSummary`; `render` and the
live board draw it. Times are seconds on the call's clock, which is the recording's time as well.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

PATIENT_VOICES = frozenset({"primary", "inferred", "assumed", "unsure", "confirm"})
"""Speakers whose words count as the patient's (`unsure` ones so marked)."""


@dataclass(frozen=True, slots=True)
class CutMark:
    """Where an utterance was cut.

    Parameters:
        words: Whole words heard.
        ms: Audio heard, ms.
        exactness: "exact" or "estimated".
        by: Who cut in, when and how; None when nobody did (a hang-up, the end).
    """

    words: int
    ms: float
    exactness: str
    by: OverlapMark | None = None


@dataclass(frozen=True, slots=True)
class OverlapMark:
    """Two voices at once, and the verdict."""

    onset_s: float
    verdict: str
    speaker: str
    kind: str | None = None
    words: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class AgentLine:
    """One agent utterance.

    Parameters:
        id: The utterance.
        at_s: First sound.
        end_s: When it was over; None while it is being spoken.
        delivered: What reached the ear; "" while it is being spoken, for nobody knows yet.
        undelivered: What did not.
        pending: The intended text while it is being spoken.
        cut: Where it was cut; None when it was heard whole.
        item_ids: The obligations whose wording it holds.
        heard_ms: Audio heard, ms; None when unknown.
        purpose: Why the middleware said it: ask, convey, return, guard and so on; "" when the model spoke by itself.
    """

    id: str
    at_s: float
    end_s: float | None
    delivered: str = ""
    undelivered: str = ""
    pending: str = ""
    cut: CutMark | None = None
    item_ids: tuple[str, ...] = ()
    heard_ms: float | None = None
    purpose: str = ""

    @property
    def cut_s(self) -> float:
        """When the listener heard the last of it."""
        if self.cut is not None and self.cut.by is not None:
            return max(self.at_s, self.cut.by.onset_s)
        return self.end_s if self.end_s is not None else self.at_s


@dataclass(frozen=True, slots=True)
class PatientLine:
    """What the far end said, as recognised.

    Parameters:
        at_s: When the words were known.
        text: The words.
        speaker: primary, inferred, unsure, third_party.
        verdict: The overlap verdict, "" when it was no overlap.
        start_s: When the voice began; None when that was not seen.
        item_ids: The obligations these words moved.
        voice: What the speaker gate held of it, static words; "" without a gate.
        unconfirmed: They are in doubt: never made final by the recogniser, or of sound that came late.
    """

    at_s: float
    text: str
    speaker: str = "primary"
    verdict: str = ""
    start_s: float | None = None
    item_ids: tuple[str, ...] = ()
    voice: str = ""
    unconfirmed: bool = False


@dataclass(frozen=True, slots=True)
class Decision:
    """Something the middleware decided, or that failed in it.

    Parameters:
        of: "gate" (whose voice, and what becomes of its words), "overlap" (a verdict that cut nothing), "steering"
            (what comes next and why), "trouble".
        title: What was decided, static words.
        detail: Its ground, static words.
        words: Words of the call it is about; "" for none.
    """

    at_s: float
    of: Literal["gate", "overlap", "steering", "trouble"]
    title: str
    detail: str = ""
    words: str = ""
    item_ids: tuple[str, ...] = ()


Line = AgentLine | PatientLine | Decision


@dataclass(frozen=True, slots=True)
class Proof:
    """One piece of evidence.

    Parameters:
        quote: The words, as delivered or as recognised.
        at_s: When they were heard; None when unknown.
        who: "agent", "patient", or the speaker the words were attributed to.
        utterance_id: The agent's utterance they stand in; "" for a reply.
    """

    quote: str
    at_s: float | None = None
    who: str = "agent"
    utterance_id: str = ""


@dataclass(frozen=True, slots=True)
class ObligationView:
    """One obligation and what became of it.

    Parameters:
        id: In the pathway.
        item: "question", "point", or "" when the journal does not say.
        wording: The pathway's own words; "" when unknown.
        state: The ledger's state; "dormant" items are left out of a view.
        value: The answer; None when none was given.
        proofs: What closed it, or what was heard of it so far.
        reason: Why it is open, "" when closed.
        note: Evidence as one sentence, where no proofs with times are known.
        attempts: How often its words were begun.
        cut: Its words were begun and cut at least once.
        listen_at_s: Where to listen, when its words are too unclear to tell; None otherwise.
    """

    id: str
    item: str
    critical: bool
    state: str
    closed: bool
    wording: str = ""
    value: str | None = None
    proofs: tuple[Proof, ...] = ()
    reason: str = ""
    note: str = ""
    attempts: int = 0
    red_flag: bool = False
    cut: bool = False
    listen_at_s: float | None = None


@dataclass(frozen=True, slots=True)
class CallView:
    """A call, finished or in progress.

    Parameters:
        now_s: Time of the last thing known.
        ended: Why it ended; "" while it goes on.
        over: Whether it has ended.
        lines: Everything said and decided, in order of time.
        holds: Stretches (start, end) in which the agent's audio was held back.
        dropped_lines: Lines left out because the call had more than the bound.
    """

    call_id: str
    title: str
    system: str = "ours"
    language: str = "en"
    now_s: float = 0.0
    ended: str = ""
    over: bool = False
    lines: tuple[Line, ...] = ()
    obligations: tuple[ObligationView, ...] = ()
    red_flags: tuple[str, ...] = ()
    unconfirmed_flags: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    holds: tuple[tuple[float, float], ...] = ()
    dropped_lines: int = 0

    @property
    def owed(self) -> tuple[ObligationView, ...]:
        """What is open, critical items first."""
        return tuple(sorted((o for o in self.obligations if not o.closed), key=lambda o: not o.critical))

    @property
    def lost(self) -> tuple[ObligationView, ...]:
        """Critical items that are open."""
        return tuple(o for o in self.owed if o.critical)

    @property
    def in_danger(self) -> tuple[ObligationView, ...]:
        """What is open although its words were begun and cut, or although the call is over; critical items first."""
        return tuple(o for o in self.owed if o.cut or self.over)

    @property
    def to_come(self) -> tuple[ObligationView, ...]:
        """What is open and simply has not had its turn."""
        return tuple(o for o in self.owed if not (o.cut or self.over))

    @property
    def criticality_known(self) -> bool:
        """Whether it is known of every item how critical it is; an old journal does not say."""
        return all(o.item for o in self.obligations)

    @property
    def cuts(self) -> tuple[AgentLine, ...]:
        """The utterances that were cut, in order."""
        return tuple(line for line in self.lines if isinstance(line, AgentLine) and line.cut is not None)
