"""The doubles of TTS, LLM and STT, each through Pipecat's own service class."""

from __future__ import annotations

import pytest
from pipecat.frames.frames import LLMRunFrame, TTSSpeakFrame

from pipecat_interrupt.testing import (
    TTS_SHAPES,
    Reply,
    ScriptedCall,
    ScriptedLLM,
    ScriptedSTT,
    ScriptedTTS,
    ToolCall,
    cooperative,
    deaf,
    looping,
    over_resuming,
    run_call,
)

pytestmark = pytest.mark.pipeline

REPLY = "Take one tablet every morning with water. Do not drink grapefruit juice."


def said(result, role="assistant"):
    return [" ".join(m["content"].split()) for m in result.messages if m["role"] == role and m.get("content")]


@pytest.mark.parametrize("shape", TTS_SHAPES)
def test_every_shape_says_the_whole_reply_and_knows_its_words(shape):
    """What was heard is what was spoken, word for word, at the times the double names."""
    result = run_call(ScriptedCall(9.0), replies=[REPLY], tts=shape, vad="text")

    (context,) = result.heard
    assert context.whole and context.text == REPLY
    begin_s = context.words[0].start_s
    for heard, spoken in zip(context.words, result.parts.tts.contexts[0].words, strict=True):
        assert heard.end_s - begin_s == pytest.approx(spoken.end_s, abs=1e-3)
    assert said(result) == [REPLY]


@pytest.mark.parametrize(
    ("shape", "history"),
    [
        ("inline", None),
        ("streaming", REPLY),
        ("tokens", REPLY),
        ("words", "Take one tablet"),
    ],
)
def test_each_shape_reproduces_stock_pipecats_own_error_at_a_cut(shape, history):
    """Cut in "tablet": inline under-reports, streaming over-reports, word times count the word begun."""
    call = ScriptedCall(9.0).patient("Wait.", on_heard="one")
    result = run_call(call, replies=[REPLY], tts=shape, vad="text")

    assert result.heard[0].text == "Take one"
    assert result.heard[0].cut_word == "tablet"
    assert (said(result) or [None])[0] == history


def test_an_unknown_shape_is_refused_by_name():
    """The message lists what there is."""
    with pytest.raises(ValueError, match="inline, streaming, tokens, words"):
        ScriptedTTS("telepathic")  # type: ignore[arg-type]  # the refusal is the test


def test_a_cut_context_is_not_synthesised_any_further():
    """A streaming double stops sending when Pipecat drops the context."""
    call = ScriptedCall(9.0).patient("Wait.", at_s=0.8)
    result = run_call(call, replies=[REPLY], tts=ScriptedTTS("streaming", speed=1.0), vad="text")

    assert len(result.parts.tts.contexts[0].samples) / 16000 > 2.0
    assert result.heard[0].heard_samples / 16000 < 1.2


def test_replies_come_in_order_and_then_there_are_none():
    """A list is a script; the requests show what the model would have seen."""
    call = ScriptedCall(12.0).patient("Hello.", at_s=2.5).patient("Hello?", at_s=6.0)
    result = run_call(call, replies=["Good morning.", "Yes?"], vad="text")

    assert said(result) == ["Good morning.", "Yes?"]
    assert [len(request) for request in result.parts.llm.requests] == [0, 2, 4]
    assert result.parts.llm.requests[1][-1] == {"role": "user", "content": "Hello."}


async def test_a_function_may_decide_and_call_tools():
    """A reply can be words, calls, or both; the call reaches the registered function."""
    asked = []

    def script(messages):
        if any(m.get("role") == "tool" for m in messages):
            return "It is at nine."
        return Reply("One moment.", (ToolCall("find_slot", {"day": "Monday"}),))

    def build(parts):
        async def find_slot(params):
            asked.append(dict(params.arguments))
            await params.result_callback({"time": "nine"})

        parts.llm.register_function("find_slot", find_slot)
        return parts.chain

    import asyncio

    result = await asyncio.to_thread(run_call, ScriptedCall(9.0), replies=script, vad="text", build=build)

    assert asked == [{"day": "Monday"}]
    assert said(result)[-1] == "It is at nine."


def test_the_system_instruction_is_shown_to_the_script_first():
    """As a provider would see it."""
    llm = ScriptedLLM(["Hello."], system_instruction="Be brief.")
    run_call(ScriptedCall(2.0), llm=llm, vad="text")

    assert llm.requests[0] == [{"role": "system", "content": "Be brief."}]


