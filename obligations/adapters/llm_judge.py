"""The LLM judge: a yes/no log-probability margin over any OpenAI-compatible endpoint, off the hot path.

Owns the prompt, the margin, the undecided band, the time limit and the cache. Every failure is UNDECIDED; nothing is
raised.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections import OrderedDict
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

from obligations.coverage.protocol import Coverage, CoverageVerdict, PointText, Span
from obligations.errors import MissingExtra

if TYPE_CHECKING:
    from openai import AsyncOpenAI
    from openai.types.chat import ChatCompletion, ChatCompletionMessageParam

SYSTEM = (
    "You compare what a phone agent had to say with what the listener heard. Answer yes only when everything "
    "required was stated to the listener, with the same numbers, times, people and signs. Answer no when anything is "
    "missing, cut off, changed, denied, only asked, only announced for later, or only repeated from somebody else. "
    "One word: yes or no."
)
EXAMPLES: tuple[tuple[str, str, str], ...] = (
    ("Leave the plaster on for two days.", "Please don't take that plaster off for the next two days.", "yes"),
    ("Leave the plaster on for two days.", "Please leave that plaster on for the next", "no"),
    ("Leave the plaster on for two days.", "You can take the plaster off whenever you like.", "no"),
    ("Leave the plaster on for two days.", "Did somebody tell you to leave the plaster on for two days?", "no"),
    ("If your mouth swells, ring 112 at once.", "Swelling in the mouth? Then it's one one two, straight away.", "yes"),
    ("If your mouth swells, ring 112 at once.", "If your mouth swells, mention it at your next visit.", "no"),
    ("Drink a glass of water every hour.", "Drink a glass of water every four hours.", "no"),
    ("Beba um copo de água de hora a hora.", "A cada hora que passa, um copinho de água.", "yes"),
    ("Beba um copo de água de hora a hora.", "Daqui a pouco digo-lhe quanta água deve beber.", "no"),
)
FLOOR_LOGPROB = -20.0
"""What a word counts that is not among the returned alternatives."""
_YES = frozenset({"yes", "sim"})
_NO = frozenset({"no", "não", "nao"})


class JudgeConfig(BaseModel):
    """Settings of the judge.

    Parameters:
        base_url: OpenAI-compatible endpoint, such as "http://127.0.0.1:8092/v1"; None for the client's own default.
        model: Model name at that endpoint.
        api_key: Key for it; local servers take any.
        timeout_s: Longest wait for one answer, seconds.
        undecided_low: Margin (log-probability of yes minus no) at or below which it is not conveyed.
        undecided_high: Margin at or above which it is conveyed; between the two it is undecided.
        concurrency_max: Most questions in flight.
        cache_max: Most verdicts kept.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    base_url: str | None = None
    model: str = Field(min_length=1)
    api_key: str = "local"
    timeout_s: float = Field(default=4.0, gt=0.0, le=120.0)
    undecided_low: float = -0.5
    undecided_high: float = 1.5
    concurrency_max: int = Field(default=2, ge=1, le=64)
    cache_max: int = Field(default=4096, ge=1)

    @model_validator(mode="after")
    def _band_is_a_band(self) -> JudgeConfig:
        if self.undecided_low > self.undecided_high:
            raise ValueError("undecided_low must not exceed undecided_high")
        return self


def messages(statement: str, text: str) -> list[ChatCompletionMessageParam]:
    """Give the chat for one question: the rule, the worked examples as turns, then the question."""
    chat: list[ChatCompletionMessageParam] = [{"role": "system", "content": SYSTEM}]
    for required, heard, answer in EXAMPLES:
        chat.append({"role": "user", "content": _question(required, heard)})
        chat.append({"role": "assistant", "content": answer})
    chat.append({"role": "user", "content": _question(statement, text)})
    return chat


def _question(statement: str, text: str) -> str:
    return f"Required: {statement}\nHeard: {text}"


def prompt_sha256() -> str:
    """Give the digest of the prompt's fixed part; a certificate names it."""
    fixed = json.dumps([SYSTEM, EXAMPLES, _question("{statement}", "{text}")], ensure_ascii=False)
    return hashlib.sha256(fixed.encode()).hexdigest()


