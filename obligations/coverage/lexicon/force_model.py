"""The shape of one language's speech-act phrases, as patterns over flat sentences."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ForceTable:
    """Phrases that show what a sentence does with its words.

    Parameters:
        announces: Promises to tell later. reports: repeats what somebody said, did or thought.
        endorses: The next sentence takes a report as the agent's own. endorsed_within: the rest of the same one does.
        doubts: The agent does not stand behind it. doubts_following: nor in the next sentence ("I would have to look
            that up"). others: speaks of other people.
        asks: How a question opens. asks_inside: a question inside a sentence with a question mark.
        asks_strict: Openings that ask even where no question mark survived.
        tag: A closing tag that leaves the statement standing.
        answers_yes: The next sentence answers yes. retracts: the next sentence takes it back.
        echo_yes: The next sentence, as written, echoes the question's verb and stops ("You can, at any point").
        marks_all: Whether every sentence with a question mark asks, as the word order does not tell.
        later: Words that put a promise off. lifts_following: before a colon, lifts what follows it.
        retracted: The sentence takes its own words back. releases: stands just before and lifts an instruction.
    """

    announces: re.Pattern[str]
    reports: re.Pattern[str]
    endorses: re.Pattern[str]
    endorsed_within: re.Pattern[str]
    doubts: re.Pattern[str]
    doubts_following: re.Pattern[str]
    others: re.Pattern[str]
    asks: re.Pattern[str]
    asks_inside: re.Pattern[str]
    asks_strict: re.Pattern[str]
    tag: re.Pattern[str]
    answers_yes: re.Pattern[str]
    retracts: re.Pattern[str]
    retracted: re.Pattern[str]
    releases: re.Pattern[str]
    marks_all: bool
    echo_yes: re.Pattern[str]
    later: re.Pattern[str]
    lifts_following: re.Pattern[str]
