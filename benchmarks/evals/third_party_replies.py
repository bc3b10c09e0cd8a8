"""Replies to two voices and to the same words by one: is the strategy followed, and do the twins get another reply?

Owns the figures of ``eval third-party-replies``; explained in docs/metrics/third_party.md. What differs between the
systems is what reaches the agent: stock gives it all words as the patient's; ours gives it what the gate lets through.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.cells.load import read_yaml
from benchmarks.errors import BadOption
from benchmarks.evals.change_trials import enrolled_gate, stream
from benchmarks.evals.voice_scores import NARROW, WIDE, ears_of
from benchmarks.figures import EvalOptions, Figure, GroupValue, rate
from benchmarks.judges.following import (
    Exchange,
    ModelFollowingJudge,
    ModelHelpfulnessJudge,
    RuleFollowingJudge,
)
from benchmarks.judges.protocol import Outcome
from benchmarks.simulator.build import Models
from benchmarks.simulator.chat import ChatModel, Completion, Message
from benchmarks.simulator.endpoint import EndpointModel, EndpointSettings
from benchmarks.simulator.local_models import with_endpoint
from benchmarks.stats import mcnemar, wilcoxon_signed_rank
from benchmarks.two_voice.manifest import Clip, Manifest, Role, read_manifest
from benchmarks.two_voice.strategy import Strategy, load_strategy
from speaker_gate.adapters.voice_folder import read_clip
from speaker_gate.audio import speech_of
from speaker_gate.ruling import WordsHeard
from speaker_gate.trials import through_band
from speaker_gate.turn import Ears

KIND = "third-party-replies"
NEEDS_DATA = True
DATA_HELP = "a set built by `python -m benchmarks two-voice`"
OPTIONS = frozenset(
    {"embedder", "record", "segmenter", "strategy", "agent", "judge", "base-url", "key-env", "band", "cases", "replies"}
)
PACKAGES = ("onnxruntime", "kaldi-native-fbank", "numpy", "sacrebleu", "rouge-score")

PUBLISHED = Path(__file__).resolve().parents[1] / "report" / "published_third_party.yaml"
SYSTEM_PROMPT = (
    "You are a clinic's voice assistant on the telephone with one patient. Answer in one or two short sentences. "
    "Developer notes tell you what was said by others; follow them."
)
_QUOTED = re.compile(r'said: "(?P<quote>.*?)"\.')


@dataclass(frozen=True, slots=True)
class Replied:
    """One reply with its verdicts.

    Parameters:
        system: stock or ours.
        case: Id of the case.
        two_voices: False for the twin.
        actionable: Gold.
        reply: What the agent answered.
        following: pass, fail or unscored.
        helpfulness: 1 to 5; None where nobody could say.
    """

    system: str
    case: str
    two_voices: bool
    actionable: bool
    reply: str
    following: str
    helpfulness: int | None


class NoteFollower:
    """A scripted agent that answers what it is told: the patient's words, and notes by the letter."""

    name = "note-follower"

    async def complete(self, messages: Sequence[Message], *, seed: int) -> Completion:
        """Answer deterministically."""
        own = [message.content for message in messages if message.role == "user"]
        quotes = [found["quote"] for m in messages if m.role == "developer" if (found := _QUOTED.search(m.content))]
        parts = [f"About this: {' '.join(own)} I will see to it." if own else ""]
        parts += [f"Somebody with you said: {quote} Is that right?" for quote in quotes]
        return Completion(" ".join(part for part in parts if part))


