"""What the English floor model looks at: words so far, their timing, and where the agent is.

Owns the names of features; the weights belong to these names. Training and live inference call the same function, so a
change here needs a new training (the weights file names the version).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pipecat_interrupt.overlap.evidence import CallerBefore
from pipecat_interrupt.overlap.tokens import tokens

FEATURES_VERSION = 1

LISTENING = frozenset(
    "<mhm> <hm> yeah okay right yep oh yes ah aha sure alright huh true exactly good great cool".split()
)
"""Words that mostly listen in English: a coarse class beside the words themselves."""

_AFFIRMING_HUM = re.compile(r"m+h+[mhu]*|u*m+h+u?m+h*|u+h+h+u+[hn]*|a+h+h*a+")
_PLAIN_HUM = re.compile(r"h*m{2,}h*|h+m+(h+m+)*|n{2,}|h+u+n+h*|m|h+u+m+")
_SPELLING = {
    "ok": "okay",
    "k": "okay",
    "okey": "okay",
    "yea": "yeah",
    "yah": "yeah",
    "ya": "yeah",
    "yup": "yep",
    "cuz": "because",
    "cause": "because",
    "uhm": "um",
    "er": "uh",
    "erm": "um",
    "ohh": "oh",
    "wanna": "want",
    "gonna": "going",
}
_DURATION_EDGES_S = (0.1, 0.16, 0.22, 0.28, 0.36, 0.46, 0.6)
_COUNT_EDGES = (0, 1, 2, 4, 7, 12, 20)


@dataclass(frozen=True, slots=True)
class FloorView:
    """What is known at one moment, in the form the features want.

    Parameters:
        words: Plain words so far, in order (see `canonical`).
        first_word_s: Length of the first word; None when the recogniser gives no times.
        last_word_s: Length of the last known word; None likewise.
        since_onset_s: Seconds since the onset.
        voiced_s: Seconds of voice among them; None when unknown.
        since_word_s: Seconds since the last known word ended; None when unknown.
        voice_on: Whether the voice goes on; None when nobody knows.
        said: The agent's utterance so far.
        unsaid: The rest of it.
        before: The caller's overlap before this one.
    """

    words: tuple[str, ...]
    first_word_s: float | None = None
    last_word_s: float | None = None
    since_onset_s: float = 0.0
    voiced_s: float | None = None
    since_word_s: float | None = None
    voice_on: bool | None = None
    said: str = ""
    unsaid: str = ""
    before: CallerBefore | None = None


def canonical(word: str) -> tuple[str, ...]:
    """One recognised word in the model's spelling; hums become `<mhm>` (affirming) or `<hm>`, "O.K." becomes "okay"."""
    plain = word.strip("<>").lower()
    if not re.search(r"\w-$", plain):
        bare = re.sub(r"[^a-z]", "", plain)
        if _AFFIRMING_HUM.fullmatch(bare):
            return ("<mhm>",)
        if _PLAIN_HUM.fullmatch(bare):
            return ("<hm>",)
    return tuple(_SPELLING.get(token, token) for token in tokens(plain))


def canonical_words(words: Sequence[str]) -> tuple[str, ...]:
    """Several words in the model's spelling; letters spelt apart ("M M H H M") are one hum."""
    joined = " ".join(words)
    if re.fullmatch(r"(?:[mhMH][\s._]+)+[mhMH]\.?", joined):
        return ("<mhm>",)
    return tuple(token for word in words for token in canonical(word))


def listens_only(words: Sequence[str]) -> bool:
    """Whether these recognised words do nothing but listen, by the model's own coarse class."""
    plain = canonical_words(words)
    return bool(plain) and all(word in LISTENING for word in plain)


def _step(value: float, edges: Sequence[float]) -> int:
    return sum(value > edge for edge in edges)


