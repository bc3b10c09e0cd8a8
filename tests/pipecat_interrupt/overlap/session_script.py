"""Scripts for the overlap state machine: floors, texts, and actions as short names."""

from __future__ import annotations

from pipecat_interrupt.overlap.actions import Action, Forward, HoldAudio, Refuse, Report, ResumeAudio, StartTurn, Text
from pipecat_interrupt.overlap.config import OverlapConfig
from pipecat_interrupt.overlap.evidence import AgentFloor
from pipecat_interrupt.overlap.judge import OverlapJudge
from pipecat_interrupt.overlap.session import OverlapSession

SPEAKING = AgentFloor(delivered_text="Take one tablet each", remaining_text="morning with water. Do not drink alcohol.")
ASKED = AgentFloor(
    delivered_text="Do you have any pain", remaining_text="in your eye today?", question_open=True, focus_heard=True
)
SILENT = AgentFloor(audible=False)


def session() -> OverlapSession:
    """A session that judges by the rules alone and waits for no unfinished words."""
    return OverlapSession(OverlapJudge(OverlapConfig(words_wait_s=0.0), models={}))


def streaming(language: str = "en") -> OverlapSession:
    """The same with the default wait for the words of a recogniser that streams."""
    return OverlapSession(OverlapJudge(OverlapConfig(language=language), models={}))


def named(actions: list[Action]) -> list[str]:
    """Actions as short names: what the live part would do."""
    out: list[str] = []
    for action in actions:
        if isinstance(action, Report):
            out.append(f"report {action.report.fact.verdict} {action.report.takes_floor}")
        elif isinstance(action, Forward):
            out.append(f"forward {action.text.text}")
        elif isinstance(action, Refuse):
            out.append(f"refuse {action.text.text} as {action.verdict.value}")
        elif isinstance(action, StartTurn):
            out.append("start turn")
        elif isinstance(action, HoldAudio):
            out.append("hold")
        elif isinstance(action, ResumeAudio):
            out.append("resume")
    return out


def said(number: int, text: str, *, final: bool = True) -> Text:
    """A transcript."""
    return Text(number, text, final)
