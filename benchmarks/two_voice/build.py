"""Builds a set: renders every line once, checks it with a recogniser, mixes, and writes clips and manifest.

Owns the order and the draws; what it draws depends on the seed and the case's id alone, so that one more case changes
nothing of the others.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from benchmarks.errors import CallerError
from benchmarks.two_voice.checking import Ear, word_error_rate
from benchmarks.two_voice.likeness import Likeness
from benchmarks.two_voice.manifest import Clip, Manifest, Rejected, Role, write_manifest
from benchmarks.two_voice.mix import GAP_MEAN_S, GAP_SD_S, RATE_HZ, Samples, draw_gap_s, one_voice, two_voices
from benchmarks.two_voice.strategy import Case, Scenario, Strategy
from benchmarks.two_voice.voices import Synthesiser

ENROLMENT_LINES = (
    "Hello, yes, this is me speaking. Thank you for calling me back today, I was waiting for it.",
    "I am sitting in my kitchen at the moment and I have a little time, so please go ahead with your questions.",
)
SHORT_LINES = {"no": "No.", "yes": "Yes.", "two": "Two.", "stop": "Stop, please, wait a moment."}
TRIES = 3
"""Pairs of voices tried for a case before it is left out."""


@dataclass(frozen=True, slots=True)
class BuildSettings:
    """How a set is built.

    Parameters:
        seed: Of every draw.
        gap_mean_s: Mean gap between the voices, seconds; negative is overlap.
        gap_sd_s: Its standard deviation.
        word_error_rate_max: A case is taken when each of its lines alone is heard at most this wrong.
        limit: Most cases, evenly over the strategy; 0 takes all.
    """

    seed: int = 20260525
    gap_mean_s: float = GAP_MEAN_S
    gap_sd_s: float = GAP_SD_S
    word_error_rate_max: float = 0.25
    limit: int = 0


@dataclass(slots=True)
class Builder:
    """Builds one set into one folder.

    Args:
        strategy: The cases.
        digest: SHA-256 of the strategy file.
        synthesiser: Who speaks.
        ear: Checks what was spoken; None checks nothing, and the manifest says so.
        out: Folder of the set.
        settings: How.
        tell: Called with a line of progress.
        likeness: Refuses pairs of voices liker than two people are; None draws from all, and the manifest says so.
    """

    strategy: Strategy
    digest: str
    synthesiser: Synthesiser
    ear: Ear | None
    out: Path
    settings: BuildSettings = field(default_factory=BuildSettings)
    tell: Callable[[str], None] = lambda line: None
    likeness: Likeness | None = None
    _said: dict[tuple[str, str], Samples] = field(default_factory=dict[tuple[str, str], Samples])
    _clips: list[Clip] = field(default_factory=list[Clip])
    _rejected: list[Rejected] = field(default_factory=list[Rejected])

    def build(self) -> Manifest:
        """Render, check, mix and write.

        Raises:
            CallerError: Fewer than two voices, or no case was accepted.
        """
        if len(self.synthesiser.voices) < 2:
            raise CallerError("a two-voice set needs two different voices")
        cases = self.strategy.cases()
        if self.settings.limit:
            cases = cases[:: max(1, len(cases) // self.settings.limit)][: self.settings.limit]
        for name, scenario, case in cases:
            self._case(name, scenario, case)
            self.tell(f"{name}: {self._rejected[-1].why if self._left_out(name) else 'built'}")
        if not any(clip.role is Role.TWO_VOICES for clip in self._clips):
            raise CallerError("no case was accepted; raise --wer-max or try other voices")
        for voice in sorted({clip.voice for clip in self._clips if clip.role is Role.TWO_VOICES}):
            self._of_voice(voice)
        manifest = self._manifest()
        write_manifest(self.out, manifest)
        return manifest

    def _left_out(self, name: str) -> bool:
        return bool(self._rejected) and self._rejected[-1].case == name

    def _case(self, name: str, scenario: Scenario, case: Case) -> None:
        why = ""
        for attempt in range(TRIES):
            rng = np.random.default_rng([self.settings.seed, _number(name), attempt])
            voices, score = self._draw(rng)
            if not voices:
                why = "no two voices that could be two people's"
                continue
            lines = (self._say(case.primary, voices[0]), self._say(case.third_party, voices[1]))
            heard = [self._heard(line) for line in lines]
            wrong = [word_error_rate(t, h) for t, h in zip((case.primary, case.third_party), heard, strict=True)]
            worst = max((rate for rate in wrong if rate is not None), default=None)
            if worst is None or worst <= self.settings.word_error_rate_max:
                checked = {"heard_as": tuple(h or "" for h in heard), "word_error_rate": worst, "alike": score}
                self._write_case(name, scenario, case, voices, rng, checked)
                return
            why = f"heard wrong by {worst:.2f} of its words, {attempt + 1} pairs of voices tried"
        self._rejected.append(Rejected(case=name, why=why))

    def _draw(self, rng: np.random.Generator) -> tuple[list[str], float | None]:
        """The patient's voice and, of the others in drawn order, the first that could be another person's."""
        first, *others = [self.synthesiser.voices[i] for i in rng.permutation(len(self.synthesiser.voices))]
        if self.likeness is None:
            return [first, others[0]], None
        for second in others:
            score, one_voice_only = self.likeness.alike(first, second, self._enrolment)
            if not one_voice_only:
                return [first, second], score
        return [], None

    def _enrolment(self, voice: str) -> Samples:
        return np.concatenate([self._say(line, voice) for line in ENROLMENT_LINES])

    def _write_case(
        self,
        name: str,
        scenario: Scenario,
        case: Case,
        voices: Sequence[str],
        rng: np.random.Generator,
        checked: dict[str, object],
    ) -> None:
        first, second = self._say(case.primary, voices[0]), self._say(case.third_party, voices[1])
        mixed = two_voices(first, second, draw_gap_s(rng, self.settings.gap_mean_s, self.settings.gap_sd_s))
        twin = one_voice(first, self._say(case.third_party, voices[0]))
        actionable = self.strategy.kinds[case.kind].actionable
        about = {
            "case": name,
            "scenario": scenario.id,
            "category": scenario.category,
            "kind": case.kind,
            "timing": case.timing.value,
            "primary": case.primary,
            "third_party": case.third_party,
            "voice": voices[0],
        }
        both = f"{case.primary} {case.third_party}"
        marked = {"actionable": actionable, "other_voice": voices[1], **checked}
        stem = f"{name}_{scenario.id}_{case.timing.value}"
        side = "actionable" if actionable else "ignorable"
        times = {"onset_s": round(mixed.onset_s, 3), "primary_end_s": round(mixed.first_end_s, 3)}
        overlap = {"overlap_s": round(mixed.overlap_s, 3)}
        two = {"role": Role.TWO_VOICES, "text": both, **about, **marked, **times, **overlap}
        self._write(f"two_voice/{scenario.category}/{scenario.id}/{stem}", mixed.samples, two)
        alone = {"onset_s": round(twin.onset_s, 3), "primary_end_s": round(twin.first_end_s, 3)}
        self._write(f"twins/{side}/janus/{stem}", twin.samples, {"role": Role.TWIN, "text": both, **about, **alone})
        self._write(f"parts/{name}_primary", first, {"role": Role.PRIMARY, "text": case.primary, **about})
        others = {**about, "voice": voices[1], "actionable": actionable}
        self._write(f"parts/{name}_third_party", second, {"role": Role.THIRD_PARTY, "text": case.third_party, **others})
        if name.endswith("-1"):
            spoken = self._say(scenario.hard_negative, voices[0])
            hard = {"role": Role.HARD_NEGATIVE, "text": scenario.hard_negative, "voice": voices[0]}
            placed = {"case": name, "scenario": scenario.id, "category": scenario.category}
            self._write(f"hard_negatives/{scenario.id}", spoken, {**hard, **placed})

    def _of_voice(self, voice: str) -> None:
        for number, line in enumerate(ENROLMENT_LINES, start=1):
            spoken = {"role": Role.ENROLMENT, "text": line, "voice": voice}
            self._write(f"voices/{voice}/enrolment-{number}", self._say(line, voice), spoken)
        for name, line in SHORT_LINES.items():
            spoken = {"role": Role.SHORT, "text": line, "voice": voice}
            self._write(f"voices/{voice}/{name}", self._say(line, voice), spoken)

    def _say(self, text: str, voice: str) -> Samples:
        if (text, voice) not in self._said:
            self._said[text, voice] = self.synthesiser.say(text.removesuffix("..."), voice)
        return self._said[text, voice]

    def _heard(self, samples: Samples) -> str | None:
        return None if self.ear is None else (self.ear.hear(samples, self.strategy.language) or "")

    def _write(self, stem: str, samples: Samples, about: dict[str, object]) -> None:
        import soundfile

        path = self.out / f"{stem}.flac"
        path.parent.mkdir(parents=True, exist_ok=True)
        soundfile.write(path, samples, RATE_HZ, subtype="PCM_16")
        if about["role"] in (Role.TWO_VOICES, Role.TWIN):
            lines = f"First Speaker: {about['primary']}\nSecond Speaker: {about['third_party']}\n"
            path.with_suffix(".txt").write_text(lines, encoding="utf-8")
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        clip = {**about, "path": f"{stem}.flac", "sha256": digest, "seconds": round(len(samples) / RATE_HZ, 3)}
        self._clips.append(Clip.model_validate(clip))

    def _manifest(self) -> Manifest:
        return Manifest(
            strategy=self.strategy.name,
            strategy_sha256=self.digest,
            language=self.strategy.language,
            seed=self.settings.seed,
            overlap_mean_s=self.settings.gap_mean_s,
            overlap_sd_s=self.settings.gap_sd_s,
            word_error_rate_max=self.settings.word_error_rate_max,
            synthesiser=self.synthesiser.name,
            recogniser=self.ear.name if self.ear is not None else "",
            likeness=self.likeness.name if self.likeness is not None else "",
            clips=tuple(self._clips),
            rejected=tuple(self._rejected),
        )


def _number(name: str) -> int:
    """A case's own number for its draws, from its id."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:4], "big")