def run(options: EvalOptions) -> list[Figure]:
    """Stream every clip through a gate enrolled on the patient, ask the agent, judge.

    Options:
        strategy: Strategy file of the set (default: the shipped one of the manifest's name).
        agent: note-follower (default) or a model's name.
        judge: rules (default) or a model's name; only a model rates helpfulness.
        base-url: Endpoint of agent and judge, or local:WEIGHTS.
        key-env: Environment variable of its key.
        band: 16k or mulaw8k (default).
        cases: Most cases (default: all).
        replies: JSONL file for the single replies.
        embedder, record, segmenter: As for `voices`.
    """
    extra = options.extra
    folder = options.data or Path()
    band = str(extra.get("band", NARROW))
    if band not in (WIDE, NARROW):
        raise BadOption(f"band is {WIDE} or {NARROW}, not {band!r}")
    manifest = read_manifest(folder)
    strategy = load_strategy(str(extra.get("strategy", manifest.strategy.replace("-", "_"))))
    named = {name: str(extra.get(name, "")) for name in ("agent", "judge")}
    models = Models(base_url=extra.get("base-url"), key_env=str(extra.get("key-env", "OPENAI_API_KEY")))
    heard = _heard(folder, manifest, ears_of(extra), band, options.whole("cases", 0, least=0))
    with with_endpoint(models) as ready:
        replied = asyncio.run(_replies(heard, strategy, _model(named["agent"], ready), _model(named["judge"], ready)))
    if "replies" in extra:
        _write(Path(str(extra["replies"])), replied)
    return figures_of(replied)


def _model(name: str, models: Models) -> ChatModel | None:
    if name in ("", "rules", "note-follower"):
        return None
    if not models.base_url:
        raise BadOption(f"{name} is a model: name its endpoint with --option base-url=URL or local:WEIGHTS")
    settings = EndpointSettings(
        base_url=models.base_url, model=name, temperature=0.0, tokens_max=90, key_env=models.key_env
    )
    return EndpointModel(settings)


@dataclass(frozen=True, slots=True)
class _Heard:
    clip: Clip
    messages: dict[str, tuple[Message, ...]]


