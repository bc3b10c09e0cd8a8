"""Measures the local models on this machine: speed of voice, ear and picker, word times, and aptness of the picks.

Run alone, from a clone: `python -m benchmarks.rendering.local_models [--llm NAME] [--json]`. Latencies mean nothing
without the load they were measured under, so the load average before and after is part of the result.
"""

from __future__ import annotations

import asyncio
import difflib
import json as json_module
import os
import re
import time
from collections.abc import Sequence
from typing import Annotated

import numpy as np
import typer
from pipecat.services.openai.llm import OpenAILLMService

from benchmarks.figures import Figure, rate
from benchmarks.rendering.local_texts import LINES, REPLIES, SENTENCES
from pipecat_interrupt.demo.clips import clips
from pipecat_interrupt.local import calm_threads
from pipecat_interrupt.local.llm import LocalLLM
from pipecat_interrupt.local.piper_voice import PiperVoiceWithTimes
from pipecat_interrupt.local.whisper_ear import WhisperEar
from pipecat_interrupt.steering import ServiceAcknowledger
from pipecat_interrupt.weights import ensure

RATE_HZ = 16_000
CUTS_PER_SENTENCE = 4
SEED = 20260525


def spread(name: str, values: Sequence[float], group: dict[str, str | float | int | bool] | None = None) -> Figure:
    """A median with the 5th and 95th percentile of the values as its range."""
    low, middle, high = np.percentile(np.asarray(values), [5, 50, 95])
    return Figure(name=name, value=float(middle), low=float(low), high=float(high), n=len(values), group=group or {})


def plain(text: str) -> list[str]:
    """Words without case and punctuation, as two transcripts are compared."""
    return re.sub(r"[^a-z0-9 ]", "", text.lower().replace("-", " ")).split()


def last_word_heard(intended: list[str], heard: list[str]) -> int:
    """How many of the intended words lie before the end of the last one that was heard.

    A lone match far behind the others is a word the ear made up from the cut sound, and is left out.
    """
    matcher = difflib.SequenceMatcher(None, intended, heard, autojunk=False)
    blocks = [m for m in matcher.get_matching_blocks() if m.size]
    while len(blocks) > 1 and blocks[-1].size == 1 and blocks[-1].a - blocks[-2].a - blocks[-2].size > 2:
        blocks.pop()
    return blocks[-1].a + blocks[-1].size if blocks else 0


def measure_voice() -> tuple[list[Figure], list[tuple[str, np.ndarray, list[tuple[str, float]]]]]:
    """Speed of the voice; also the sentences it spoke, for the ear to check."""
    started_s = time.perf_counter()
    voice = PiperVoiceWithTimes(ensure("piper-joe"))
    voice.warm_up()
    load_s = time.perf_counter() - started_s
    first_ms: list[float] = []
    ratios: list[float] = []
    spoken: list[tuple[str, np.ndarray, list[tuple[str, float]]]] = []
    for text in SENTENCES:
        started_s = time.perf_counter()
        (sentence,) = voice.speak(text, RATE_HZ)
        took_s = time.perf_counter() - started_s
        first_ms.append(took_s * 1000)
        ratios.append(took_s / sentence.seconds)
        samples = np.frombuffer(sentence.pcm, np.int16).astype(np.float32) / 32768
        spoken.append((text, samples, list(sentence.words)))
    figures = [
        Figure(name="voice_load_s", value=load_s, n=1),
        spread("voice_sentence_ms", first_ms),
        spread("voice_real_time_factor", ratios),
    ]
    return figures, spoken


