"""Any OpenAI-compatible endpoint: what is sent, what is read, what is tried again."""

import httpx
import pytest

from benchmarks.errors import EnvironmentFault
from benchmarks.simulator import Message
from benchmarks.simulator.endpoint import EndpointModel, EndpointSettings

pytestmark = pytest.mark.unit

OK = {"choices": [{"message": {"content": " Hello. "}}], "usage": {"prompt_tokens": 7, "completion_tokens": 2}}


def model(answers: list[httpx.Response | Exception], asked: list[httpx.Request]) -> EndpointModel:
    """A model whose endpoint gives these answers in turn."""

    def handle(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    settings = EndpointSettings(
        base_url="http://local/v1/", model="m", key_env="NO_SUCH_KEY", body={"top_k": 1}, backoff_s=0.0
    )
    return EndpointModel(settings, httpx.AsyncClient(transport=httpx.MockTransport(handle)))


async def test_an_answer_comes_with_its_tokens():
    """The text is stripped, the usage counted, and the request holds model, seed and further fields."""
    asked: list[httpx.Request] = []

    done = await model([httpx.Response(200, json=OK)], asked).complete([Message("user", "Hi")], seed=5)

    assert done.text == "Hello."
    assert (done.usage.calls, done.usage.prompt_tokens, done.usage.completion_tokens) == (1, 7, 2)
    assert str(asked[0].url) == "http://local/v1/chat/completions"
    assert b'"seed":5' in asked[0].content.replace(b" ", b"")
    assert b'"top_k":1' in asked[0].content.replace(b" ", b"")
    assert asked[0].headers["authorization"] == "Bearer none"


@pytest.mark.parametrize("passing", [httpx.Response(429), httpx.Response(503), httpx.ConnectError("down")])
async def test_a_passing_fault_is_tried_again(passing: httpx.Response | Exception):
    """Busy and unreachable are not the end."""
    asked: list[httpx.Request] = []

    done = await model([passing, httpx.Response(200, json=OK)], asked).complete([Message("user", "Hi")], seed=1)

    assert (done.text, len(asked)) == ("Hello.", 2)


async def test_it_gives_up_after_four_attempts():
    """The bound holds, and the error names model and status."""
    asked: list[httpx.Request] = []

    with pytest.raises(EnvironmentFault, match="m at http://local/v1/: status 503"):
        await model([httpx.Response(503)] * 4, asked).complete([Message("user", "Hi")], seed=1)

    assert len(asked) == 4


@pytest.mark.parametrize(
    "usage", [{"prompt_tokens": -5, "completion_tokens": "two"}, [], "none", {"prompt_tokens": 1.5}]
)
async def test_counts_that_cannot_be_were_not_counted(usage: object):
    """The text of an answer is not lost over them."""
    done = await model([httpx.Response(200, json={**OK, "usage": usage})], []).complete([Message("user", "Hi")], seed=1)

    assert done.text == "Hello."
    assert (done.usage.prompt_tokens, done.usage.completion_tokens) == (0, 0)


async def test_a_refusal_is_not_tried_again():
    """A wrong key stays wrong."""
    asked: list[httpx.Request] = []

    with pytest.raises(EnvironmentFault, match="status 401"):
        await model([httpx.Response(401)], asked).complete([Message("user", "Hi")], seed=1)

    assert len(asked) == 1


@pytest.mark.parametrize("body", [{"choices": []}, {}, []])
async def test_an_answer_in_another_form_is_a_fault(body: object):
    """Never an empty utterance instead."""
    with pytest.raises(EnvironmentFault, match="unknown form"):
        await model([httpx.Response(200, json=body)], []).complete([Message("user", "Hi")], seed=1)
