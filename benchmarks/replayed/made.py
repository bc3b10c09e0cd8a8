"""Made stereo calls of known truth: which obligations were really lost, and which does the replay say were lost?

Owns the making of calls (an agent working through a bundled pathway, cut at random, returning or not) and the counting.
The sound is made, channels and rates vary, and the recogniser is a stand-in that knows the words: told with jittered
times, with words broken off at a cut made whole half of the time, and in a second run with errors learned from real
transcript pairs.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import soundfile

from benchmarks.figures import Figure, GroupValue, rate
from benchmarks.training.overlaps.noise import RecogniserNoise, learn_noise
from obligations.pathway import Pathway, load_pathway
from obligations.pathway.models import Group, OnFaq, Question
from pipecat_interrupt.replay.calls import ReplayedCall, replay_files
from pipecat_interrupt.replay.inputs import CallInput
from pipecat_interrupt.replay.sound import read_sound
from pipecat_interrupt.replay.values import RATE_HZ, Samples, Word
from pipecat_interrupt.testing.voice import AGENT, PATIENT, Speech, Voice
from pipecat_interrupt.testing.voice import speech as spoken

PATHWAY = "cataract-followup"
CUT_RATE, LISTEN_RATE, SKIP_RATE, RETURN_RATE, FAQ_RATE = 0.35, 0.15, 0.08, 0.5, 0.6
JITTER_S = 0.05
COMPLETED_RATE = 0.5
RECORDINGS = ((8000, "ULAW"), (8000, "PCM_16"), (16000, "PCM_16"), (44100, "PCM_16"))
SWAPPED_RATE = 0.3
CUTS = (
    "Sorry, there is somebody at the door.",
    "Wait, I need to find my glasses first.",
    "I do not want to hear that.",
)
ANSWERS = ("No, not at all.", "No.", "No, nothing like that.")
LISTENING = ("Mm-hmm.", "Okay.", "Right.")


@cache
def speech(text: str, voice: Voice, rate_hz: int = RATE_HZ) -> Speech:
    """Make the sound of a text; the pathway's wordings come again and again."""
    return spoken(text, voice, rate_hz)


@dataclass(frozen=True, slots=True)
class Said:
    """Something said on one channel; `stop_s` is where its sound ends early."""

    start_s: float
    text: str
    voice: Voice
    stop_s: float | None = None


@dataclass(slots=True)
class MadeCall:
    """One call: what is said, and which obligations were heard."""

    agent: list[Said] = field(default_factory=list)
    far: list[Said] = field(default_factory=list)
    owed: set[str] = field(default_factory=set)
    heard: set[str] = field(default_factory=set)
    now_s: float = 0.5