def measure_ear(spoken: list[tuple[str, np.ndarray, list[tuple[str, float]]]]) -> list[Figure]:
    """Speed of the ear on the demo clips, and whether it hears cut sentences end where the word times say."""
    started_s = time.perf_counter()
    ear = WhisperEar(ensure("whisper-base"))
    load_s = time.perf_counter() - started_s
    decode_ms: list[float] = []
    for clip in clips().values():
        padded = np.pad(clip.samples().astype(np.float32) / 32768, (RATE_HZ, RATE_HZ // 2))
        started_s = time.perf_counter()
        ear.hear(padded, "en")
        decode_ms.append((time.perf_counter() - started_s) * 1000)
    random = np.random.default_rng(SEED)
    off: list[int] = []
    for text, samples, words in spoken:
        for cut in random.choice(np.arange(2, len(words)), size=min(CUTS_PER_SENTENCE, len(words) - 2), replace=False):
            end = int(words[cut][1] * RATE_HZ)
            heard = ear.hear(np.pad(samples[:end], (RATE_HZ // 2, RATE_HZ)), "en") or ""
            truly = len(plain(" ".join(w for w, _ in words[:cut])))
            off.append(last_word_heard(plain(text), plain(heard)) - truly)
    return [
        Figure(name="ear_load_s", value=load_s, n=1),
        spread("ear_decode_ms", decode_ms),
        rate("cut_heard_at_the_word", sum(d == 0 for d in off), len(off)),
        rate("cut_heard_within_one_word", sum(abs(d) <= 1 for d in off), len(off)),
    ]


async def measure_picker(weights: str) -> list[Figure]:
    """Start-up of the server, and speed and aptness of the picks."""
    started_s = time.perf_counter()
    async with LocalLLM(ensure(weights)) as llm:
        load_s = time.perf_counter() - started_s
        service = OpenAILLMService(
            api_key=llm.api_key,
            base_url=llm.base_url,
            settings=OpenAILLMService.Settings(model=llm.model, temperature=0.0),
        )
        picker, lines = ServiceAcknowledger(service), tuple(LINES.values())
        started_s = time.perf_counter()
        await picker.warm(lines)
        prepare_s = time.perf_counter() - started_s
        took_ms: list[float] = []
        apt: dict[str, int] = {}
        for kind, replies in REPLIES.items():
            apt[kind] = 0
            for reply in replies:
                started_s = time.perf_counter()
                line = await picker.acknowledge(reply, "", lines, "en")
                took_ms.append((time.perf_counter() - started_s) * 1000)
                apt[kind] += line == LINES[kind]
    figures = [
        Figure(name="llm_load_s", value=load_s, n=1),
        Figure(name="picker_prepare_s", value=prepare_s, n=1),
        spread("pick_ms", took_ms),
        rate("pick_in_800_ms", sum(t <= 800 for t in took_ms), len(took_ms)),
        rate("apt_pick_rate", sum(apt.values()), len(took_ms)),
    ]
    figures += [rate("apt_pick_rate", apt[k], len(REPLIES[k]), {"reply": k}) for k in REPLIES]
    return [f.model_copy(update={"group": {**f.group, "llm": weights}}) for f in figures]


def main(
    llm: Annotated[list[str] | None, typer.Option(help="Weights of the picker (repeatable).")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Measure everything once and print it with the load average."""
    calm_threads()
    before = os.getloadavg()[0]
    figures, spoken = measure_voice()
    figures += measure_ear(spoken)
    for weights in llm or ["smollm2-135m"]:
        figures += asyncio.run(measure_picker(weights))
    load = {"before": before, "after": os.getloadavg()[0], "cores": os.cpu_count()}
    if json:
        print(json_module.dumps({"load": load, "figures": [f.model_dump() for f in figures]}))
        return
    print(f"load average {load['before']:.1f} before, {load['after']:.1f} after, {load['cores']} cores")
    for figure in figures:
        interval = "" if figure.low is None else f"  [{figure.low:.3g}, {figure.high:.3g}]"
        group = " ".join(f"{k}={v}" for k, v in figure.group.items())
        print(f"{figure.name:28} {figure.value:.3g}{interval}  n={figure.n}  {group}")


if __name__ == "__main__":
    typer.run(main)
