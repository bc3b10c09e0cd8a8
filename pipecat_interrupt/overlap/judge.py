"""From evidence to verdict: the rules, in the order in which they are asked.

1. what is no speech of the caller's at all (key press, voice evidence, sound tags, echo);
2. words that always mean the same thing (a stop request, a request to repeat, a denial);
3. words whose meaning hangs on the open question (a "yes" answers it or merely listens);
4. the trained model, for the rest, in a language that has one;
5. without text: duration alone; without a language table: duration and count.

Pure: reads no clock, keeps no state between calls. Whatever cannot be told falls to the safe side, the caller's:
speech of the primary or an unsure speaker may take the floor.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Protocol

from pipecat_interrupt.overlap.config import OverlapConfig
from pipecat_interrupt.overlap.echo import is_echo
from pipecat_interrupt.overlap.evidence import FLOOR_TAKING, Evidence, Judgement, Speaker, TextStatus, Verdict
from pipecat_interrupt.overlap.languages import LanguageTable, table_for
from pipecat_interrupt.overlap.languages.table import LISTENING, Part, Reading, may_become_listening, read
from pipecat_interrupt.overlap.tokens import ends_as_question, is_tag_only, tokens, word_changes

HALLUCINATION_VOICE_S_MAX = 0.3
"""A known hallucinated text on less voice than this is noise (Silero needs 0.2 s to report any)."""

CONTENT_WORDS_MIN = 2
"""Words of content in an unfinished transcript from which it is settled that the floor is taken."""

ROUNDING_S = 1e-6
"""Slack for times that were added and taken off again."""

REPAIR_WORDS_MIN = 3
"""Length of a request to repeat that counts inside a longer sentence as well."""

POLITE_SHARE_MAX = 0.95
"""Thanks and assent score at most this share of the model's operating point.

