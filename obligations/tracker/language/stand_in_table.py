"""The form of the words by which somebody on the telephone is, or is not, the patient.

Owns what such a table holds; `stand_in` gives the one of a language.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from obligations.tracker.language.table import NEVER


@dataclass(frozen=True, slots=True)
class StandInTable:
    """How it sounds in one language.

    Parameters:
        introduces: "This is his wife", "I will answer for her".
        not_here: "He's asleep", said of nobody the reply has named as the speaker's own.
        own_kin: "My husband": then "he" is not the patient.
        others: Anybody else "he" may be ("the doctor"), besides the speaker's own.
        of_them: What answers for the patient or says why they cannot ("he has no pain", "she says no", "he's deaf"),
            said of nobody the reply has named.
        of_kin: The same of the speaker's own as the patient ("it's my husband's eye", "my mum doesn't hear well").
        of_self: "It's my eye": whoever says it is the patient, whoever else they are.
        hands_over: "I'll put my wife on", "talk to my daughter": the next voice is not the patient's.
        is_patient: "It's me, I'm awake now".
        is_here: "He's here now", "I'll put him on": what comes next is the patient's.
        fetches: "I'll get him": the patient is waited for.
        affirms: A whole reply that says yes to "am I speaking with the patient now?".
        titles: Of whom somebody speaks ("his"), and the title that is then the patient's own ("this is Mr").
    """

    introduces: re.Pattern[str] = NEVER
    not_here: re.Pattern[str] = NEVER
    own_kin: re.Pattern[str] = NEVER
    others: re.Pattern[str] = NEVER
    of_them: re.Pattern[str] = NEVER
    of_kin: re.Pattern[str] = NEVER
    of_self: re.Pattern[str] = NEVER
    hands_over: re.Pattern[str] = NEVER
    is_patient: re.Pattern[str] = NEVER
    is_here: re.Pattern[str] = NEVER
    fetches: re.Pattern[str] = NEVER
    affirms: re.Pattern[str] = NEVER
    titles: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = ()
