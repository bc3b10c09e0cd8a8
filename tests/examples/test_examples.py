"""Every example that needs no key runs and prints what its docstring promises."""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.pipeline

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def _printed(name: str) -> str:
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / name)],
        capture_output=True,
        text=True,
        timeout=55,
        check=False,
        cwd=EXAMPLES.parent,
        env=os.environ | {"PYTHONPATH": str(EXAMPLES.parent)},  # this checkout, wherever another one is installed
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def test_the_journal_example_shows_what_was_heard_and_what_was_not() -> None:
    """The cut sentence stands whole as intended, and split as delivered and undelivered."""
    printed = _printed("01_journal.py")

    assert "delivered:   Take one tablet every morning with water.\n" in printed
    assert "undelivered:  Do not drink alcohol while you take it." in printed
    assert "chain intact" in printed
    assert 'question: "Sorry, wait, how big are they?"' in printed


def test_the_phone_bot_is_called_cut_off_and_hands_off() -> None:
    """Over a real socket on this machine: what was heard before the cut stands, the rest is open with its reason."""
    printed = _printed("04_full_phone_bot.py")

    assert "# Hand-off: Follow-up after a cataract operation" in printed
    assert "I am an automated assistant, not a person." in printed
    assert "never reached" in printed


def test_the_transfer_example_speaks_the_carriers_api() -> None:
    """A live call is redirected with TwiML; a call the carrier does not know is told apart and lets the call go on."""
    printed = _printed("06_transfer.py")

    assert "POST /2010-04-01/Accounts/AC1/Calls/CA1.json <Response><Dial><Sip>sip:emergency@hospital.example" in printed
    assert "CA1: put through\n" in printed
    assert "CA2: the carrier answered 404; the patient is told, and the call goes on\n" in printed


def test_the_flows_example_hears_the_advice_before_the_flow_ends_the_call() -> None:
    """Flows' own end of the conversation meets the guard: the model's goodbye, then the advice, then the end."""
    heard = [line for line in _printed("07_flows.py").splitlines() if line.startswith("heard: ")]

    assert "heard: Lovely. Thank you for your time." == heard[1]
    assert heard[2].endswith("Call an ambulance if you have chest pain.")
    assert ["heard: That is all. Goodbye."] == heard[3:]


def _ran(name: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Run an example in this process, which has its packages loaded already."""
    runpy.run_path(str(EXAMPLES / name), run_name="__main__")
    return capsys.readouterr().out


def test_the_recorder_works_alone(capsys: pytest.CaptureFixture[str]) -> None:
    """In a stock bot whose own history says that all was said, the record says what was heard, and errs short."""
    printed = _ran("10_heard_truth_alone.py", capsys)

    assert "stock history: Take one tablet every morning with water. Do not drink alcohol" in printed
    assert "delivered:     Take one tablet every morning\n" in printed
    assert "estimated" in printed


def test_judgement_and_hold_work_alone(capsys: pytest.CaptureFixture[str]) -> None:
    """Without kit, recorder and ledger: a listening sound leaves the agent speaking, a stop yields."""
    listened, stopped = _ran("11_floor_alone.py", capsys).split("Stop, please.\n", 1)

    assert "backchannel, floor taken: False" in listened
    assert "for half an hour after it." in listened
    assert "stop_request, floor taken: True" in stopped
    assert "after it" not in stopped


def test_the_ledger_works_alone() -> None:
    """Without Pipecat: a cut question is asked again, and what stays open stands in the hand-off."""
    printed = _printed("12_ledger_alone.py")

    assert "[cut]" in printed
    assert "answered: [('redness', 'no')]" in printed
    assert "open: []" not in printed
    assert "Pipecat loaded: False" in printed


def test_the_gate_works_alone() -> None:
    """Without Pipecat: the patient is enrolled from the call, the television is ignored, a carer is attributed."""
    printed = _printed("13_gate_alone.py")

    assert "words: ignore, they count as third_party" in printed
    assert "words: attribute, they count as third_party" in printed
    assert printed.rstrip().endswith("Pipecat loaded: False")
    assert printed.count("they count as primary") == 1


def test_the_journal_and_its_live_exit_work_alone(capsys: pytest.CaptureFixture[str]) -> None:
    """Without a kit: facts of an application's own are chained, kept and told, and no word goes out."""
    printed = _ran("14_live_alone.py", capsys)

    assert "client: 2 {'kind': 'move', 'purpose': 'ask'" in printed
    assert "grandson" not in printed
    assert "journal: 3 entries, chain intact; spilled: False" in printed


def test_no_example_is_longer_than_a_screen_and_a_half() -> None:
    """An example over 80 lines explains two things."""
    assert {p.name: n for p in EXAMPLES.glob("*.py") if (n := len(p.read_text().splitlines())) > 80} == {}