Meetings, on which it was trained, hardly hold any, so that it takes them for statements (D21). A deployment's own,
lower threshold may still yield to them.
"""

_SURE_EARLY = frozenset({Verdict.STOP_REQUEST, Verdict.REPAIR_REQUEST})
_SURE_WHEN_FINAL = _SURE_EARLY | {Verdict.CORRECTION, Verdict.QUESTION, Verdict.ANSWER}

STOP_LEAD_PARTS = LISTENING | {Part.NO, Part.OPENER, Part.CONTRAST, Part.STOP}
"""What may stand before a stop request without making it part of a sentence ("okay, wait")."""


class FloorModel(Protocol):
    """Something trained that says how likely the floor is taken."""

    @property
    def threshold(self) -> float:
        """Its own operating point in (0, 1)."""
        ...

    def score(self, evidence: Evidence) -> float | None:
        """Probability in [0, 1] that the overlapper takes the floor; None when it cannot tell."""
        ...


class OverlapJudge:
    """Judges overlaps by rules and, where a language has one, a trained model."""

    def __init__(self, config: OverlapConfig | None = None, models: dict[str, FloorModel] | None = None) -> None:
        """Make a judge.

        Args:
            config: Settings; the defaults when None.
            models: Trained models by table code ("en"); None = those that come with the package, {} = none.
        """
        self.config = config or OverlapConfig()
        if models is None:
            models = _own_models() if self.config.use_model else {}
        self._models = models
        self._tables: dict[str, LanguageTable | None] = {}

    def table(self, language: str | None) -> LanguageTable | None:
        """The language table in force for a tag, with the deployment's own phrases."""
        tag = language or self.config.language or ""
        if tag not in self._tables:
            table = table_for(tag)
            if table is not None and self.config.extra_backchannels:
                table = table.with_backchannels(self.config.extra_backchannels)
            self._tables[tag] = table
        return self._tables[tag]

    def judge(self, evidence: Evidence) -> Judgement:
        """Give the verdict as far as the evidence carries it.

        Returns:
            A judgement; `settled` is False while more words or more voice may still change it.
        """
        if evidence.key_pressed is not None:
            verdict = Verdict.ANSWER if evidence.floor.question_open else Verdict.TOPIC_SHIFT
            return Judgement(verdict, True, True, "key press")
        if evidence.speaker is Speaker.AGENT_ECHO:
            return Judgement(Verdict.ECHO, False, True, "voice of the agent")
        if evidence.speaker is Speaker.THIRD_PARTY:
            return Judgement(Verdict.THIRD_PARTY, False, True, "voice of a third party")
        if evidence.status is TextStatus.EMPTY:
            return Judgement(Verdict.NOISE, False, True, "segment without text")
        if not evidence.words:
            return self._without_words(evidence)
        if is_tag_only(evidence.text):
            return Judgement(Verdict.NOISE, False, evidence.status is TextStatus.FINAL, "sound tag")
        if evidence.speaker is not Speaker.PRIMARY and is_echo(
            evidence.text, evidence.floor.recent_text, evidence.floor.question_open
        ):
            return Judgement(Verdict.ECHO, False, evidence.status is TextStatus.FINAL, "words of the agent")
        table = self.table(evidence.language)
        if table is None:
            return self._language_free(evidence)
        return self._by_words(evidence, table)

    def _without_words(self, evidence: Evidence) -> Judgement:
        """A recogniser at work that has no word for a voice that goes on leaves the model the timing."""
        table = self.table(evidence.language)
        score = None if table is None else self._score(evidence, table)
        if score is None or table is None or evidence.floor.question_open:
            return self._by_voice(evidence)
        takes = evidence.speech_active and score >= self._threshold(table)
        return Judgement(Verdict.UNDECIDED, takes, takes, "model: timing", score)

    def _by_voice(self, evidence: Evidence) -> Judgement:
        voiced = evidence.since_onset_s if evidence.voiced_s is None else evidence.voiced_s
        to_yield_s = self.config.speech_s_to_yield
        if evidence.speaker is Speaker.PRIMARY:
            to_yield_s = min(to_yield_s, self.config.primary_speech_s_to_yield)
        if evidence.speech_active and voiced + ROUNDING_S >= to_yield_s:
            return Judgement(Verdict.UNDECIDED, True, True, "voice goes on")
        return Judgement(Verdict.UNDECIDED, False, False, "no words yet")

    def _language_free(self, evidence: Evidence) -> Judgement:
        words = tokens(evidence.text)
        different = word_changes(words)
        voiced = evidence.voiced_s
        final = evidence.status is TextStatus.FINAL and not evidence.speech_active
        short = voiced is None or voiced <= self.config.unknown_language_voice_s_max
        if evidence.floor.question_open:
            return Judgement(Verdict.ANSWER, True, final, "language-free: a question is open")
        if different <= self.config.unknown_language_words_max and short:
            return Judgement(Verdict.BACKCHANNEL, False, final, "language-free: short")
        return Judgement(Verdict.UNDECIDED, True, final or different >= 3, "language-free: long")

    def _by_words(self, evidence: Evidence, table: LanguageTable) -> Judgement:
        final = evidence.status is TextStatus.FINAL
        reading = read(table, evidence.text)
        if _hallucinated(evidence, reading, table):
            return Judgement(Verdict.NOISE, False, final, "text on silence")
        verdict, reason = _verdict(evidence, reading, table)
        takes = verdict in FLOOR_TAKING
        if verdict is Verdict.HESITATION:
            takes = bool(reading.kinds - {Part.FILLER, Part.HUM})
        score = self._score(evidence, table)
        if score is not None and _polite(reading):
            score = min(score, POLITE_SHARE_MAX * self._models[table.code].threshold)
        by_rule = Judgement(verdict, takes, final, reason, score)
        if final:
            return self._finished(evidence, reading, table, by_rule)
        return self._unfinished(evidence, reading, table, by_rule)

    def _finished(self, evidence: Evidence, reading: Reading, table: LanguageTable, by_rule: Judgement) -> Judgement:
        """Give the model its say on words no rule is sure of: wishes for the floor, and assents that no list holds."""
        score = by_rule.floor_score
        if score is None or evidence.floor.question_open or by_rule.verdict in _SURE_WHEN_FINAL:
            return by_rule
        takes = score >= self._threshold(table)
        if takes == by_rule.takes_floor or by_rule.verdict is Verdict.HESITATION:
            return replace(by_rule, takes_floor=takes)
        verdict = Verdict.UNDECIDED if takes else Verdict.BACKCHANNEL
        return Judgement(verdict, takes, True, "model: wants the floor" if takes else "model: listens", score)

    def _unfinished(self, evidence: Evidence, reading: Reading, table: LanguageTable, by_rule: Judgement) -> Judgement:
        """Settle an unfinished transcript only on what further words cannot undo."""
        score = by_rule.floor_score
        content = by_rule.takes_floor and reading.count(Part.CONTENT) >= CONTENT_WORDS_MIN
        if by_rule.verdict in _SURE_EARLY or (content and score is None):
            return replace(by_rule, takes_floor=True, settled=True)
        if score is not None and not evidence.floor.question_open:
            takes = score >= self._threshold(table)
            return Judgement(by_rule.verdict, takes, takes, "model: " + by_rule.reason, score)
        if content:
            return replace(by_rule, settled=True)
        unnamed = by_rule.verdict in {Verdict.TOPIC_SHIFT, Verdict.HESITATION, Verdict.QUESTION}
        if unnamed and may_become_listening(table, reading):
            return Judgement(Verdict.BACKCHANNEL, False, False, "may become listening words", score)
        return by_rule

    def _score(self, evidence: Evidence, table: LanguageTable) -> float | None:
        model = self._models.get(table.code)
        return None if model is None else model.score(evidence)

    def _threshold(self, table: LanguageTable) -> float:
        if self.config.floor_threshold is not None:
            return self.config.floor_threshold
        return self._models[table.code].threshold


