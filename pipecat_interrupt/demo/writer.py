"""Lets a larger model write an acknowledgement; whoever calls it must check the line before it is spoken."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

RULES = (
    "You are on the phone for a clinic. The caller has just spoken. React with one short sentence that only shows you"
    " heard them. Give no advice, no reassurance and no facts, and ask nothing."
)
TOKENS_MAX = 32


def line_writer(base_url: str, api_key: str, model: str) -> Callable[[str], Awaitable[str]]:
    """Make a function that asks an OpenAI-compatible server for one line.

    The function raises what the client raises; `acknowledged` bounds it in time and falls back to the approved line.
    """
    from openai import AsyncOpenAI

    client = AsyncOpenAI(base_url=base_url, api_key=api_key, max_retries=0)

    async def write(reply: str) -> str:
        answer = await client.chat.completions.create(
            model=model,
            messages=[{"role": "system", "content": RULES}, {"role": "user", "content": reply}],
            max_tokens=TOKENS_MAX,
            temperature=0.0,
        )
        return answer.choices[0].message.content or ""

    return write
