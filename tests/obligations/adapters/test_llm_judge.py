"""The judge reads a yes/no margin from any OpenAI-compatible endpoint; whatever fails there leaves the item open."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest

from obligations.adapters.llm_judge import JudgeConfig, LLMJudge, messages, prompt_sha256
from obligations.coverage.protocol import Coverage, CoverageMatcher, CoverageVerdict, PointText, Span

aiohttp = pytest.importorskip("aiohttp", reason="the fake endpoint needs aiohttp")
pytest.importorskip("openai", reason="the judge needs the openai package")
from aiohttp import web  # noqa: E402 - after the skip

pytestmark = [pytest.mark.contract, pytest.mark.enable_socket]

POINT = PointText(id="p", wording="Take it with food.", language="en", critical=True)
TEXT = "Have it at mealtimes."


@dataclass
class FakeEndpoint:
    """An OpenAI-compatible server on loopback that answers as it was told, and remembers what it was asked."""

    answer: Callable[[web.Request], Awaitable[web.StreamResponse]]
    asked: list[dict[str, Any]] = field(default_factory=list)


def tokens(**logprobs: float) -> dict[str, Any]:
    """Make a completion whose first token had these alternatives."""
    top = [{"token": token, "logprob": value, "bytes": None} for token, value in logprobs.items()]
    content = [{"token": next(iter(logprobs)), "logprob": 0.0, "bytes": None, "top_logprobs": top}]
    choice = {
        "index": 0,
        "finish_reason": "length",
        "message": {"role": "assistant", "content": next(iter(logprobs))},
        "logprobs": {"content": content, "refusal": None},
    }
    return {"id": "x", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice]}


@asynccontextmanager
async def endpoint(answer: Any) -> AsyncIterator[tuple[FakeEndpoint, str]]:
    """Serve one answer, a body or a coroutine, on a free loopback port."""

    async def reply(request: web.Request) -> web.StreamResponse:
        fake.asked.append(await request.json())
        return await answer(request) if callable(answer) else web.json_response(answer)

    fake = FakeEndpoint(reply)
    app = web.Application()
    app.router.add_post("/v1/chat/completions", reply)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = runner.addresses[0][1]
    try:
        yield fake, f"http://127.0.0.1:{port}/v1"
    finally:
        await runner.cleanup()


@asynccontextmanager
async def judging(url: str, **settings: Any) -> AsyncIterator[LLMJudge]:
    """Make a judge of that endpoint and close it after use."""
    judge = LLMJudge(JudgeConfig(base_url=url, model="m", **{"timeout_s": 2.0, **settings}))
    try:
        yield judge
    finally:
        await judge.close()


async def judged(url: str, point: PointText = POINT, text: str = TEXT, **settings: Any) -> Coverage:
    """Judge one text once."""
    async with judging(url, **settings) as judge:
        return await judge.match(point, text)


@pytest.mark.parametrize(
    ("logprobs", "verdict"),
    [
        ({"yes": -0.1, "no": -4.0}, CoverageVerdict.CONVEYED),
        ({"no": -0.1, "yes": -4.0}, CoverageVerdict.NOT_CONVEYED),
        ({"yes": -0.6, "no": -0.8}, CoverageVerdict.UNDECIDED),
        ({"Yes": -0.01}, CoverageVerdict.CONVEYED),
        ({"perhaps": -0.1}, CoverageVerdict.UNDECIDED),
    ],
)
async def test_the_margin_decides_and_the_band_between_is_undecided(
    logprobs: dict[str, float], verdict: CoverageVerdict
) -> None:
    """Yes minus no, a word that is missing counts its floor; neither word is undecided."""
    async with endpoint(tokens(**logprobs)) as (_, url):
        assert verdict is (await judged(url)).verdict


async def test_a_conveyed_text_is_needed_whole() -> None:
    """The judge names no words, so the span is all of the text."""
    async with endpoint(tokens(yes=-0.1, no=-4.0)) as (_, url):
        assert (Span(0, len(TEXT)),) == (await judged(url)).spans


async def test_one_token_is_asked_for_with_its_alternatives() -> None:
    """The request is the fixed prompt, one token, no randomness."""
    async with endpoint(tokens(yes=-0.1)) as (fake, url):
        await judged(url)

    request = fake.asked[0]
    assert (1, 0.0, True, 20) == tuple(request[k] for k in ("max_tokens", "temperature", "logprobs", "top_logprobs"))
    assert messages(POINT.wording, TEXT) == request["messages"]


async def test_the_same_text_is_asked_about_once() -> None:
    """The cache is by text hash."""
    async with endpoint(tokens(yes=-0.1, no=-4.0)) as (fake, url):
        async with judging(url) as judge:
            for text in (TEXT, TEXT, TEXT + " Bye."):
                await judge.match(POINT, text)

    assert 2 == len(fake.asked)


async def test_every_atomic_statement_is_asked_and_all_must_hold() -> None:
    """One yes and one no is partial."""

    async def by_statement(request: web.Request) -> web.StreamResponse:
        last = (await request.json())["messages"][-1]["content"]
        return web.json_response(tokens(yes=-0.1, no=-5.0) if "food" in last else tokens(no=-0.1, yes=-5.0))

    point = PointText(id="p", wording="", language="en", must_convey=("Take it with food.", "Take it twice."))
    async with endpoint(by_statement) as (_, url):
        assert CoverageVerdict.PARTIAL is (await judged(url, point)).verdict


async def _slow(_: web.Request) -> web.StreamResponse:
    await asyncio.sleep(1.5)
    return web.json_response(tokens(yes=-0.1, no=-9.0))


async def _broken(_: web.Request) -> web.StreamResponse:
    return web.Response(status=500, text="no")


async def _garbage(_: web.Request) -> web.StreamResponse:
    return web.Response(text="<html>not json", content_type="application/json")


async def _no_logprobs(_: web.Request) -> web.StreamResponse:
    body = tokens(yes=-0.1)
    body["choices"][0]["logprobs"] = None
    return web.json_response(body)


@pytest.mark.parametrize("answer", [_slow, _broken, _garbage, _no_logprobs, {"choices": []}, {}])
async def test_a_slow_broken_or_garbled_endpoint_leaves_the_item_open(answer: Any) -> None:
    """Undecided within the time limit, and nothing is raised."""
    async with endpoint(answer) as (_, url):
        async with asyncio.timeout(10):
            coverage = await judged(url, timeout_s=0.5)

    assert CoverageVerdict.UNDECIDED is coverage.verdict


async def test_a_dead_endpoint_leaves_the_item_open() -> None:
    """Nothing listens there."""
    async with endpoint({}) as (_, url):
        pass

    assert CoverageVerdict.UNDECIDED is (await judged(url, timeout_s=1.0)).verdict


async def test_the_version_changes_with_the_model_the_prompt_and_the_band() -> None:
    """So a certificate fits only what was measured."""
    url = "http://127.0.0.1:9/v1"
    async with judging(url) as one, judging(url, undecided_high=3.0) as other:
        assert isinstance(one, CoverageMatcher)
        assert prompt_sha256()[:12] in one.version
        assert one.version != other.version
