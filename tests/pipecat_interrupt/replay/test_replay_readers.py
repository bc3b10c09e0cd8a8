"""Transcripts of four forms become one timeline; hostile ones are refused with a clear reason and nothing else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from obligations.pathway import load_pathway
from pipecat_interrupt.replay.errors import RecordingRefused
from pipecat_interrupt.replay.inputs import calls_in
from pipecat_interrupt.replay.readers import read_text
from pipecat_interrupt.replay.readers.call_file import to_call_file
from pipecat_interrupt.replay.recognise import sides_by_wording
from pipecat_interrupt.replay.settings import ReplaySettings

from .calls import call, piece

pytestmark = pytest.mark.unit

pytest.importorskip("praatio")
pytest.importorskip("webvtt")

SETTINGS = ReplaySettings()


def _deepgram(*words: tuple[str, float, float, int], channels: int = 1) -> dict[str, Any]:
    made = [{"word": w, "punctuated_word": w, "start": a, "end": b, "speaker": s} for w, a, b, s in words]
    return {"results": {"channels": [{"alternatives": [{"words": made}]}] * channels}}


def _grid(*tiers: tuple[str, list[tuple[float, float, str]]]) -> str:
    head = 'File type = "ooTextFile"\nObject class = "TextGrid"\n\nxmin = 0\nxmax = 10\ntiers? <exists>\n'
    body = f"size = {len(tiers)}\nitem []:\n"
    for number, (name, intervals) in enumerate(tiers, start=1):
        body += f'    item [{number}]:\n        class = "IntervalTier"\n        name = "{name}"\n        xmin = 0\n'
        body += f"        xmax = 10\n        intervals: size = {len(intervals)}\n"
        for i, (a, b, text) in enumerate(intervals, start=1):
            body += f"        intervals [{i}]:\n            xmin = {a}\n            xmax = {b}\n"
            body += f'            text = "{text}"\n'
    return head + body


def _read(path: Path, content: str | bytes | object, settings: ReplaySettings = SETTINGS) -> Any:
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return read_text([path], settings, "c1")


def _said(timeline: Any) -> tuple[list[str], list[str]]:
    return [p.text for p in timeline.agent], [p.text for p in timeline.far]


def test_deepgrams_speakers_are_told_by_their_label(tmp_path: Path) -> None:
    """One channel, diarised: the label named as the agent's is the agent."""
    data = _deepgram(("Any", 0.0, 0.2, 0), ("pain?", 0.2, 0.5, 0), ("No.", 1.0, 1.2, 1))

    timeline = _read(tmp_path / "c.json", data, ReplaySettings(agent_labels=("0",)))

    assert _said(timeline) == (["Any pain?"], ["No."])
    assert all(p.exact and p.recognised for p in (*timeline.agent, *timeline.far))


def test_deepgrams_speakers_without_a_name_are_not_guessed(tmp_path: Path) -> None:
    """Which of two voices is the agent decides everything, so nobody guesses."""
    with pytest.raises(RecordingRefused, match="--agent-label") as refused:
        _read(tmp_path / "c.json", _deepgram(("Hi", 0.0, 0.2, 0), ("Hi", 0.5, 0.7, 1)))

    assert refused.value.code == "no_voices"


def test_deepgrams_two_channels_follow_the_convention_and_say_so(tmp_path: Path) -> None:
    """Caller first, agent second, unless told otherwise."""
    timeline = _read(tmp_path / "c.json", _deepgram(("Hi", 0.0, 0.2, 0), channels=2))

    assert _said(timeline) == (["Hi"], ["Hi"])
    assert [note.code for note in timeline.notes] == ["channels_by_convention"]


@pytest.mark.parametrize(("agent_first", "codes"), [(True, ["channels_swapped"]), (False, [])])
def test_the_pathways_wording_tells_deepgrams_channels_apart(
    tmp_path: Path, agent_first: bool, codes: list[str]
) -> None:
    """A convention that the words speak against would call everything lost that was said."""
    pathway = load_pathway("cataract-followup")
    said = [pathway.items[i].wording["en"] for i in ("redness", "pain", "driving.wait")]
    sides = [_spoken(" ".join(said)), _spoken("No, thank you, that is all there is to say.")]
    data = {"results": {"channels": sides if agent_first else sides[::-1]}}

    read = _read(tmp_path / "c.json", data)
    told = sides_by_wording(read, pathway, SETTINGS)

    assert told.agent[0].text.startswith(said[0])
    assert [note.code for note in told.notes] == codes
    assert not told.patient_named, "a channel is a line, and names nobody"
    assert read == sides_by_wording(read, None, SETTINGS)


def _spoken(text: str) -> dict[str, Any]:
    words = [{"word": w, "start": 0.3 * i, "end": 0.3 * i + 0.2} for i, w in enumerate(text.split())]
    return {"alternatives": [{"words": words}]}