@cache
def _own_models() -> dict[str, FloorModel]:
    from pipecat_interrupt.overlap.model import load_floor_model

    return {"en": load_floor_model()}


def _polite(reading: Reading) -> bool:
    """Whether this is thanks, assent in a phrase, or a hum, and nothing else."""
    return reading.kinds <= LISTENING and (Part.POLITE in reading.kinds or reading.kinds <= {Part.HUM})


def _hallucinated(evidence: Evidence, reading: Reading, table: LanguageTable) -> bool:
    voiced = evidence.voiced_s
    return voiced is not None and voiced < HALLUCINATION_VOICE_S_MAX and reading.words in table.hallucinated


def _verdict(evidence: Evidence, reading: Reading, table: LanguageTable) -> tuple[Verdict, str]:
    """Name what the words do; the first rule that speaks wins."""
    floor, kinds = evidence.floor, reading.kinds
    asked = floor.question_open and floor.focus_heard
    if _is_stop(reading, table):
        return Verdict.STOP_REQUEST, "stop request"
    if _is_repair(reading):
        return Verdict.REPAIR_REQUEST, "request to repeat"
    if kinds <= LISTENING:
        return _listening(evidence, reading, table, asked)
    if _leads(reading, Part.NO):
        return (Verdict.ANSWER, "denial") if floor.question_open else (Verdict.CORRECTION, "denial")
    if _leads(reading, Part.CORRECTION):
        return Verdict.CORRECTION, "correction"
    if _is_question(evidence, reading, table):
        return Verdict.QUESTION, "question"
    if asked:
        return Verdict.ANSWER, "content while a question is open"
    if kinds <= LISTENING | {Part.OPENER, Part.CONTRAST} or _unfinished_end(reading, table):
        return Verdict.HESITATION, "unfinished"
    if _leads(reading, Part.SHIFT) or Part.CONTRAST in kinds:
        return Verdict.TOPIC_SHIFT, "turn of topic"
    return Verdict.TOPIC_SHIFT, "content"


def _listening(evidence: Evidence, reading: Reading, table: LanguageTable, asked: bool) -> tuple[Verdict, str]:
    """Sort words that can be mere listening: they answer an open question whose focus was heard."""
    if ends_as_question(evidence.text) and reading.kinds <= {Part.HUM, Part.CONTINUER}:
        if reading.words not in table.affirming_hums:
            return Verdict.REPAIR_REQUEST, "questioning sound"
    if reading.kinds == {Part.FILLER}:
        return Verdict.HESITATION, "filler"
    if asked and (Part.YES in reading.kinds or _holds(reading, table.affirming_hums | table.assents)):
        return Verdict.ANSWER, "assent to an open question"
    return Verdict.BACKCHANNEL, "listening words"


def _holds(reading: Reading, phrases: frozenset[tuple[str, ...]]) -> bool:
    at = 0
    for _, length in reading.parts:
        if reading.words[at : at + length] in phrases:
            return True
        at += length
    return False


def _leads(reading: Reading, part: Part) -> bool:
    """Say whether a part comes first, apart from listening words."""
    for found, _ in reading.parts:
        if found is part:
            return True
        if found not in LISTENING | {Part.OPENER, Part.CONTRAST}:
            return False
    return False


def _is_stop(reading: Reading, table: LanguageTable) -> bool:
    for found, _ in reading.parts:
        if found is Part.STOP:
            return True
        if found not in STOP_LEAD_PARTS:
            break
    return len(set(reading.words)) == 1 and reading.words[:1] in table.weak_stop


def _is_repair(reading: Reading) -> bool:
    """Whether a request to repeat is all there is, or stands in a phrase too long to be chance."""
    if Part.REPAIR not in reading.kinds:
        return False
    long = any(part is Part.REPAIR and length >= REPAIR_WORDS_MIN for part, length in reading.parts)
    return long or reading.kinds <= LISTENING | {Part.REPAIR, Part.OPENER}


def _is_question(evidence: Evidence, reading: Reading, table: LanguageTable) -> bool:
    if ends_as_question(evidence.text):
        return True
    at = 0
    for found, length in reading.parts:
        if found not in LISTENING | {Part.OPENER, Part.CONTRAST}:
            return reading.words[at] in table.question_openers
        at += length
    return False


def _unfinished_end(reading: Reading, table: LanguageTable) -> bool:
    return reading.broken_off or (bool(reading.words) and reading.words[-1] in table.unfinished)
