"""What is done with a stretch of speech: one table from how it counts and what it is to the call. Pure.

Promises: nobody's urgent words are ever ignored; a third party's words never reach the model as the patient's; with
nobody enrolled everything passes (a gate that does not know does not shut).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from speaker_gate.policy.kinds import Relevance
from speaker_gate.replies import Standing


class Action(StrEnum):
    """What becomes of a stretch of speech.

    PASS: to the model as the patient's; it may close an item.
    PASS_MARKED: to the model as the patient's, marked inferred, assumed or unsure.
    ATTRIBUTE: to the model as what somebody with the patient, certain or likely, said: unverified, to be confirmed.
    ALERT: as ATTRIBUTE, at once, and the agent's utterance may be interrupted for it.
    IGNORE: not to the model, does not interrupt; journal only.
    DROP_ECHO: the agent's own voice; not to the model.
    ASK_WHO: to the model with the request to confirm once who spoke.
    """

    PASS = "pass"
    PASS_MARKED = "pass_marked"
    ATTRIBUTE = "attribute"
    ALERT = "alert"
    IGNORE = "ignore"
    DROP_ECHO = "drop_echo"
    ASK_WHO = "ask_who"

    @property
    def interrupts(self) -> bool:
        """True when it may take the floor from the agent."""
        return self in (Action.PASS, Action.PASS_MARKED, Action.ALERT, Action.ASK_WHO)

    @property
    def reaches_model(self) -> bool:
        """True when the words reach the model in some form."""
        return self not in (Action.IGNORE, Action.DROP_ECHO)

    @property
    def may_close(self) -> bool:
        """True when the words may close an item without a confirmation of the speaker."""
        return self in (Action.PASS, Action.PASS_MARKED)


_BY_STANDING = {
    Standing.PRIMARY: Action.PASS,
    Standing.INFERRED: Action.PASS_MARKED,
    Standing.ASSUMED: Action.PASS_MARKED,
    Standing.CONFIRM: Action.ASK_WHO,
    Standing.UNSURE: Action.PASS_MARKED,
    Standing.LIKELY_OTHER: Action.ATTRIBUTE,
    Standing.AGENT_ECHO: Action.DROP_ECHO,
}


@dataclass(frozen=True, slots=True)
class PolicyChoice:
    """The action with its ground.

    Parameters:
        action: What is done.
        relevance: What the words are to the call; None for the patient's own.
        why: Short reason for the journal; no transcript text.
    """

    action: Action
    relevance: Relevance | None
    why: str


def choose(standing: Standing, relevance: Relevance | None, *, handover_granted: bool = False) -> PolicyChoice:
    """Choose the action.

    Args:
        standing: How the speech counts.
        relevance: Reading of the words; needed for third-party speech. For a voice that is likely another's it only
            says whether to alert: what may be the patient's is never ignored. Otherwise only URGENT counts.
        handover_granted: True while the patient has handed the call to a carer: third-party speech that is not the
            agent's echo is then passed attributed even where it would be ignorable.
    """
    if standing is not Standing.THIRD_PARTY:
        if standing is Standing.AGENT_ECHO:
            return PolicyChoice(Action.DROP_ECHO, None, "agent's own voice")
        if standing is Standing.LIKELY_OTHER:
            action = Action.ALERT if relevance is Relevance.URGENT else Action.ATTRIBUTE
            return PolicyChoice(action, relevance, "likely somebody else's, not certain")
        return PolicyChoice(
            _BY_STANDING[standing], relevance if relevance is Relevance.URGENT else None, standing.value
        )
    if relevance is Relevance.URGENT:
        return PolicyChoice(Action.ALERT, relevance, "urgent, whoever says it")
    if handover_granted:
        return PolicyChoice(Action.ATTRIBUTE, relevance or Relevance.ANSWER_FOR_PATIENT, "patient handed the call over")
    if relevance is None or relevance is Relevance.IGNORABLE:
        return PolicyChoice(Action.IGNORE, Relevance.IGNORABLE, "nothing for the call")
    return PolicyChoice(Action.ATTRIBUTE, relevance, "useful, unverified")
