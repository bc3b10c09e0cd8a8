"""What the demo's speakers say. One table; a changed line means rendering and checking it again."""

from __future__ import annotations

from dataclasses import dataclass

PATIENT_VOICE = "am_michael"
THIRD_PARTY_VOICE = "bf_emma"


@dataclass(frozen=True, slots=True)
class Line:
    """One clip to be rendered.

    Parameters:
        id: Name of the file, without suffix.
        text: What is said.
        voice: Kokoro voice.
        speed: Kokoro's speed, 1.0 is its normal one.
    """

    id: str
    text: str
    voice: str = PATIENT_VOICE
    speed: float = 1.0

    @property
    def speaker(self) -> str:
        """Role in the call."""
        return "third_party" if self.voice == THIRD_PARTY_VOICE else "patient"

    @property
    def accent(self) -> str:
        """Language tag, which the first letter of a Kokoro voice tells: American or British English."""
        return "en-GB" if self.voice.startswith("b") else "en-US"


LINES = (
    Line("red_no_light", "No, it isn't red. But is it normal that bright light bothers me?"),
    Line("cut_driving", "Sorry, wait, when can I drive again?"),
    Line("pain_no", "No, no pain."),
    Line("blurry_no", "No, it's clear."),
    Line("floaters_no", "No."),
    Line("flashes_no", "No, none."),
    Line("no_short", "No."),
    Line("okay", "Okay."),
    # "Mm-hmm." is heard as "M.M.H.", "Uh-huh." as "Hi Hi"; this one is as short as a hum is (0.7 s) and heard as "MHM".
    Line("mmhmm", "Mhm.", speed=1.3),
    Line("thanks_bye", "Okay, thank you. Goodbye."),
    Line("hello", "Hello?"),
    Line("yes_fine", "Yes, that's fine."),
    Line("say_again", "Sorry, could you say that again?"),
    Line("stop", "Stop, please."),
    Line("drive_parking", "Wait, where do I park on Thursday?"),
    Line("tp_dinner", "Dinner is ready, are you coming down?", THIRD_PARTY_VOICE),
    Line("tp_no_pain", "She has no pain at all.", THIRD_PARTY_VOICE),
    Line("tp_drops", "He forgot his drops yesterday.", THIRD_PARTY_VOICE),
)