class LLMJudge:
    """Asks a language model, one token a statement, whether a text conveys it.

    Promises: never raises; a slow, dead or unreadable endpoint is UNDECIDED; at most `concurrency_max` questions at
    once;
    the same text is asked about once.
    """

    def __init__(self, config: JudgeConfig, *, client: AsyncOpenAI | None = None) -> None:
        """Make the judge.

        Args:
            config: Its settings.
            client: An OpenAI client to use; None makes one for `config.base_url`.

        Raises:
            MissingExtra: The openai package is not installed.
        """
        self._config = config
        self._client = client if client is not None else _make_client(config)
        self._slots = asyncio.Semaphore(config.concurrency_max)
        self._cache: OrderedDict[str, float] = OrderedDict()

    @property
    def name(self) -> str:
        """The stable name."""
        return "llm-judge"

    @property
    def version(self) -> str:
        """Changes with the model, the prompt and the band."""
        band = f"{self._config.undecided_low:g}..{self._config.undecided_high:g}"
        return f"1-{self._config.model.replace('@', '_').replace(' ', '_')}-{prompt_sha256()[:12]}-{band}"

    async def close(self) -> None:
        """Close the connections of the client; the judge is not used after it."""
        await self._client.close()

    async def match(self, point: PointText, text: str) -> Coverage:
        """Judge one text against one point; every atomic statement of the point must be conveyed."""
        statements = point.must_convey or ((point.wording,) if point.wording else ())
        if not statements or not text.strip():
            return self._coverage(CoverageVerdict.UNDECIDED, "nothing to compare")
        margins: list[float] = []
        for statement in statements:
            margin = await self._margin(statement, text)
            if margin is None:
                return self._coverage(CoverageVerdict.UNDECIDED, "the judge gave no readable answer in time")
            margins.append(margin)
        return self._verdict(min(margins), max(margins), text)

    def _verdict(self, lowest: float, highest: float, text: str) -> Coverage:
        if lowest >= self._config.undecided_high:
            return self._coverage(CoverageVerdict.CONVEYED, "judged conveyed", lowest, (Span(0, len(text)),))
        if highest >= self._config.undecided_high and lowest <= self._config.undecided_low:
            return self._coverage(CoverageVerdict.PARTIAL, "some statements judged conveyed", lowest)
        if lowest <= self._config.undecided_low:
            return self._coverage(CoverageVerdict.NOT_CONVEYED, "judged not conveyed", lowest)
        return self._coverage(CoverageVerdict.UNDECIDED, "inside the undecided band", lowest)

    def _coverage(
        self, verdict: CoverageVerdict, why: str, score: float | None = None, spans: tuple[Span, ...] = ()
    ) -> Coverage:
        return Coverage(verdict=verdict, matcher=f"{self.name}@{self.version}", spans=spans, score=score, why=why)

    async def _margin(self, statement: str, text: str) -> float | None:
        key = hashlib.sha256(f"{statement}\x00{text}".encode()).hexdigest()
        if key in self._cache:
            self._cache.move_to_end(key)
            return self._cache[key]
        try:
            async with asyncio.timeout(self._config.timeout_s), self._slots:
                reply = await self._ask(statement, text)
        except Exception:  # Any vendor or transport failure leaves the item open.
            return None
        margin = _margin_of(reply)
        if margin is not None:
            self._cache[key] = margin
            while len(self._cache) > self._config.cache_max:
                self._cache.popitem(last=False)
        return margin

    async def _ask(self, statement: str, text: str) -> ChatCompletion:
        return await self._client.chat.completions.create(
            model=self._config.model,
            messages=messages(statement, text),
            max_tokens=1,
            temperature=0.0,
            logprobs=True,
            top_logprobs=20,
        )


def _make_client(config: JudgeConfig) -> AsyncOpenAI:
    try:
        from openai import AsyncOpenAI
    except ImportError:
        raise MissingExtra("openai", "judge") from None
    return AsyncOpenAI(base_url=config.base_url, api_key=config.api_key, timeout=config.timeout_s, max_retries=0)


def _margin_of(reply: Any) -> float | None:
    """Read log-probability of yes minus that of no; None when the reply holds neither."""
    try:
        alternatives = reply.choices[0].logprobs.content[0].top_logprobs
        found = [(str(a.token).strip().lower(), float(a.logprob)) for a in alternatives]
    except (AttributeError, IndexError, TypeError, ValueError):
        return None
    yes = max((value for token, value in found if token in _YES), default=None)
    no = max((value for token, value in found if token in _NO), default=None)
    if yes is None and no is None:
        return None
    return (FLOOR_LOGPROB if yes is None else yes) - (FLOOR_LOGPROB if no is None else no)