def test_a_textgrid_with_two_tiers(tmp_path: Path) -> None:
    """Tiers are voices; transcribers' marks go, times of words are spread and say so."""
    text = _grid(("doctor", [(0, 2, "Any <UNIN/> pain?"), (2, 10, "")]), ("patient", [(0, 3, ""), (3, 4, "No.")]))

    timeline = _read(tmp_path / "c.TextGrid", text)

    assert _said(timeline) == (["Any pain?"], ["No."])
    assert timeline.agent[0].words[-1].end_s == 2.0
    assert [note.code for note in timeline.notes] == ["times_spread"]


def test_two_textgrids_of_one_tier_are_one_call(tmp_path: Path) -> None:
    """The files' names tell the voices."""
    for who, text in (("doctor", "Any pain?"), ("patient", "No.")):
        content = _grid(("Speaker", [(0, 1 if who == "doctor" else 2, text)]))
        (tmp_path / f"day1_{who}.TextGrid").write_text(content, encoding="utf-8")

    found = calls_in(tmp_path, SETTINGS)
    timeline = read_text(found[0].texts, SETTINGS, found[0].call_id)

    assert [c.call_id for c in found] == ["day1"]
    assert _said(timeline) == (["Any pain?"], ["No."])


def test_webvtt_with_voices(tmp_path: Path) -> None:
    """Voice tags and "Name: words" both tell the voice; entities are words again."""
    text = (
        "WEBVTT\n\n00:00:00.500 --> 00:00:02.000\n<v Agent>Any pain &amp; redness?\n\n"
        "00:00:02.500 --> 00:00:03.000\nPatient: No.\n\n"
    )

    timeline = _read(tmp_path / "c.vtt", text)

    assert _said(timeline) == (["Any pain & redness?"], ["No."])
    assert (timeline.agent[0].start_s, timeline.far[0].end_s) == (0.5, 3.0)


@pytest.mark.parametrize(
    ("cue", "code", "line"),
    [
        ("00:09,000 --> 00:12,000\n<v Caller>Yes, very bad pain.", "bad_times", 6),
        ("00:09.000->00:12.000\n<v Caller>Yes, very bad pain.", "bad_text", 6),
        ("00:09.000 --> 00:99.000\n<v Caller>Yes, very bad pain.", "bad_times", 6),
        ("00:70.000 --> 01:12.000\n<v Caller>Yes, very bad pain.", "bad_times", 6),
        ("7\n9 --> 12\n<v Caller>Yes, very bad pain.", "bad_times", 7),
        ("00:09.000 --> 00:12.0001\n<v Caller>Yes, very bad pain.", "bad_times", 6),
        ("00:09.000 --> 00:12.000\n<v Caller>Well,\n\nyes, very bad pain.", "bad_text", 9),
        ("00:09.000 --> 00:12.000\n<v Caller>Well,\n\nNOTED: very bad pain.", "bad_text", 9),
        ("00:09.000 --> 00:12.000\n<v Agent>And now?\n<v Caller>Yes, very bad pain.", "bad_text", 8),
    ],
)
def test_a_cue_that_webvtt_passes_over_refuses_the_file(tmp_path: Path, cue: str, code: str, line: int) -> None:
    """The line left out may be the patient's answer: the file is refused by name, line and fix."""
    text = f"WEBVTT\n\n00:00.500 --> 00:02.000\n<v Agent>Any pain?\n\n{cue}\n\n"

    with pytest.raises(RecordingRefused) as refused:
        _read(tmp_path / "c.vtt", text)

    assert refused.value.code == code
    assert f"c.vtt: line {line}: " in str(refused.value)
    assert "pain" not in str(refused.value)


def test_webvtt_with_notes_styles_settings_and_comparisons_is_read_whole(tmp_path: Path) -> None:
    """What holds no words is passed over, and a "<" that is no tag is speech."""
    text = (
        "\ufeffWEBVTT - a call\r\nKind: captions\r\n\r\nSTYLE\r\n::cue { color: red }\r\n\r\n"
        "NOTE a --> b\r\n\r\n1\r\n0:0:1.5 --> 0:0:2.0 align:start\r\n<v Agent>How <i>many</i>?</v>\r\n\r\n\r\n"
        "00:03.000 --> 00:04.000\r\n<v Patient>Pain <3 days and >2.\r\n"
    )

    timeline = _read(tmp_path / "c.vtt", text)

    assert [p.text.split() for p in (*timeline.agent, *timeline.far)] == [
        ["How", "many", "?"],
        ["Pain", "<3", "days", "and", ">2."],
    ]


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("c.json", '{"results": ' + "9" * 5000 + "}", "a number in it is too long"),
        ("c.vtt", "WEBVTT\n\n00:01.000 --> 00:02.000\nAgent: Olá!\n".encode("latin-1"), "save it as UTF-8"),
        ("c.vtt", "WEBVTT\n\n00:01.000 --> 00:02.000\nAgent: Olá\n".encode("latin-1"), "save it as UTF-8"),
        ("c.vtt", "Agent: hello\n", 'its first line must be "WEBVTT"'),
        ("c.TextGrid", _grid().replace("size = 0\nitem []:", "size = 9"), "save it again"),
    ],
)
def test_a_broken_transcript_is_told_what_helps(tmp_path: Path, name: str, content: str | bytes, says: str) -> None:
    """Not the name of an error of ours."""
    with pytest.raises(RecordingRefused, match=says) as refused:
        _read(tmp_path / name, content)

    assert "Error" not in str(refused.value)


