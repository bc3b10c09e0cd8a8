"""Delivery: are the words we say were heard the words the carrier played, and how does stock Pipecat do beside us?

Owns the figures of ``eval delivery``; explained in docs/metrics/delivery.md. No data is needed: it makes its own calls.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from benchmarks.errors import BadOption
from benchmarks.evals.delivery_trial import Engine, Line, Trial, piper_engine, run_trial, scripted_engine
from benchmarks.figures import EvalOptions, Figure, GroupValue, rate
from benchmarks.quiet import quiet
from pipecat_interrupt.testing import TTS_SHAPES

KIND = "delivery"
NEEDS_DATA = False
OPTIONS = ("voice", "cuts", "buffer-s", "jitter-s")
PACKAGES = ("numpy", "num2words", "rapidfuzz")

CUTS = 240
BUFFER_S = 1.0
JITTER_S = 0.3
RESAMPLES = 2000
VOICES: dict[str, Callable[[], Engine]] = {"scripted": scripted_engine, "piper": piper_engine}
LANGUAGES = {"scripted": ("en", "pt-PT"), "piper": ("en",)}

LINES = (
    Line(
        "Take one tablet every morning with a glass of water, and do not drink grapefruit juice during the treatment. "
        "If you feel dizzy or faint, sit down and call us at once."
    ),
    Line(
        "After the operation, keep the eye shield on while you sleep for the first 7 nights. Do not rub or press the "
        "eye, and keep soap and water out of it for 2 weeks. If the pain gets worse or your sight drops, phone the "
        "clinic the same day."
    ),
    Line(
        "Weigh yourself every morning before breakfast and write the number down. If you gain more than 2 kilograms in "
        "3 days, or your ankles swell, please ring the heart failure nurse."
    ),
    Line(
        "You can use paracetamol for the pain, up to 4 grams in 24 hours, but please avoid ibuprofen because it can "
        "harm your kidneys while you take this medicine."
    ),
    Line(
        "Before we finish, I have to tell you what would make this urgent: chest pain, trouble breathing, a swollen "
        "and painful calf, or coughing up blood. In any of those cases, call an ambulance and do not wait for us."
    ),
    Line(
        "Your next appointment is on Thursday at half past nine in the morning, on the second floor of the north "
        "building. Please bring the letter, your tablets and someone who can take you home."
    ),
    Line(
        "The drops go in four times a day for the first week, then three times a day for the second week, and twice a "
        "day until the bottle is empty. Shake the bottle first, and wait 5 minutes between two kinds of drops."
    ),
    Line(
        "Keep the dressing dry for 48 hours. After that you may shower, but pat the wound dry and do not put any cream "
        "on it. Redness that spreads, heat, or a bad smell means that we should look at it today."
    ),
    Line(
        "I would like to ask how your breathing has been since you left the hospital. Do you get short of breath when "
        "you lie flat, or do you wake at night and need to sit up?"
    ),
    Line(
        "This is an automated call from the clinic, and the call is recorded so that a nurse can check it afterwards. "
        "You can ask for a person at any time, just say the word nurse."
    ),
    Line(
        "Please do not stop the blood thinner on your own, even if you feel well. If you miss a dose, take it as soon "
        "as you remember on the same day, but never take two doses together."
    ),
    Line(
        "It is quite usual that light feels bright and that the eye waters a little in the first days. Sunglasses "
        "help. What is not usual is a sudden shower of dark spots, flashes of light, or a shadow that comes in from "
        "the side."
    ),
    Line(
        "Try to walk for a few minutes every hour, lift your heels 10 times while you sit, and drink enough. Long "
        "sitting with bent knees is what we want to avoid in the first 6 weeks after the new hip."
    ),
    Line(
        "The nurse has noted that you take warfarin, so we would like to check your blood on Monday. Until then, "
        "please keep to the same dose in the evening and tell us about any nosebleed that lasts longer than 10 minutes."
    ),
    Line(
        "Tome um comprimido todas as manhãs com um copo de água e não beba sumo de toranja durante o tratamento. Se "
        "sentir tonturas, sente-se e ligue-nos logo.",
        "pt-PT",
    ),
    Line(
        "Depois da operação, use o protetor no olho enquanto dorme nas primeiras 7 noites. Não esfregue o olho e evite "
        "água e sabão durante 2 semanas. Se a dor piorar ou a visão baixar, telefone para a clínica no mesmo dia.",
        "pt-PT",
    ),
    Line(
        "Pese-se todas as manhãs antes do pequeno-almoço e escreva o número. Se aumentar mais de 2 quilos em 3 dias, "
        "ou se os tornozelos incharem, ligue por favor à enfermeira.",
        "pt-PT",
    ),
)
"""Own wording in the style of discharge calls; not clinically reviewed."""


@quiet()
def run(options: EvalOptions) -> list[Figure]:
    """Measure word precision and recall of heard words, ours and stock, for every shape of voice.

    Args:
        options: `voice` (scripted or piper), `cuts` a shape (at least 1), `buffer-s`, `jitter-s`.
    """
    voice = str(options.extra.get("voice", "scripted"))
    if voice not in VOICES:
        raise BadOption(f"unknown voice {voice!r}; one of {', '.join(VOICES)}")
    cuts = options.whole("cuts", CUTS)
    buffer_s = options.number("buffer-s", BUFFER_S)
    jitter_s = options.number("jitter-s", JITTER_S)
    if cuts < 1 or buffer_s < 0 or jitter_s < 0:
        raise BadOption("cuts must be at least 1, buffer-s and jitter-s must not be negative")
    engine = VOICES[voice]()
    lines = [line for line in LINES if line.language in LANGUAGES[voice]]
    trials = [
        run_trial(
            lines[number % len(lines)],
            shape,
            engine,
            seed=options.seed + number,
            buffer_s=buffer_s,
            jitter_s_max=jitter_s,
        )
        for shape in TTS_SHAPES
        for number in range(cuts)
    ]
    return figures_of(trials, seed=options.seed)


def figures_of(trials: Sequence[Trial], *, seed: int) -> list[Figure]:
    """Put the trials together: overall, by system, by shape and system, by language."""
    figures = _of_system(trials, "ours", {}, seed)
    figures += [f for s in ("ours", "stock") for f in _of_system(trials, s, {"system": s}, seed)]
    for shape in TTS_SHAPES:
        of_shape = [t for t in trials if t.tts == shape]
        for system in ("ours", "stock"):
            figures += _of_system(of_shape, system, {"tts": shape, "system": system}, seed)
        figures.append(_bound_kept(of_shape, {"tts": shape, "system": "ours"}))
    for language in sorted({t.language for t in trials}):
        of_language = [t for t in trials if t.language == language]
        figures += _of_system(of_language, "ours", {"lang": language, "system": "ours"}, seed)
    lags = sorted(t.lag_s for t in trials if t.lag_s is not None)
    if lags:
        figures.append(Figure(name="playout_lag_s_median", value=lags[len(lags) // 2], n=len(lags)))
    late = sum(t.late_marks for t in trials)
    figures.append(Figure(name="marks_returned_after_clear", value=late, n=len(trials)))
    return figures


def _counted(trial: Trial, system: str) -> int:
    return trial.ours_words if system == "ours" else trial.stock_words


def _of_system(trials: Sequence[Trial], system: str, group: dict[str, GroupValue], seed: int) -> list[Figure]:
    counted = np.array([_counted(t, system) for t in trials])
    heard = np.array([t.heard_words for t in trials])
    begun = np.array([t.begun_words for t in trials])
    right = np.minimum(counted, heard)
    cleared = int(np.maximum(0, counted - begun).sum())
    return [
        _ratio("word_precision", right, counted, group, seed),
        _ratio("word_recall", right, heard, group, seed),
        Figure(name="cleared_words_counted", value=cleared, n=int(counted.sum()), group=group),
    ]


def _ratio(name: str, top: np.ndarray, bottom: np.ndarray, group: dict[str, GroupValue], seed: int) -> Figure:
    """Give a ratio of sums with a bootstrap interval over cuts: the words of one cut are not independent."""
    total = int(bottom.sum())
    if not total:
        return Figure(name=name, value=None, n=0, group=group)
    picks = np.random.default_rng(seed).integers(0, len(top), (RESAMPLES, len(top)))
    sums = bottom[picks].sum(axis=1)
    ratios = top[picks].sum(axis=1)[sums > 0] / sums[sums > 0]
    low, high = np.percentile(ratios, [2.5, 97.5])
    value = float(top.sum() / total)
    return Figure(
        name=name, value=value, low=min(float(low), value), high=max(float(high), value), n=total, group=group
    )


def _bound_kept(trials: Sequence[Trial], group: dict[str, GroupValue]) -> Figure:
    kept = sum(t.heard_words <= t.ours_words + t.ours_bound_words for t in trials)
    return rate("bound_kept_rate", kept, len(trials), group)
