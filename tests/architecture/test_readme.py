"""The README's code is real: names exist, the call works, and the snippet is short."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pipecat.pipeline.pipeline import Pipeline
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.aggregators.llm_response_universal import LLMContextAggregatorPair, LLMUserAggregatorParams

from pipecat_interrupt.testing import ListenerOutput, ScriptedInput, ScriptedLLM, ScriptedSTT, ScriptedTTS

pytestmark = pytest.mark.pipeline

README = Path(__file__).resolve().parents[2] / "README.md"


class _Transport:
    def input(self) -> ScriptedInput:
        return ScriptedInput()

    def output(self) -> ListenerOutput:
        return ListenerOutput()


async def test_add_it_to_my_bot_runs_as_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The snippet builds a pipeline when its surroundings (a transport, services) are there."""
    monkeypatch.chdir(tmp_path)
    snippet = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)[0]
    names = {
        "Path": Path,
        "LLMContext": LLMContext,
        "LLMContextAggregatorPair": LLMContextAggregatorPair,
        "LLMUserAggregatorParams": LLMUserAggregatorParams,
        "Pipeline": Pipeline,
        "transport": _Transport(),
        "stt": ScriptedSTT(),
        "llm": ScriptedLLM(()),
        "tts": ScriptedTTS(),
    }

    exec(compile(snippet, "README.md", "exec"), names)

    assert isinstance(names["pipeline"], Pipeline)
    code_lines = [line for line in snippet.splitlines() if line.strip() and not line.strip().startswith("#")]
    assert len(code_lines) <= 12
