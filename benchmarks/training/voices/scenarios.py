"""The 26 scenarios of the third-party study and what each is to a call; the gold of the `third-party` evaluation.

Owns the mapping. The study labels each clip by a language model and does not publish a label for each scenario; this
is our reading of its definitions, and where a folder says `actionable` or `ignorable` that label is used instead.
"""

from __future__ import annotations

from speaker_gate.policy.kinds import Relevance

SCENARIOS: dict[str, Relevance] = {
    "endorsement": Relevance.IGNORABLE,
    "alignment": Relevance.IGNORABLE,
    "justification": Relevance.IGNORABLE,
    "recall_assistance": Relevance.ADDITION,
    "elaborative_addition": Relevance.ADDITION,
    "strategic_reframing": Relevance.SUGGESTION,
    "constraint_reminder": Relevance.CONSTRAINT,
    "modification": Relevance.CORRECTION,
    "entity_specification": Relevance.IGNORABLE,
    "detail_confirmation": Relevance.IGNORABLE,
    "constraint_clarification": Relevance.IGNORABLE,
    "goal_clarification": Relevance.IGNORABLE,
    "simple_correction_with_alternative": Relevance.CORRECTION,
    "veto_with_justification": Relevance.CONSTRAINT,
    "procedural_objection": Relevance.CONSTRAINT,
    "request_for_deferment": Relevance.SUGGESTION,
    "evaluative_commentary": Relevance.IGNORABLE,
    "anecdotal_association": Relevance.IGNORABLE,
    "knowledge_display": Relevance.ADDITION,
    "action_invalidation": Relevance.CONSTRAINT,
    "answer_preemption": Relevance.ANSWER_FOR_PATIENT,
    "expedited_execution": Relevance.SUGGESTION,
    "priority_alert": Relevance.URGENT,
    "task_coordination": Relevance.IGNORABLE,
    "social_engagement": Relevance.IGNORABLE,
    "spontaneous_inquiry": Relevance.IGNORABLE,
}

OURS: dict[str, Relevance] = {
    "television": Relevance.IGNORABLE,
    "handover_offer": Relevance.HANDOVER_OFFER,
}


def kind_of(scenario: str) -> Relevance:
    """What a scenario is to a call.

    Raises:
        KeyError: Neither one of the study's 26 nor one of ours.
    """
    return SCENARIOS[scenario] if scenario in SCENARIOS else OURS[scenario]


def scenario_in(stem: str) -> str | None:
    """Find the scenario in a clip's name; None when it names none."""
    found = [name for name in SCENARIOS if name in stem]
    return max(found, key=len, default=None)