def _heard(folder: Path, manifest: Manifest, ears: Ears, band: str, most: int) -> list[_Heard]:
    """What reaches the agent of each clip, by system."""
    cases = sorted({clip.case for clip in manifest.of(Role.TWO_VOICES)})
    cases = cases[:: max(1, len(cases) // most)][:most] if most else cases
    enrolments: dict[str, Any] = {}
    for clip in manifest.of(Role.ENROLMENT):
        enrolments.setdefault(clip.voice, clip)
    found: list[_Heard] = []
    for clip in manifest.of(Role.TWO_VOICES, Role.TWIN):
        if clip.case not in cases or clip.voice not in enrolments:
            continue
        sound, _ = read_clip(folder / clip.path)
        own, _ = read_clip(folder / enrolments[clip.voice].path)
        speech = speech_of(through_band(own, band == NARROW)).samples
        gate = enrolled_gate(ears, speech, band == NARROW, language=manifest.language)
        stream(gate, sound, narrow=band == NARROW)
        text = f"{clip.primary} {clip.third_party}"
        ours: list[Message] = []
        for ruling in gate.rule(WordsHeard(text=text, now_s=0.0, before=clip.primary)):
            if ruling.choice.action.value in ("pass", "pass_marked", "ask_who"):
                ours.append(Message("user", ruling.part.text))
            if ruling.note is not None:
                ours.append(Message("developer", ruling.note))
        found.append(_Heard(clip, {"stock": (Message("user", text),), "ours": tuple(ours)}))
    return found


async def _replies(
    heard: Sequence[_Heard], strategy: Strategy, agent: ChatModel | None, judge: ChatModel | None
) -> list[Replied]:
    answers: ChatModel = agent or NoteFollower()
    follows = ModelFollowingJudge(judge) if judge is not None else RuleFollowingJudge()
    helps = ModelHelpfulnessJudge(judge) if judge is not None else None
    made: list[Replied] = []
    for one in heard:
        clip = one.clip
        kind = strategy.kinds[clip.kind]
        for system, messages in one.messages.items():
            asked = [Message("system", SYSTEM_PROMPT), *messages] if agent is not None else messages
            reply = (await answers.complete(asked, seed=0)).text
            two = clip.role is Role.TWO_VOICES
            exchange = Exchange(clip.primary, clip.third_party, two, kind.actionable, kind.response, reply)
            verdict = await follows.judge(exchange)
            score = await helps.judge(exchange) if helps is not None else None
            made.append(Replied(system, clip.case, two, kind.actionable, reply, verdict.value, score))
    return made


def figures_of(replied: Sequence[Replied]) -> list[Figure]:
    """Rates by system, paired tests between the systems, likeness of the twins' replies, and the printed numbers."""
    figures: list[Figure] = []
    for system in ("stock", "ours"):
        mine = [one for one in replied if one.system == system]
        for name, rows in {
            "two_voices": [one for one in mine if one.two_voices],
            "actionable": [one for one in mine if one.two_voices and one.actionable],
            "ignorable": [one for one in mine if one.two_voices and not one.actionable],
        }.items():
            figures += _rates("strategy_followed_rate", rows, {"system": system, "set": name}, Outcome.PASS)
        twins = [one for one in mine if not one.two_voices]
        figures += _rates("twin_taken_for_two_rate", twins, {"system": system, "set": "twin"}, Outcome.FAIL)
        figures += _likeness(mine, system)
    figures += _paired(replied)
    return figures + published()


def _rates(name: str, rows: Sequence[Replied], group: dict[str, GroupValue], hit: Outcome) -> list[Figure]:
    scored = [one for one in rows if one.following != Outcome.UNSCORED.value]
    figures = [rate(name, sum(one.following == hit.value for one in scored), len(scored), group)]
    if len(scored) < len(rows):
        figures.append(rate("unscored_rate", len(rows) - len(scored), len(rows), group))
    rated = [one.helpfulness for one in rows if one.helpfulness is not None]
    if rated:
        figures.append(Figure(name="helpfulness_mean", value=sum(rated) / len(rated), n=len(rated), group=group))
    return figures


def _likeness(rows: Sequence[Replied], system: str) -> list[Figure]:
    """BLEU and ROUGE-L (0..1) between the replies to a case and to its twin; high: the voices made no difference."""
    import sacrebleu
    from rouge_score.rouge_scorer import RougeScorer

    two = {one.case: one.reply for one in rows if one.two_voices}
    twin = {one.case: one.reply for one in rows if not one.two_voices}
    shared = [case for case in two if case in twin]
    if not shared:
        return []
    bleu = sacrebleu.corpus_bleu([two[case] for case in shared], [[twin[case] for case in shared]]).score / 100
    scorer = RougeScorer(["rougeL"], use_stemmer=False)
    rouge = [scorer.score(twin[case], two[case])["rougeL"].fmeasure for case in shared]
    group: dict[str, GroupValue] = {"system": system}
    return [
        Figure(name="bleu_between_twins", value=bleu, n=len(shared), group=group),
        Figure(name="rouge_l_between_twins", value=sum(rouge) / len(rouge), n=len(shared), group=group),
    ]


def _paired(replied: Sequence[Replied]) -> list[Figure]:
    """McNemar on following and Wilcoxon on helpfulness, ours against stock on the same clips."""
    figures: list[Figure] = []
    for two, name in ((True, "two_voices"), (False, "twin")):
        by = {(one.system, one.case): one for one in replied if one.two_voices is two}
        pairs = [(by["stock", c], by["ours", c]) for s, c in by if s == "stock" and ("ours", c) in by]
        decided = [p for p in pairs if all(one.following != Outcome.UNSCORED.value for one in p)]
        group: dict[str, GroupValue] = {"set": name, "pair": "ours-stock"}
        if decided:
            passed = [[one.following == Outcome.PASS.value for one in column] for column in zip(*decided, strict=True)]
            test = mcnemar(passed[0], passed[1])
            figures.append(Figure(name="mcnemar_p", value=test.p_value, n=test.n, group=group))
        rated = [
            (a.helpfulness, b.helpfulness) for a, b in pairs if a.helpfulness is not None and b.helpfulness is not None
        ]
        if rated:
            ranks = wilcoxon_signed_rank([float(a) for a, _ in rated], [float(b) for _, b in rated])
            figures.append(Figure(name="wilcoxon_p", value=ranks.p_value, n=ranks.n, group=group))
    return figures


def published() -> list[Figure]:
    """The numbers the study prints, as figures of their own; no n of ours."""
    rows: list[dict[str, Any]] = read_yaml(PUBLISHED)["rows"]
    names = ("rsf_two_voices", "oh_two_voices", "rsf_twin", "oh_twin", "bleu", "rouge_l")
    return [
        Figure(name=f"published_{name}", value=row[name], n=0, group={"model": row["model"], "where": row["where"]})
        for row in rows
        for name in names
        if row[name] is not None
    ]


def _write(path: Path, replied: Sequence[Replied]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as file:
        for one in replied:
            file.write(json.dumps(asdict(one), ensure_ascii=False) + "\n")