def loss_figures(calls: int, seed: int, errors: Path, words: str = "both") -> list[Figure]:
    """Replay made calls with a recogniser that is right, and a fifth as many with one that errs; count losses found.

    Args:
        calls: How many with right words.
        seed: Of everything random.
        errors: Folder from which the errors are learned.
        words: "both", or "right" or "errors" alone.
    """
    noise = learn_noise(errors) if errors.is_dir() else None
    kinds: list[tuple[str, RecogniserNoise | None, int]] = [("true words", None, calls)]
    if noise is not None:
        kinds.append(("with errors", noise, max(1, calls // 5)))
    kinds = [kind for kind in kinds if words == "both" or (words == "right") is (kind[1] is None)]
    out: list[Figure] = []
    for name, errs, count in kinds:
        counts: Counter[str] = Counter()
        with TemporaryDirectory() as place:
            for index in range(count):
                counts.update(_one(index, seed, errs, Path(place)))
        group: dict[str, GroupValue] = {"recogniser": name}
        found, false, missed = counts["found"], counts["false"], counts["missed"]
        lost = found + missed + counts["unclear and lost"]
        unclear = counts["unclear and lost"] + counts["unclear and heard"]
        kept = counts["owed"] - lost
        out += [
            rate("loss_precision", found, found + false, group),
            rate("loss_recall", found, found + missed, group),
            rate("unclear_share", unclear, counts["owed"], group),
            rate("unclear_share_of_lost", counts["unclear and lost"], lost, group),
            rate("unclear_share_of_heard", counts["unclear and heard"], kept, group),
            rate("unclear_critical_listed_rate", counts["listed"], counts["critical unclear"], group),
            rate("loss_recall_unclear_missed", found, lost, group),
            rate("agent_channel_right_rate", counts["channel"], count, group),
            Figure(name="owed_items", value=float(counts["owed"]), n=count, group=group),
        ]
    return out


def _one(index: int, seed: int, noise: RecogniserNoise | None, place: Path) -> Counter[str]:
    rng = random.Random(f"{seed} {index}")
    pathway = load_pathway(PATHWAY)
    call = make_call(pathway, rng)
    path = place / f"{index}.wav"
    swapped = write_call(call, path, rng)
    ear = KnowingEar(path, call, swapped, noise, random.Random(f"{seed} {index} ear"))
    done = replay_files(CallInput(path.stem, path), pathway, recogniser=lambda: ear)
    path.unlink()
    counts = count_losses(call, done)
    counts["channel"] += int(done.timeline.agent_audio is not None and _is_agent(done.timeline.agent_audio, call))
    return counts


def count_losses(call: MadeCall, done: ReplayedCall) -> Counter[str]:
    """Count what the replay says of each owed item against the truth; an unclear item is on neither side.

    `listed`: of the critical unclear items, those that the hand-off holds open with a moment to listen at.
    """
    outcomes = {row.id: row.outcome for row in done.result.obligations}
    held = {item.item_id for item in done.handoff.open_items if "listen at" in item.detail} if done.handoff else set()
    counts: Counter[str] = Counter(owed=len(call.owed))
    for item_id in call.owed:
        truly, outcome = item_id not in call.heard, outcomes.get(item_id)
        if outcome == "unclear":
            counts["unclear and lost" if truly else "unclear and heard"] += 1
        elif truly or outcome == "lost":
            counts["found" if truly and outcome == "lost" else "missed" if truly else "false"] += 1
    for row in done.result.unclear:
        if row.critical:
            counts["critical unclear"] += 1
            counts["listed"] += row.id in held and row.listen_at_s is not None
    return counts


def make_call(pathway: Pathway, rng: random.Random) -> MadeCall:
    """Make one call with the pathway's own wording."""
    call = MadeCall()
    phrases = pathway.phrases["en"]
    faqs = [group for group in pathway.groups if isinstance(group.trigger, OnFaq)]
    for group in pathway.groups:
        if isinstance(group.trigger, OnFaq):
            continue
        if not hasattr(group.trigger, "phase"):
            continue  # waits for an answer that nobody gives here
        call.owed |= {item.id for item in group.items}
        if all(not isinstance(item, Question) for item in group.items):
            greeting = phrases.greeting if not call.agent else ""
            _say(call, pathway, [item.id for item in group.items], greeting, rng)
            continue
        for item in group.items:
            if rng.random() < SKIP_RATE:
                continue
            _ask(call, pathway, item.id, rng)
            if faqs and rng.random() < FAQ_RATE:
                _faq(call, pathway, faqs.pop(0), rng)
    _utter(call, phrases.goodbye, None)
    return call


def _faq(call: MadeCall, pathway: Pathway, group: Group, rng: random.Random) -> None:
    assert isinstance(group.trigger, OnFaq)
    call.owed |= {item.id for item in group.items}
    _reply(call, group.trigger.examples["en"][0])
    _say(call, pathway, [item.id for item in group.items], "I can help with that.", rng)


def _ask(call: MadeCall, pathway: Pathway, item_id: str, rng: random.Random) -> None:
    _say(call, pathway, [item_id], "", rng)
    if item_id in call.heard:
        _reply(call, rng.choice(ANSWERS))


def _say(call: MadeCall, pathway: Pathway, item_ids: Sequence[str], lead_in: str, rng: random.Random) -> None:
    """Say items once; a cut may follow, and after it the agent comes back to them or not."""
    drawn = rng.random()
    how = "cut" if drawn < CUT_RATE else "listen" if drawn < CUT_RATE + LISTEN_RATE else "plain"
    left = _utter_items(call, pathway, item_ids, lead_in, how, rng)
    if left and rng.random() < RETURN_RATE:
        _utter_items(call, pathway, left, "Let me finish what I was saying.", "plain", rng)


def _utter_items(
    call: MadeCall, pathway: Pathway, item_ids: Sequence[str], lead_in: str, how: str, rng: random.Random
) -> list[str]:
    wordings = [pathway.items[i].wording["en"] for i in item_ids]
    text = " ".join([lead_in, *wordings]).strip()
    words = speech(text, AGENT).words
    stop_s = None
    if how != "plain":
        word = words[rng.randrange(1, len(words) - 1)]
        onset_s = call.now_s + (word.start_s + word.end_s) / 2
        far = rng.choice(CUTS if how == "cut" else LISTENING)
        call.far.append(Said(onset_s, far, PATIENT))
        if how == "cut":
            stop_s = onset_s - call.now_s + rng.uniform(0.15, 0.6)
    heard_chars = _chars_until(text, [w.end_s for w in words], stop_s)
    for item_id, wording in zip(item_ids, wordings, strict=True):
        if _needed_until(pathway, item_id, text.index(wording)) <= heard_chars:
            call.heard.add(item_id)
    _utter(call, text, stop_s)
    return [item_id for item_id in item_ids if item_id not in call.heard]


def _needed_until(pathway: Pathway, item_id: str, at: int) -> int:
    """The character up to which an item must be heard: a question to the end of its focus, a point to its own end."""
    item = pathway.items[item_id]
    wording = item.wording["en"]
    if isinstance(item, Question):
        focus = item.focus["en"]
        return at + wording.index(focus) + len(focus)
    return at + len(wording.rstrip(".?!"))


def _chars_until(text: str, ends_s: Sequence[float], stop_s: float | None) -> int:
    chars, reached = 0, 0
    for word, end_s in zip(text.split(), ends_s, strict=True):
        chars += len(word) + (1 if chars else 0)
        if stop_s is None or end_s <= stop_s:
            reached = chars
    return reached


def _utter(call: MadeCall, text: str, stop_s: float | None) -> None:
    length_s = speech(text, AGENT).duration_s if stop_s is None else stop_s
    call.agent.append(Said(call.now_s, text, AGENT, stop_s))
    last_far_s = max((s.start_s + speech(s.text, s.voice).duration_s for s in call.far), default=0.0)
    call.now_s = max(call.now_s + length_s, last_far_s) + 1.0


def _reply(call: MadeCall, text: str) -> None:
    call.far.append(Said(call.now_s, text, PATIENT))
    call.now_s += speech(text, PATIENT).duration_s + 0.9


def write_call(call: MadeCall, path: Path, rng: random.Random) -> bool:
    """Write the recording; True when the agent is on the left."""
    rate_hz, subtype = rng.choice(RECORDINGS)
    swapped = rng.random() < SWAPPED_RATE
    noise = np.random.default_rng(rng.getrandbits(32))
    channels = [_channel(said, call.now_s + 1.0, rate_hz, noise) for said in (call.far, call.agent)]
    soundfile.write(path, np.stack(channels[::-1] if swapped else channels, axis=1), rate_hz, subtype=subtype)
    return swapped


def _channel(said: Sequence[Said], seconds: float, rate_hz: int, noise: np.random.Generator) -> np.ndarray:
    out = noise.normal(0.0, 0.001, int(seconds * rate_hz))
    for one in said:
        clip = speech(one.text, one.voice, rate_hz).samples.astype(np.float64) / 32768.0
        if one.stop_s is not None:
            clip = clip[: int(one.stop_s * rate_hz)]
        low = int(one.start_s * rate_hz)
        out[low : low + len(clip)] += clip[: len(out) - low]
    return np.clip(out, -1.0, 1.0).astype(np.float32)


class KnowingEar:
    """A stand-in recogniser that knows what was said where on a made recording, and tells it imperfectly."""

    name = "stand-in"

    def __init__(
        self, path: Path, call: MadeCall, swapped: bool, noise: RecogniserNoise | None, rng: random.Random
    ) -> None:
        sound = read_sound(path)
        sides = (call.agent, call.far) if swapped else (call.far, call.agent)
        self._channels = [channel.astype(np.int32) for channel in sound.channels]
        self._words = [_told(side, noise, rng) for side in sides]

    def hear(self, samples: np.ndarray, language: str | None) -> Sequence[Word]:
        """Give the words whose middle lies in these samples, on their own clock."""
        for channel, words in zip(self._channels, self._words, strict=True):
            at = _found_at(channel, samples)
            if at is not None:
                low_s, high_s = at / RATE_HZ, (at + len(samples)) / RATE_HZ
                inside = [w for w in words if low_s <= (w.start_s + w.end_s) / 2 < high_s]
                return [Word(w.text, max(0.0, w.start_s - low_s), max(0.0, w.end_s - low_s)) for w in inside]
        return []


def _told(side: Sequence[Said], noise: RecogniserNoise | None, rng: random.Random) -> list[Word]:
    words: list[tuple[float, float, str]] = []
    for said in side:
        for word in speech(said.text, said.voice).words:
            start_s, end_s = said.start_s + word.start_s, said.start_s + word.end_s
            stop_s = None if said.stop_s is None else said.start_s + said.stop_s
            if stop_s is not None and end_s > stop_s:
                if start_s < stop_s - 0.08 and rng.random() < COMPLETED_RATE:
                    words.append((start_s, stop_s, word.text))
                break
            words.append((start_s, end_s, word.text))
    told = noise.perturb(tuple(words), rng) if noise is not None else tuple(words)
    jittered = [(max(0.0, a + rng.gauss(0, JITTER_S)), b + rng.gauss(0, JITTER_S), text) for a, b, text in told]
    return [Word(text, a, max(a, b)) for a, b, text in jittered]


def _found_at(channel: np.ndarray, samples: np.ndarray) -> int | None:
    wanted = np.rint(samples * 32768.0).astype(np.int32)
    peak = int(np.argmax(np.abs(wanted)))
    for hit in np.flatnonzero(channel == wanted[peak]):
        low = int(hit) - peak
        if low >= 0 and np.array_equal(channel[low : low + len(wanted)], wanted):
            return low
    return None


def _is_agent(audio: Samples, call: MadeCall) -> bool:
    """Whether the channel taken for the agent's sounds when the agent speaks first and the far end is silent."""
    first = call.agent[0]
    low = int(first.start_s * RATE_HZ)
    return float(np.abs(audio[low : low + RATE_HZ].astype(np.float64)).mean()) > 200.0
