"""From a settled account to its record. Pure; owns which end reason and which cut a record gets."""

from __future__ import annotations

from pipecat_interrupt.delivery.account import Account
from pipecat_interrupt.delivery.config import DeliveryConfig
from pipecat_interrupt.delivery.intents import Intent
from pipecat_interrupt.delivery.position import Position
from pipecat_interrupt.delivery.written import count_words
from pipecat_interrupt.facts import Cut, EndReason, UtteranceRecord


def record_of_account(
    account: Account,
    position: Position,
    config: DeliveryConfig,
    *,
    reason: EndReason,
    never_voiced: int = 0,
    llm_complete: bool = True,
    now_s: float | None = None,
) -> UtteranceRecord:
    """Make the record of an utterance a voice had taken up.

    Args:
        account: Its account, `intended` up to date.
        position: How far it was heard.
        config: Who speaks.
        reason: Why it is settled.
        never_voiced: Characters at its end that the voice was never given; they were not heard, whatever was played.
        llm_complete: Whether the model had finished writing.
        now_s: When it was settled.
    """
    chars = len(account.intended[: position.chars - never_voiced].rstrip()) if never_voiced else position.chars
    whole = chars == len(account.intended)
    if whole and (llm_complete or reason in ("complete", "lost")):
        reason, cut = "complete", None
    else:
        reason = "lost" if reason == "complete" else reason
        cut = Cut(
            chars=chars,
            words=count_words(account.intended[:chars], account.language),
            ms=position.ms,
            exactness=position.exactness,
            bound_words=position.bound_words,
            extent=position.extent,
            partial_text=position.partial_text,
            partial_spoken=position.partial_spoken,
        )
    delivered, undelivered = UtteranceRecord.split(account.intended, chars)
    return UtteranceRecord(
        id=account.id,
        intended=account.intended,
        delivered=delivered,
        undelivered=undelivered,
        cut=cut,
        llm_complete=llm_complete,
        started_s=account.started_s,
        ended_s=now_s,
        protected=account.protected,
        source=account.source,
        end_reason=reason,
        destination=account.destination,
        append_to_context=account.append_to_context,
        shape=account.shape,
        generated_ms=round(account.generated_s * 1000, 3),
        written_ms=round(account.written_s * 1000, 3),
        agent_id=config.agent_id,
        model_id=config.model_id if account.source == "llm" else "",
        configuration_hash=config.configuration_hash,
        context_id=account.context_id,
    )


def record_of_intent(
    intent: Intent, utterance_id: str, config: DeliveryConfig, *, reason: EndReason, now_s: float | None
) -> UtteranceRecord | None:
    """Make the record of what no voice took up: cut 0; None when it has no words at all."""
    text = intent.rest.strip()
    if not count_words(text, config.language):
        return None
    return UtteranceRecord(
        id=utterance_id,
        intended=text,
        delivered="",
        undelivered=text,
        cut=Cut(chars=0, words=0, ms=0.0, exactness="exact"),
        llm_complete=intent.complete,
        ended_s=now_s,
        protected=intent.protected,
        source=intent.kind,
        end_reason=reason,
        append_to_context=intent.append_to_context,
        agent_id=config.agent_id,
        model_id=config.model_id if intent.kind == "llm" else "",
        configuration_hash=config.configuration_hash,
    )
