"""What transports, recognisers and voices take and ignore.

Owns these rules: each names a setting that cannot do anything in the pipeline at hand.
"""

from __future__ import annotations

from collections.abc import Iterator

from pipecat.processors.aggregators.llm_response_universal import LLMUserAggregator
from pipecat.processors.aggregators.llm_text_processor import LLMTextProcessor
from pipecat.services.stt_service import SegmentedSTTService, STTService
from pipecat.services.tts_service import TextAggregationMode, TTSService
from pipecat.transports.base_input import BaseInputTransport
from pipecat.transports.base_output import BaseOutputTransport

from pipecat_interrupt.hold.backend import hold_remarks
from pipecat_interrupt.lint.finding import Bot, Finding, setting

SILENCE_S = 2.0
"""Pipecat's default of `silence_time_s`."""


def audio_in(bot: Bot) -> Iterator[Finding]:
    """Sound of the caller that never comes in, or goes by at another rate than the recogniser believes."""
    for transport in bot.all(BaseInputTransport):
        params = transport._params
        if not params.audio_in_enabled and bot.all(STTService):
            also = " and audio_in_filter" if params.audio_in_filter is not None else ""
            yield Finding(
                "audio-in-disabled",
                transport.name,
                f"audio_in_enabled is False, so the recogniser{also} gets no sound",
                "Set audio_in_enabled=True",
            )
        yield from _rate(bot, transport.name, "audio_in_sample_rate", params.audio_in_sample_rate)


def audio_out(bot: Bot) -> Iterator[Finding]:
    """Sound of the agent that never goes out."""
    voices = bot.all(TTSService)
    for transport in bot.all(BaseOutputTransport):
        params = transport._params
        if not params.audio_out_enabled and voices:
            yield Finding(
                "audio-out-disabled",
                transport.name,
                "audio_out_enabled is False, so everything the voice says is thrown away without an error",
                "Set audio_out_enabled=True",
            )
        for voice in voices:
            destination = setting(voice, "_transport_destination")
            if destination is not None and destination not in params.audio_out_destinations:
                yield Finding(
                    "destination-not-registered",
                    voice.name,
                    f"transport_destination={destination!r} is no destination of the transport; its sound is dropped",
                    "Name it in TransportParams(audio_out_destinations=[...])",
                )
        yield from _rate(bot, transport.name, "audio_out_sample_rate", params.audio_out_sample_rate)


def voice_detection(bot: Bot) -> Iterator[Finding]:
    """A voice detector that hears nothing: the sound ends before it gets there."""
    for user in bot.all(LLMUserAggregator):
        if user._params.vad_analyzer is None:
            continue
        before = bot.processors[: bot.processors.index(user)]
        for processor in before:
            blocked = ""
            if isinstance(processor, BaseInputTransport) and not processor._params.audio_in_passthrough:
                blocked = "audio_in_passthrough=False"
            elif isinstance(processor, STTService) and not setting(processor, "_audio_passthrough", True):
                blocked = "audio_passthrough=False"
            if blocked:
                yield Finding(
                    "vad-hears-nothing",
                    user.name,
                    f"vad_analyzer gets no sound: {processor.name} has {blocked}",
                    f"Remove {blocked}, or detect voices in front of it with a VADProcessor",
                )


def segmented(bot: Bot) -> Iterator[Finding]:
    """A recogniser that transcribes segments and is never told of one."""
    from pipecat_interrupt.lint.turn_rules import detects_voices

    for stt in bot.all(SegmentedSTTService):
        if not detects_voices(bot):
            yield Finding(
                "segments-without-vad",
                stt.name,
                "it transcribes what voice detection marks, and nothing in this pipeline detects voices",
                "Give LLMUserAggregatorParams a vad_analyzer",
            )


def voices(bot: Bot) -> Iterator[Finding]:
    """Settings of a voice that its other settings switch off."""
    for tts in bot.all(TTSService):
        tokens = setting(tts, "_text_aggregation_mode") == TextAggregationMode.TOKEN
        if setting(tts, "_append_trailing_space", False) and tokens:
            yield Finding(
                "trailing-space-in-token-mode",
                tts.name,
                "append_trailing_space works on sentences only, and this voice gets single tokens",
                "Drop it, or use TextAggregationMode.SENTENCE",
            )
        if setting(tts, "_silence_time_s", SILENCE_S) != SILENCE_S and not setting(tts, "_push_silence_after_stop"):
            yield Finding(
                "silence-time-unused",
                tts.name,
                "silence_time_s is used only with push_silence_after_stop=True",
                "Set push_silence_after_stop=True, or drop it",
            )
        skipped = [t for t in setting(tts, "_skip_text_types", ()) if str(t) not in ("sentence", "token")]
        if skipped and not bot.all(LLMTextProcessor):
            yield Finding(
                "skip-text-types-unused",
                tts.name,
                f"skip_text_types={[str(t) for t in skipped]} names types that nothing in this pipeline makes, so such"
                " text is spoken",
                "Place an LLMTextProcessor with a pattern aggregator between model and voice",
            )


def holds(bot: Bot) -> Iterator[Finding]:
    """What makes the kit's holds worse than they need be."""
    if bot.kit is None or bot.kit.hold is None:
        return
    for output in bot.all(BaseOutputTransport):
        for tts in bot.all(TTSService):
            for code, what, fix in hold_remarks(output, tts, bot.kit.hold):
                yield Finding(code, output.name, what, fix[0].upper() + fix[1:])


def _rate(bot: Bot, where: str, name: str, own_hz: int | None) -> Iterator[Finding]:
    """A transport's own rate wins over the pipeline's, and services believe the pipeline's."""
    if bot.worker is None or own_hz is None:
        return
    pipeline_hz = getattr(bot.worker.params, name)
    if own_hz != pipeline_hz:
        yield Finding(
            "sample-rate-overruled",
            where,
            f"PipelineParams({name}={pipeline_hz}) does not reach it: TransportParams({name}={own_hz}) wins there,"
            f" while services without a rate of their own take {pipeline_hz} Hz",
            "Give one rate, in PipelineParams",
        )
