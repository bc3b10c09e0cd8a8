"""The picker: always one of the approved lines, never later than its time, whatever the server does."""

from __future__ import annotations

import asyncio
import json
import time
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipecat_interrupt.local.ack import AckPicker, Constraint, Refusal, grammar_of

pytestmark = pytest.mark.unit

LINES = ("Thank you for telling me.", 'He said "fine".', "Let me answer that.")
NEUTRAL = "Okay."


class Rejected(Exception):
    """What an OpenAI client raises for an HTTP error: it carries the status."""

    status_code = 400


class FakeClient:
    """An OpenAI-compatible server that supports some constraints and says what it is told to."""

    def __init__(
        self, says: str | Exception = "", supports: tuple[str, ...] = ("grammar", "json_schema"), delay_s: float = 0.0
    ) -> None:
        self.says = says
        self.supports = supports
        self.delay_s = delay_s
        self.requests: list[dict[str, Any]] = []
        self.closed = False
        self.chat = SimpleNamespace(completions=SimpleNamespace(create=self._create))

    async def _create(self, **request: Any) -> Any:
        self.requests.append(request)
        await asyncio.sleep(self.delay_s)
        if "extra_body" in request and "grammar" not in self.supports:
            raise Rejected("unknown field: grammar")
        if "response_format" in request and "json_schema" not in self.supports:
            raise Rejected("unknown field: response_format")
        if isinstance(self.says, Exception):
            raise self.says
        text = json.dumps({"line": self.says}) if "response_format" in request else self.says
        return SimpleNamespace(choices=[SimpleNamespace(message=SimpleNamespace(content=text))])

    async def close(self) -> None:
        self.closed = True


def picker(client: FakeClient, **options: Any) -> AckPicker:
    return AckPicker(LINES, NEUTRAL, base_url="http://127.0.0.1:1/v1", model="m", client=client, **options)


async def test_the_line_the_model_chose_is_taken() -> None:
    """The plain case: constrained by a grammar, temperature 0, a bounded reply."""
    client = FakeClient("Let me answer that.")

    choice = await picker(client).pick("Can I drive?")

    assert (choice.line, choice.refusal) == ("Let me answer that.", None)
    request = client.requests[0]
    assert request["temperature"] == 0.0
    assert request["max_tokens"] < 64
    assert request["extra_body"]["grammar"] == grammar_of([*LINES, NEUTRAL])


async def test_free_text_is_never_spoken() -> None:
    """A server that ignores the grammar may write anything; it becomes the neutral line."""
    choice = await picker(FakeClient("I'm sure you'll be fine tomorrow.")).pick("It hurts.")

    assert (choice.line, choice.refusal) == (NEUTRAL, Refusal.NOT_A_LINE)


async def test_case_quotes_and_outer_punctuation_do_not_matter() -> None:
    """Without a grammar, models quote and drop full stops."""
    choice = await picker(FakeClient('"thank you  for telling me"')).pick("No.")

    assert choice.line == "Thank you for telling me."


async def test_a_slow_server_costs_no_more_than_the_time_limit() -> None:
    """The patient hears the neutral line in time."""
    started_s = time.monotonic()

    choice = await picker(FakeClient("Okay.", delay_s=5.0), timeout_s=0.1).pick("No.")

    assert (choice.line, choice.refusal) == (NEUTRAL, Refusal.TIMEOUT)
    assert time.monotonic() - started_s < 1.0


@pytest.mark.parametrize(
    ("error", "refusal"),
    [(ConnectionError("refused"), Refusal.UNREACHABLE), (Rejected("bad"), Refusal.REJECTED)],
)
async def test_a_failing_server_gives_the_neutral_line(error: Exception, refusal: Refusal) -> None:
    """Nothing is raised into the call."""
    choice = await picker(FakeClient(error)).pick("No.")

    assert (choice.line, choice.refusal) == (NEUTRAL, refusal)


@pytest.mark.parametrize(
    ("supports", "constraint"),
    [
        (("grammar", "json_schema"), Constraint.GRAMMAR),
        (("json_schema",), Constraint.JSON_SCHEMA),
        ((), Constraint.NONE),
    ],
)
async def test_the_best_constraint_a_server_honours_is_found_before_the_call(
    supports: tuple[str, ...], constraint: Constraint
) -> None:
    """Grammar for llama.cpp, structured output for OpenAI and vLLM, exact match for the rest."""
    client = FakeClient("Okay.", supports)
    chooser = picker(client)

    assert await chooser.prepare() == constraint
    assert (await chooser.pick("No.")).refusal is None


async def test_a_server_that_is_down_before_the_call_ends_the_search() -> None:
    """One failed connection is enough; the call begins with neutral lines."""
    client = FakeClient(ConnectionError("refused"))

    await picker(client).prepare()

    assert len(client.requests) == 1


async def test_the_prompt_ends_with_the_end_of_a_long_reply() -> None:
    """A patient who talks for minutes cannot overflow the model; only the last message ever changes."""
    chooser = picker(FakeClient("Okay."), examples=[("No.", "Okay.")])

    first, second = chooser.messages("a " * 1000 + "the end"), chooser.messages("short")

    assert first[:-1] == second[:-1]
    assert first[-1]["content"].endswith("the end")
    assert len(first[-1]["content"]) == 300 + len("CALLER: ")


async def test_one_line_needs_no_model() -> None:
    """Nothing to choose, nothing to ask."""
    client = FakeClient("Okay.")
    only = AckPicker([], NEUTRAL, base_url="", model="m", client=client)

    choice = await only.pick("No.")

    assert (choice.line, choice.refusal) == (NEUTRAL, Refusal.ONLY_ONE)
    assert client.requests == []


async def test_closing_closes_the_connection_once() -> None:
    """Safe to call twice."""
    client = FakeClient()
    chooser = picker(client)

    await chooser.close()
    await chooser.close()

    assert client.closed


def test_an_empty_line_and_an_unapproved_example_are_refused() -> None:
    """A pathway's fault is found when the picker is built, not in the call."""
    with pytest.raises(ValueError, match="empty"):
        AckPicker(["", "Yes."], NEUTRAL, base_url="", model="m")
    with pytest.raises(ValueError, match="not approved"):
        AckPicker(LINES, NEUTRAL, base_url="", model="m", examples=[("No.", "You'll be fine.")])


def test_the_grammar_quotes_what_a_line_may_contain() -> None:
    """Quotes and accents inside a line must not end the alternative."""
    assert grammar_of(['He said "fine".', "Está bem."]) == 'root ::= "He said \\"fine\\"." | "Está bem."'


@given(st.text(max_size=60), st.sampled_from(list(Constraint)))
@settings(max_examples=60, deadline=None)
def test_whatever_a_server_answers_an_approved_line_is_said(answer: str, constraint: Constraint) -> None:
    """The one promise of this module."""
    chooser = picker(FakeClient(answer))
    chooser.constraint = constraint

    choice = asyncio.run(chooser.pick("No."))

    assert choice.line in {*LINES, NEUTRAL}
