"""Only the speaker gate: whose voice is this, and what may it do. No Pipecat is imported.

Run it: ``python examples/13_gate_alone.py``. Voices here are tones and the embedder a double, so it needs no model;
with the `speaker` extra, `speaker_gate.adapters.shared.shared_ears()` takes the place of `fake_ears()`.
"""

from __future__ import annotations

import sys

from speaker_gate import CallGate, GateSettings, WordsHeard
from speaker_gate.testing import fake_ears, say

RATE_HZ = 16_000


def turn(gate: CallGate, voice: str, text: str, at_s: float) -> None:
    """Let a voice speak for three seconds, and say what becomes of its words."""
    sound = say(voice, 3.0)
    gate.begin_turn(at_s, RATE_HZ)
    for start in range(0, len(sound), RATE_HZ // 50):
        gate.hear(sound[start : start + RATE_HZ // 50])
    verdict = gate.end_turn(at_s + 3.0)
    print(f"{at_s:4.0f} s  {text}\n        voice: {verdict.voice.value} ({verdict.decision.why.value})")
    for ruling in gate.rule(WordsHeard(text=text, now_s=at_s + 3.0), verdict):
        print(f"        words: {ruling.choice.action.value}, they count as {ruling.standing.value}")


def main() -> None:
    """Enrol the patient from the call itself, then let somebody else speak."""
    gate = CallGate(fake_ears(), settings=GateSettings(check_rate=False))
    turn(gate, "patient", "Hello, this is Maria speaking.", 0.0)
    turn(gate, "patient", "Yes, I have my tablets here.", 10.0)
    turn(gate, "television", "And now the weather in the north.", 20.0)
    turn(gate, "daughter", "She takes five milligrams of warfarin.", 30.0)
    turn(gate, "patient", "Yes, that is right.", 40.0)
    print(f"enrolment: {gate.status.value}; Pipecat loaded: {'pipecat' in sys.modules}")


if __name__ == "__main__":
    main()