LINES = ["Take one tablet every morning with water.", "Do you feel dizzy?"]


def cut_call(script):
    call = ScriptedCall(16.0).patient("Wait, my dog barks.", on_heard="one").patient("Go on.", at_s=9.0)
    return [c.intended for c in run_call(call, replies=script, tts="words", vad="text").heard]


def test_a_deaf_agent_never_comes_back():
    """It says its next line."""
    assert cut_call(deaf(LINES)) == LINES


def test_a_looping_agent_says_the_same_for_ever():
    """Whatever happens."""
    assert cut_call(looping(LINES[0])) == [LINES[0]] * 3


def test_an_over_resuming_agent_starts_its_cut_line_again():
    """From the beginning, then its next line."""
    assert cut_call(over_resuming(LINES)) == [LINES[0], LINES[0], LINES[1]]


def test_a_cooperative_agent_says_what_was_not_heard():
    """It trusts the history, which counts the word that was begun."""
    assert cut_call(cooperative(LINES))[1] == "Of course. every morning with water."


def transcripts(result):
    kinds = {"TranscriptionFrame": "final", "InterimTranscriptionFrame": "interim"}
    entries = [e for e in result.parts.before.entries if e.kind in kinds and e.direction == "DOWNSTREAM"]
    return [(kinds[e.kind], e.text, round(e.at_s - result.started_at_s, 2)) for e in entries]


def test_a_segmented_recogniser_tells_a_segment_after_its_end():
    """One final transcript, 0.25 s after the VAD's stop."""
    call = ScriptedCall(6.0).patient("Yes, I do.", at_s=1.0)
    result = run_call(call, vad="text", opening=None)

    end_s = 1.0 + result.parts.input.clips[0].speech.duration_s
    assert transcripts(result) == [("final", "Yes, I do.", pytest.approx(end_s + 0.2 + 0.25, abs=0.011))]


def test_a_segment_cut_by_the_vad_gives_two_transcripts_with_the_words_of_each():
    """A pause longer than the VAD's patience splits the text where it splits the sound."""
    call = ScriptedCall(8.0).patient("Wait. I have one.", at_s=1.0)
    result = run_call(call, vad="energy", opening=None)

    assert [(kind, text) for kind, text, _ in transcripts(result)] == [("final", "Wait."), ("final", "I have one.")]


def test_a_streaming_recogniser_tells_words_as_they_end():
    """Interims grow word by word, the final one comes after the utterance."""
    call = ScriptedCall(6.0).patient("Yes, I do.", at_s=1.0)
    result = run_call(call, stt=ScriptedSTT("streaming", delay_s=0.1), vad="text", opening=None)

    assert [(kind, text) for kind, text, _ in transcripts(result)] == [
        ("interim", "Yes,"),
        ("interim", "Yes, I"),
        ("final", "Yes, I do."),
    ]


def test_a_misheard_word_is_told_as_it_was_heard():
    """`heard_as` is what the recogniser makes of the sound."""
    call = ScriptedCall(5.0).patient("mm-hmm", heard_as="MMMHUM", at_s=1.0)

    assert [text for _, text, _ in transcripts(run_call(call, vad="text", opening=None))] == ["MMMHUM"]


def test_a_cough_has_no_text_unless_one_is_hallucinated():
    """Silence at the recogniser is the normal case."""
    plain = run_call(ScriptedCall(4.0).cough(at_s=1.0), vad="text", opening=None)
    hallucinated = run_call(ScriptedCall(4.0).cough(at_s=1.0, heard_as="Thank you."), vad="text", opening=None)

    assert transcripts(plain) == []
    assert [text for _, text, _ in transcripts(hallucinated)] == ["Thank you."]


def test_transcripts_carry_their_speaker():
    """A diarising recogniser labels the third party."""
    call = ScriptedCall(6.0).third_party("Dinner is ready.", at_s=1.0)
    result = run_call(call, vad="text", opening=None)

    assert [e.frame.user_id for e in result.parts.before.entries if e.kind == "TranscriptionFrame"] == ["third-party"]


def test_speech_without_a_model_needs_no_reply():
    """A frame can open the call instead of the model."""
    result = run_call(ScriptedCall(3.0), opening=lambda: TTSSpeakFrame("Good morning."), vad="text")

    assert [c.text for c in result.heard] == ["Good morning."]
    assert result.parts.llm.requests == []
    assert LLMRunFrame is not None
