"""The two judges of replies to a third party: the rule's verdicts, the model's answers, and what stays unscored."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from benchmarks.errors import EnvironmentFault
from benchmarks.judges.following import (
    Exchange,
    ModelFollowingJudge,
    ModelHelpfulnessJudge,
    RuleFollowingJudge,
    read_score,
)
from benchmarks.judges.protocol import Outcome
from benchmarks.simulator.chat import Completion, Message

pytestmark = pytest.mark.unit

CORRECTION = ("The operation was on the fourth of May.", "No, it was the fifth of May.")
SMALL_TALK = ("I will come by train.", "Do you remember our trip along the river?")


def exchange(words: tuple[str, str], reply: str, *, two: bool = True, actionable: bool = True) -> Exchange:
    return Exchange(*words, two, actionable, "Say who said it and ask.", reply)


class Answers:
    """A model that gives one answer and keeps what it was asked."""

    name = "told"

    def __init__(self, answer: str | None) -> None:
        self.answer = answer
        self.asked: list[str] = []

    async def complete(self, messages: Sequence[Message], *, seed: int) -> Completion:
        self.asked.append(messages[-1].content)
        if self.answer is None:
            raise EnvironmentFault("the endpoint is away")
        return Completion(self.answer)


@pytest.mark.parametrize(
    ("words", "actionable", "two", "reply", "verdict"),
    [
        (CORRECTION, True, True, "Somebody with you said it was the fifth. Is that right?", Outcome.PASS),
        (CORRECTION, True, True, "The person next to you mentioned the fifth. I noted it.", Outcome.UNSCORED),
        (CORRECTION, True, True, "So it was the fifth of May, thank you.", Outcome.FAIL),
        (CORRECTION, True, True, "Thank you, the fourth of May.", Outcome.FAIL),
        (SMALL_TALK, False, True, "Very well, you will come by train.", Outcome.PASS),
        (SMALL_TALK, False, True, "A trip along the river sounds nice.", Outcome.FAIL),
        (SMALL_TALK, False, True, "Somebody with you said something. Shall I wait?", Outcome.FAIL),
        (CORRECTION, True, False, "The fifth of May then, thank you.", Outcome.PASS),
        (CORRECTION, True, False, "Somebody with you said the fifth. Is that right?", Outcome.FAIL),
        (CORRECTION, True, True, "  ", Outcome.UNSCORED),
    ],
)
async def test_the_rule_reads_attribution_uptake_and_a_question(
    words: tuple[str, str], actionable: bool, two: bool, reply: str, verdict: Outcome
) -> None:
    """Actionable words are taken up as another's and asked about; ignorable ones leave no trace; a twin is alone."""
    judged = await RuleFollowingJudge().judge(exchange(words, reply, two=two, actionable=actionable))

    assert verdict is judged


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [("Yes.", Outcome.PASS), ("no", Outcome.FAIL), ("perhaps", Outcome.UNSCORED), (None, Outcome.UNSCORED)],
)
async def test_a_model_judges_one_handling_at_a_time(answer: str | None, verdict: Outcome) -> None:
    """The prompt holds the words and the strategy; what is no yes or no is unscored."""
    model = Answers(answer)

    judged = await ModelFollowingJudge(model).judge(exchange(CORRECTION, "Is it the fifth?"))

    assert verdict is judged
    assert all(part in model.asked[0] for part in (*CORRECTION, "Say who said it and ask.", "Is it the fifth?"))


async def test_helpfulness_is_a_number_from_one_to_five_or_nothing() -> None:
    """A model that is away rates nothing."""
    assert 4 == await ModelHelpfulnessJudge(Answers("4")).judge(exchange(CORRECTION, "Yes."))
    assert await ModelHelpfulnessJudge(Answers(None)).judge(exchange(CORRECTION, "Yes.")) is None


@pytest.mark.parametrize(
    ("answer", "score"),
    [("5", 5), ("Score: 3", 3), ("2\nbecause of 4", 2), ("4.5", None), ("1 or 2", None), ("", None)],
)
def test_a_rating_is_one_plain_number(answer: str, score: int | None) -> None:
    """Two numbers, none, or a broken one leave the reply unscored."""
    assert score == read_score(answer)