def features(view: FloorView) -> dict[str, float]:
    """Name what is seen; binary features are 1.0."""
    found: dict[str, float] = {}
    _words(view, found)
    _timing(view, found)
    _position(view, found)
    _before(view, found)
    return found


def _words(view: FloorView, found: dict[str, float]) -> None:
    words = view.words
    count = len(words)
    found[f"n={min(count, 6)}"] = 1.0
    found["n"] = min(count, 8) / 4
    if not words:
        return
    found[f"w1={words[0]}"] = 1.0
    found[f"first={' '.join(words[:3])}{'' if count > 3 else ' $'}"] = 1.0
    found[f"last={words[-1]}"] = 1.0
    for word in set(words):
        found[f"u={word}"] = 1.0
    if count > 1:
        found[f"w2={words[1]}"] = 1.0
        found[f"w12={words[0]} {words[1]}"] = 1.0
    content = sum(word not in LISTENING for word in words)
    found[f"content={min(content, 4)}"] = 1.0
    found[f"listening={count - content if count < 5 else 9} of {min(count, 5)}"] = 1.0
    if words[-1].endswith("-"):
        found["broken"] = 1.0


def _timing(view: FloorView, found: dict[str, float]) -> None:
    words = view.words
    alone = words[0] if len(words) == 1 else f"+{min(len(words), 3)}"
    listens = bool(words) and all(word in LISTENING for word in words)
    if view.voice_on is not None:
        on = int(view.voice_on)
        found[f"on={on}"] = 1.0
        found[f"on={on} {alone}"] = 1.0
        found[f"on={on} listens={int(listens)}"] = 1.0
        if view.since_word_s is not None:
            found[f"since={on} {_step(view.since_word_s, (0.05, 0.12, 0.2, 0.3, 0.39))}"] = 1.0
    if view.first_word_s is not None and words:
        step = _step(view.first_word_s, _DURATION_EDGES_S)
        found[f"d1={step}"] = 1.0
        found["d1"] = min(view.first_word_s, 1.0)
        if words[0] in LISTENING or words[0] in {"so", "well", "um", "uh", "but", "and", "or", "i", "no"}:
            found[f"d1={step} {words[0]}"] = 1.0
    if view.last_word_s is not None and words:
        found[f"dl={_step(view.last_word_s, (0.12, 0.2, 0.3, 0.45))} {words[-1]}"] = 1.0
    if view.voiced_s is not None:
        found["voiced"] = min(view.voiced_s, 3.0)
        if listens:
            found[f"voiced={_step(view.voiced_s, (0.2, 0.35, 0.5, 0.7, 0.9, 1.2))} listens"] = 1.0


def _position(view: FloorView, found: dict[str, float]) -> None:
    said, unsaid = tokens(view.said), tokens(view.unsaid)
    if not said and not unsaid:
        return
    alone = view.words[0] if len(view.words) == 1 else "+"
    found[f"said={_step(len(said), _COUNT_EDGES)}"] = 1.0
    found[f"unsaid={_step(len(unsaid), _COUNT_EDGES)}"] = 1.0
    found[f"unsaid={_step(len(unsaid), (0, 2, 6, 15))} {alone}"] = 1.0
    content = {word for word in view.words if word not in LISTENING}
    if content & set(said[-8:]):
        found["takes up"] = 1.0
    if content & set(unsaid[:8]):
        found["foresees"] = 1.0


def _before(view: FloorView, found: dict[str, float]) -> None:
    if view.before is None:
        return
    alone = view.words[0] if len(view.words) == 1 else "+"
    step = _step(view.before.since_s, (0.3, 0.8, 1.5, 3.0, 6.0, 12.0, 30.0))
    name = f"before={step}{'L' if view.before.listened else 'C'}"
    found[name] = 1.0
    found[f"{name} {alone}"] = 1.0
    found[f"recent={min(view.before.recent, 4)}"] = 1.0
    found[f"recent={min(view.before.recent, 4)} {alone}"] = 1.0