def test_our_own_call_file_comes_back_as_it_was(tmp_path: Path) -> None:
    """What is written is read again, intended text included."""
    before = call([piece(0.0, "Any pain", intended="Any pain in your eye?")], [piece(2.0, "No.", recognised=True)])

    after = _read(tmp_path / "c.json", to_call_file(before).model_dump_json())

    assert after.agent[0].intended == "Any pain in your eye?"
    assert after.far[0].recognised
    assert _said(after) == _said(before)


HOSTILE: list[tuple[str, str | bytes, str]] = [
    ("c.json", b"", "empty"),
    ("c.json", b"\xff\xd8\xff\xe0 not text \x00\x00", "bad_text"),
    ("c.json", "{", "bad_text"),
    ("c.json", "[" * 200_000, "bad_text"),
    ("c.json", "[]", "unknown_form"),
    ("c.json", json.dumps(_deepgram(("a", -1.0, 0.2, 0))), "bad_times"),
    ("c.json", json.dumps(_deepgram(("a", 2.0, 1.0, 0))), "bad_times"),
    ("c.vtt", "WEBVTT\n\n00:09.000 --> 00:03.000\n<v Patient>Yes, it is very red.\n", "bad_times"),
    ("c.json", json.dumps(_deepgram(("a", 0.0, 1e9, 0))), "bad_times"),
    ("c.json", '{"results": {"channels": [{"alternatives": [{"words": [{"word": "a"}]}]}]}}', "bad_times"),
    ("c.json", '{"results": {"channels": [1, 2, 3]}}', "channels"),
    ("c.json", '{"results": {"channels": [{"alternatives": [{"words": "no"}]}]}}', "bad_text"),
    (
        "c.json",
        '{"results": {"channels": [{"alternatives": [{"words": [{"word": "a", "start": NaN, "end": 1}]}]}]}}',
        "bad_times",
    ),
    ("c.json", '{"form": "pipecat-interrupt-call", "agent": [{"words": []}]}', "bad_text"),
    ("c.json", '{"form": "pipecat-interrupt-call", "version": 7}', "bad_text"),
    ("c.json", '{"form": "pipecat-interrupt-call"}', "empty"),
    ("c.TextGrid", "hello", "bad_text"),
    ("c.TextGrid", 'File type = "ooTextFile"\nObject class = "TextGrid"\nrubbish', "bad_text"),
    ("c.vtt", "hello", "bad_text"),
    ("c.vtt", "WEBVTT\n\n", "empty"),
    ("c.txt", "hello", "unknown_form"),
]


@pytest.mark.parametrize(("name", "content", "code"), HOSTILE)
def test_a_hostile_transcript_is_refused_with_its_reason(
    tmp_path: Path, name: str, content: str | bytes, code: str
) -> None:
    """One clear code, the file's name, and no other kind of error."""
    with pytest.raises(RecordingRefused) as refused:
        _read(tmp_path / name, content)

    assert refused.value.code == code
    assert str(refused.value).startswith(f"{name}: ")


def test_a_refusal_tells_no_words_of_the_call(tmp_path: Path) -> None:
    """Refusals go to logs and pages; words of patients stay in the journal."""
    data = _deepgram(("secretword", 2.0, 1.0, 0))

    with pytest.raises(RecordingRefused) as refused:
        _read(tmp_path / "c.json", data)

    assert "secretword" not in str(refused.value)


_JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["words", "word", "start", "end", "speaker", "alternatives", "x"]), inner)
    ),
    max_leaves=12,
)


@given(channels=st.lists(_JSON, max_size=3))
def test_whatever_stands_in_deepgrams_place_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, channels: list[object]
) -> None:
    """No JSON makes the reader fail otherwise than by refusing."""
    path = tmp_path_factory.getbasetemp() / "fuzz.json"
    path.write_text(json.dumps({"results": {"channels": channels}}), encoding="utf-8")

    try:
        timeline = read_text([path], SETTINGS, "c1")
    except RecordingRefused:
        return
    assert timeline.agent or timeline.far
