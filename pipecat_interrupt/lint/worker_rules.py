"""What the worker, and a kit, take and ignore.

Owns these rules: observation, heartbeats, idle timeouts, and arguments of ours that need another one.
"""

from __future__ import annotations

from collections.abc import Iterator

from pipecat.pipeline.worker import PipelineParams

from pipecat_interrupt.hold.protocol import HOLD_BUDGET_S_MAX
from pipecat_interrupt.lint.finding import Bot, Finding, setting


def observation(bot: Bot) -> Iterator[Finding]:
    """Tracing and metrics settings that their switch leaves unused."""
    worker = bot.worker
    if worker is None:
        return
    tracing, turns = setting(worker, "_enable_tracing", False), setting(worker, "_enable_turn_tracking", True)
    if tracing and not turns:
        yield Finding(
            "tracing-without-turn-tracking",
            worker.name,
            "enable_tracing makes no spans without enable_turn_tracking",
            "Set enable_turn_tracking=True",
        )
    names = ("conversation_id", "additional_span_attributes")
    given = [name for name in names if setting(worker, f"_{name}")]
    if given and not (tracing and turns):
        yield Finding(
            "span-settings-unused",
            worker.name,
            f"{' and '.join(given)} go into Pipecat's spans only, and it makes none",
            "Set enable_tracing=True, or drop them",
        )
    params = worker.params
    unused = [n for n in ("report_only_initial_ttfb", "send_initial_empty_metrics") if _changed(params, n)]
    if unused and not params.enable_metrics:
        yield Finding(
            "metrics-settings-unused",
            worker.name,
            f"{' and '.join(unused)} do nothing without enable_metrics",
            "Set enable_metrics=True, or drop them",
        )


def heartbeats(bot: Bot) -> Iterator[Finding]:
    """Heartbeat settings without heartbeats."""
    if bot.worker is None or bot.worker.params.enable_heartbeats:
        return
    params = bot.worker.params
    unused = [n for n in ("heartbeats_period_secs", "heartbeats_monitor_secs") if _changed(params, n)]
    if unused:
        yield Finding(
            "heartbeat-settings-unused",
            bot.worker.name,
            f"{' and '.join(unused)} do nothing without enable_heartbeats",
            "Set enable_heartbeats=True, or drop them",
        )


def idle(bot: Bot) -> Iterator[Finding]:
    """An idle timeout that may end the call while the agent's audio is held: nothing is said or heard then."""
    worker = bot.worker
    if worker is None or bot.kit is None:
        return
    idle_s = setting(worker, "_idle_timeout_secs")
    if idle_s and setting(worker, "_cancel_on_idle_timeout", True) and idle_s <= HOLD_BUDGET_S_MAX:
        yield Finding(
            "idle-timeout-inside-a-hold",
            worker.name,
            f"idle_timeout_secs={idle_s} ends the call while the agent is held, which may last {HOLD_BUDGET_S_MAX} s",
            "Give it minutes, or set cancel_on_idle_timeout=False",
        )


def live_exits(bot: Bot) -> Iterator[Finding]:
    """Facts for clients that nobody carries."""
    if bot.worker is None or bot.kit is None or bot.kit.rtvi is None:
        return
    if setting(bot.worker, "_rtvi") is None:
        yield Finding(
            "rtvi-facts-without-rtvi",
            bot.worker.name,
            "the kit's RtviFacts are not sent: this worker runs without RTVI",
            "Leave enable_rtvi at its default, or drop rtvi= from the kit",
        )


def kit_arguments(bot: Bot) -> Iterator[Finding]:
    """Arguments of ours that need another one."""
    kit = bot.kit
    if kit is None:
        return
    if kit.tracker is None and kit.unused_without_pathway:
        yield Finding(
            "kit-arguments-need-a-pathway",
            "InterruptKit",
            f"{', '.join(kit.unused_without_pathway)} do nothing without a pathway",
            "Give the kit a pathway, or drop them",
        )
    if kit.carrier is not None and kit.settings.playout_lag_s:
        yield Finding(
            "playout-lag-beside-carrier",
            "InterruptKit",
            "playout_lag_s is not used while the carrier's own marks tell what was played",
            "Drop it; what the carrier falls back to is MarkConfig(fallback_lag_s=...)",
        )


def _changed(params: PipelineParams, name: str) -> bool:
    return getattr(params, name) != type(params).model_fields[name].default
