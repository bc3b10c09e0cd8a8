"""Names settings of Pipecat's and of ours that are taken and silently do nothing in the pipeline at hand.

Owns the list of rules; the codes and their reasons stand in docs/lint.md. A finding is a warning: nothing is changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pipecat_interrupt.lint import audio_rules, turn_rules, worker_rules
from pipecat_interrupt.lint.finding import Bot, Finding, read_bot
from pipecat_interrupt.lint.source import lint_source

if TYPE_CHECKING:
    from pipecat_interrupt.kit.kit import InterruptKit

__all__ = ["Finding", "lint", "lint_source"]

RULES: tuple[Callable[[Bot], Iterable[Finding]], ...] = (
    audio_rules.audio_in,
    audio_rules.audio_out,
    audio_rules.voice_detection,
    audio_rules.segmented,
    audio_rules.voices,
    audio_rules.holds,
    turn_rules.starters,
    turn_rules.recommended,
    turn_rules.detection,
    turn_rules.turn_settings,
    turn_rules.summaries,
    worker_rules.observation,
    worker_rules.heartbeats,
    worker_rules.idle,
    worker_rules.live_exits,
    worker_rules.kit_arguments,
)


def lint(pipeline: object, *, kit: InterruptKit | None = None, sources: Sequence[Path] = ()) -> list[Finding]:
    """Name what a pipeline was given and ignores; [] when there is nothing.

    Args:
        pipeline: A `PipelineWorker` (says most), a `Pipeline`, or a list of processors.
        kit: The kit that placed parts in it; `InterruptKit.lint` passes itself.
        sources: Source files of the bot, for arguments that leave no trace in the objects (docs/lint.md).

    Raises:
        TypeError: `pipeline` is none of these.
        SettingsError: A source is not Python.
    """
    bot = read_bot(pipeline, kit)
    found = [finding for rule in RULES for finding in rule(bot)]
    return [*found, *(finding for path in sources for finding in lint_source(path))]
