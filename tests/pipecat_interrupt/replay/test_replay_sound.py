"""Recordings: any rate and form is read, what lies about itself is refused, what is odd is noted."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from obligations.pathway import Pathway, load_pathway
from pipecat_interrupt.replay.calls import replay_files
from pipecat_interrupt.replay.channels import fit_clock, one_voice_each, voice_stretches
from pipecat_interrupt.replay.errors import RecordingRefused
from pipecat_interrupt.replay.inputs import CallInput
from pipecat_interrupt.replay.readers.call_file import to_call_file
from pipecat_interrupt.replay.recognise import transcribe
from pipecat_interrupt.replay.settings import ReplaySettings
from pipecat_interrupt.replay.sound import Sound, read_sound
from pipecat_interrupt.replay.values import RATE_HZ, Word
from pipecat_interrupt.testing.voice import PATIENT, speech

from .calls import call, piece

pytestmark = pytest.mark.unit

soundfile = pytest.importorskip("soundfile")
pytest.importorskip("soxr")

AGENT_TEXT = "Hello, I am calling from the eye clinic about your cataract operation."
FAR_TEXT = "Yes, hello, that is me speaking."


class TruthfulEar:
    """A fake recogniser: knows which voice it hears by its loudness, and when each word was said."""

    name = "truth"

    def __init__(self, loud: Sequence[Word], soft: Sequence[Word]) -> None:
        self._words = {"loud": loud, "soft": soft}
        self.asked_s: list[float] = []

    def hear(self, samples: np.ndarray, language: str | None) -> Sequence[Word]:
        """Give the words of the voice that is heard, from the first sound on."""
        self.asked_s.append(len(samples) / RATE_HZ)
        voice = "loud" if float(np.max(np.abs(samples))) > 0.3 else "soft"
        first_s = float(np.flatnonzero(np.abs(samples) > 0.01)[0]) / RATE_HZ
        return [Word(w.text, first_s + w.start_s, first_s + w.end_s) for w in self._words[voice]]


def _sound(text: str, gain: float, rate: int = RATE_HZ) -> tuple[np.ndarray, list[Word]]:
    clip = speech(text, PATIENT, rate)
    samples = clip.samples.astype(np.float64)
    samples = samples / np.max(np.abs(samples)) * gain
    return samples.astype(np.float32), [Word(w.text, w.start_s, w.end_s) for w in clip.words]


def _stereo(path: Path, *, agent_left: bool = False, rate: int = RATE_HZ, subtype: str = "PCM_16") -> TruthfulEar:
    agent, agent_words = _sound(AGENT_TEXT, 0.6, rate)
    far, far_words = _sound(FAR_TEXT, 0.15, rate)
    gap = np.zeros(rate, dtype=np.float32)
    agent_channel = np.concatenate([agent, gap, np.zeros_like(far), gap])
    far_channel = np.concatenate([np.zeros_like(agent), gap, far, gap])
    channels = (agent_channel, far_channel) if agent_left else (far_channel, agent_channel)
    soundfile.write(path, np.stack(channels, axis=1), rate, subtype=subtype)
    return TruthfulEar(agent_words, far_words)


@pytest.fixture(scope="module")
def pathway() -> Pathway:
    return load_pathway("cataract-followup")


@pytest.mark.parametrize(
    ("name", "rate", "subtype"),
    [
        ("c.wav", 8000, "PCM_16"),
        ("c.wav", 8000, "ULAW"),
        ("c.wav", 44100, "PCM_24"),
        ("c.wav", 48000, "FLOAT"),
        ("c.flac", 22050, "PCM_16"),
    ],
)
def test_a_recording_of_any_rate_and_form_is_read(tmp_path: Path, name: str, rate: int, subtype: str) -> None:
    """Telephone and studio rates come out at one rate, as long as they went in."""
    tone = (0.3 * np.sin(np.arange(2 * rate) * 2 * np.pi * 440 / rate)).astype(np.float32)
    soundfile.write(tmp_path / name, np.stack([tone, tone * 0.1], axis=1), rate, subtype=subtype)

    sound = read_sound(tmp_path / name)

    assert len(sound.channels) == 2
    assert abs(sound.duration_s - 2.0) < 0.01
    loud, soft = (float(np.sqrt(np.mean((c / 32768.0) ** 2))) for c in sound.channels)
    assert loud == pytest.approx(0.3 / np.sqrt(2), rel=0.02)
    assert soft == pytest.approx(0.03 / np.sqrt(2), rel=0.05)


def _wav(data: bytes, *, claims: int | None = None, channels: int = 1, rate: int = 8000, bits: int = 16) -> bytes:
    size = len(data) if claims is None else claims
    align = max(1, channels * bits // 8)
    fmt = struct.pack("<4sIHHIIHH", b"fmt ", 16, 1, channels, rate, min(2**32 - 1, rate * align), align & 0xFFFF, bits)
    body = b"WAVE" + fmt + struct.pack("<4sI", b"data", size) + data
    return struct.pack("<4sI", b"RIFF", min(2**32 - 1, 36 + size)) + body


HOSTILE_SOUNDS = [
    (b"", "empty"),
    (b"MZ\x90\x00 an executable", "bad_header"),
    (b"RIFF\x24\x00\x00\x00AVI LIST", "bad_header"),
    (b"RIFF\x24\x00\x00\x00WAVE", "truncated"),
    (_wav(b"\x00\x01" * 4000)[:-2000], "truncated"),
    (_wav(b"\x00\x01" * 4000, claims=2**32 - 1), "truncated"),
    (_wav(b"\x00\x01" * 400, claims=0), "empty"),
    (_wav(b"\x00\x01" * 600, channels=3), "channels"),
    (_wav(b"\x00\x01" * 60000, channels=30000), "bad_audio"),
    (_wav(b"\x00\x01" * 400, rate=1), "bad_header"),
    (_wav(b"\x00\x01" * 400, rate=2**31), "bad_audio"),
    (b"RIFF\xff\xff\xff\x7fWAVE" + struct.pack("<4sI", b"junk", 2**31) + b"x" * 50, "bad_header"),
    (b"RIFF\xff\x00\x00\x00WAVE" + struct.pack("<4sI", b"junk", 0) * 100, "bad_header"),
    (b"fLaC\x00\x00\x00\x22" + b"\xff" * 60, "bad_audio"),
]


@pytest.mark.parametrize(("content", "code"), HOSTILE_SOUNDS)
def test_a_hostile_recording_is_refused_with_its_reason(tmp_path: Path, content: bytes, code: str) -> None:
    """Bombs, torn files and lying headers: one clear code before anything is decoded."""
    (tmp_path / "c.wav").write_bytes(content)

    with pytest.raises(RecordingRefused) as refused:
        read_sound(tmp_path / "c.wav")

    assert refused.value.code == code


def test_a_recording_that_would_unpack_beyond_any_call_is_refused(tmp_path: Path) -> None:
    """A small file may promise days of sound; its length is looked at before its samples."""
    path = tmp_path / "bomb.flac"
    soundfile.write(path, np.zeros(4000, dtype=np.int16), 4000)
    content = bytearray(path.read_bytes())
    content[21:26] = bytes([content[21] | 0x0F, 0xFF, 0xFF, 0xFF, 0xFF])  # STREAMINFO: 2**36 - 1 samples
    path.write_bytes(content)

    with pytest.raises(RecordingRefused) as refused:
        read_sound(path)

    assert refused.value.code == "too_long"


def test_lost_sound_is_noted_and_quiet_is_not(tmp_path: Path) -> None:
    """Pure zeros in a recording with a noise floor are a gap; in one that is silent between words they are not."""
    rng = np.random.default_rng(1)
    noise = rng.normal(0, 0.003, 8000 * 6).astype(np.float32)
    voice, _ = _sound(AGENT_TEXT, 0.5, 8000)
    noisy = noise.copy()
    noisy[: len(voice)] += voice[: len(noise)]
    noisy[8000 * 5 : 8000 * 5 + 6000] = 0.0
    clean = np.concatenate([voice, np.zeros(16000, dtype=np.float32)])
    soundfile.write(tmp_path / "noisy.wav", noisy, 8000)
    soundfile.write(tmp_path / "clean.wav", clean, 8000)

    gaps = [note for note in read_sound(tmp_path / "noisy.wav").notes if note.code == "gap"]

    assert [round(note.at_s or 0.0, 1) for note in gaps] == [5.0]
    assert [note.code for note in read_sound(tmp_path / "clean.wav").notes if note.code == "gap"] == []


@pytest.mark.parametrize("agent_left", [False, True])
def test_swapped_channels_are_found_by_the_pathways_wording(tmp_path: Path, pathway: Pathway, agent_left: bool) -> None:
    """Whichever channel the agent is on, it is the agent; the unusual one is noted."""
    ear = _stereo(tmp_path / "c.wav", agent_left=agent_left)

    timeline = transcribe(read_sound(tmp_path / "c.wav"), "c", "c.wav", ear, pathway, ReplaySettings())

    assert [p.text for p in timeline.agent] == [AGENT_TEXT]
    assert [p.text for p in timeline.far] == [FAR_TEXT]
    assert ("channels_swapped" in [note.code for note in timeline.notes]) is agent_left


def test_the_words_stand_where_they_were_said(tmp_path: Path, pathway: Pathway) -> None:
    """Times come back on the recording's own clock."""
    ear = _stereo(tmp_path / "c.wav", rate=8000)
    agent, _ = _sound(AGENT_TEXT, 0.6, 8000)

    timeline = transcribe(read_sound(tmp_path / "c.wav"), "c", "c.wav", ear, pathway, ReplaySettings())

    assert timeline.far[0].start_s == pytest.approx(len(agent) / 8000 + 1.0, abs=0.1)


def test_the_same_sound_on_both_channels_is_one_channel(tmp_path: Path, pathway: Pathway) -> None:
    """Doubled channels hold no two voices: read as one, the voices told by the pathway's wording, and said so."""
    agent, agent_words = _sound(AGENT_TEXT, 0.6)
    far, far_words = _sound(FAR_TEXT, 0.15)
    both = np.concatenate([agent, np.zeros(3 * RATE_HZ, dtype=np.float32), far])
    soundfile.write(tmp_path / "c.wav", np.stack([both, 0.5 * both], axis=1), RATE_HZ)

    ear = TruthfulEar(agent_words, far_words)
    timeline = transcribe(read_sound(tmp_path / "c.wav"), "c", "c.wav", ear, pathway, ReplaySettings())

    assert ([p.text for p in timeline.agent], [p.text for p in timeline.far]) == ([AGENT_TEXT], [FAR_TEXT])
    assert {"channels_doubled", "voices_by_wording"} <= {note.code for note in timeline.notes}


def _talk() -> tuple[np.ndarray, np.ndarray]:
    """Two voices in turn, each on a channel of its own."""
    agent, _ = _sound(AGENT_TEXT, 0.6)
    far, _ = _sound(FAR_TEXT, 0.3)
    gap = np.zeros(RATE_HZ)
    left = np.concatenate([agent, gap, np.zeros_like(far), gap])
    return left, np.concatenate([np.zeros_like(agent), gap, far, gap])


def _through_a_codec(channel: np.ndarray) -> np.ndarray:
    """Mu-law there and back."""
    coded = np.round(np.log1p(255 * np.abs(channel)) / np.log(256) * 127) / 127
    return np.sign(channel) * (256**coded - 1) / 255


def _late(channel: np.ndarray, samples: int) -> np.ndarray:
    return np.concatenate([np.zeros(max(0, samples)), channel, np.zeros(max(0, -samples))])[max(0, -samples) :][
        : len(channel)
    ]


def _int16(channel: np.ndarray) -> np.ndarray:
    return np.clip(channel * 32767, -32768, 32767).astype(np.int16)


@pytest.mark.parametrize(
    "copy",
    [
        pytest.param(lambda both: -0.3 * both, id="turned over and weaker"),
        pytest.param(lambda both: _late(both, 1), id="one sample late"),
        pytest.param(lambda both: _late(both, 640), id="40 ms late"),
        pytest.param(lambda both: _late(both, -3200), id="200 ms early"),
        pytest.param(_through_a_codec, id="through a codec"),
        pytest.param(
            lambda both: both + np.random.default_rng(1).normal(0, 0.01, len(both)), id="with a hum of its own"
        ),
    ],
)
def test_one_sound_twice_is_known_through_delay_codec_and_noise(copy: Callable[[np.ndarray], np.ndarray]) -> None:
    """A second copy of a call is no second voice, whatever the exchange did to it."""
    left, right = _talk()
    both = left + right

    apart, notes = one_voice_each(Sound((_int16(both), _int16(copy(both))), RATE_HZ))

    assert (apart, [note.code for note in notes]) == (False, ["channels_doubled"])


@pytest.mark.parametrize(("leak", "codes"), [(0.0, []), (0.1, []), (0.5, ["crosstalk"])])
def test_two_voices_stay_two_and_a_loud_leak_is_noted(leak: float, codes: list[str]) -> None:
    """A channel of its own stays one; where the other voice is loud on it, overlaps are not to be trusted blindly."""
    left, right = _talk()

    apart, notes = one_voice_each(Sound((_int16(left + leak * right), _int16(right + leak * left)), RATE_HZ))

    assert (apart, [note.code for note in notes]) == (True, codes)


def test_what_leaks_onto_a_silent_line_is_no_second_copy() -> None:
    """The far end says nothing and the agent is faintly heard on its channel: one voice, on its own channel."""
    left, _ = _talk()
    noise = np.random.default_rng(2).normal(0, 0.0002, len(left))

    assert one_voice_each(Sound((_int16(left), _int16(0.02 * left + noise)), RATE_HZ)) == (True, ())


def test_one_channel_without_a_pathway_is_refused(tmp_path: Path) -> None:
    """Nothing tells the voices apart, so nothing is claimed."""
    soundfile.write(tmp_path / "c.wav", _sound(AGENT_TEXT, 0.6)[0], RATE_HZ)

    with pytest.raises(RecordingRefused) as refused:
        transcribe(read_sound(tmp_path / "c.wav"), "c", "c.wav", TruthfulEar([], []), None, ReplaySettings())

    assert refused.value.code == "channels"


def test_words_where_nothing_sounds_are_not_believed(tmp_path: Path, pathway: Pathway) -> None:
    """A recogniser that writes on in the silence behind a sentence is not listened to."""
    ear = _stereo(tmp_path / "c.wav")
    ear._words["soft"] = [*ear._words["soft"], Word("Thank", 20.0, 20.2), Word("you", 20.2, 20.4)]

    timeline = transcribe(read_sound(tmp_path / "c.wav"), "c", "c.wav", ear, pathway, ReplaySettings())

    assert [p.text for p in timeline.far] == [FAR_TEXT]


@pytest.mark.parametrize(("offset_s", "rate"), [(0.0, 1.0), (4.0, 1.0), (0.8, 1.002)])
def test_a_transcript_on_another_clock_is_brought_to_the_sounds(offset_s: float, rate: float) -> None:
    """A shift and a drift are found from where sounds begin; agreement is left alone."""
    rng = np.random.default_rng(3)
    starts = np.cumsum(rng.uniform(2.0, 9.0, 40))
    sound = np.zeros(int((starts[-1] + 30) * RATE_HZ), dtype=np.int16)
    for start in starts * rate + offset_s:
        low = int(start * RATE_HZ)
        sound[low : low + RATE_HZ] = (8000 * np.sin(np.arange(RATE_HZ) * 0.3)).astype(np.int16)
    pieces = [piece(float(start), "one two three") for start in starts]

    found_offset_s, found_rate, note = fit_clock(pieces, voice_stretches(sound))

    last_s = float(starts[-1])
    assert found_offset_s + found_rate * last_s == pytest.approx(offset_s + rate * last_s, abs=0.1)
    assert (note is None) is (offset_s == 0.0)


def test_a_transcript_beside_a_recording_takes_its_channels_by_fit(tmp_path: Path, pathway: Pathway) -> None:
    """The words lie where their own side sounds, so swapped channels need no setting."""
    ear = _stereo(tmp_path / "c.wav", agent_left=True)
    sound = read_sound(tmp_path / "c.wav")
    timeline = transcribe(sound, "c", "c.wav", ear, pathway, ReplaySettings())
    (tmp_path / "c.json").write_text(to_call_file(timeline).model_dump_json(), encoding="utf-8")

    done = replay_files(CallInput("c", tmp_path / "c.wav", (tmp_path / "c.json",)), pathway)

    assert done.timeline.agent_audio is not None
    assert np.array_equal(done.timeline.agent_audio, sound.channels[0])
    assert done.result.recogniser == ""


def test_a_recording_without_a_recogniser_says_what_to_do(tmp_path: Path) -> None:
    """Told in one sentence."""
    _stereo(tmp_path / "c.wav")

    with pytest.raises(RecordingRefused, match="transcript beside it"):
        replay_files(CallInput("c", tmp_path / "c.wav"), None)


def test_the_call_helper_makes_a_whole_call() -> None:
    """The tests' own calls end after their last word."""
    assert call([piece(0.0, "a b")], [piece(2.0, "c")]).duration_s == pytest.approx(3.29)


def test_a_gap_longer_than_all_pauses_together_is_still_a_gap(tmp_path: Path) -> None:
    """Half a minute of lost sound is one pause among many that hum."""
    rng = np.random.default_rng(1)
    voice, _ = _sound(AGENT_TEXT, 0.5, 8000)
    hum = np.zeros(8000, dtype=np.float32)
    line = np.concatenate([voice, hum, voice, hum, voice, hum, voice, np.zeros(8000 * 29, dtype=np.float32), voice])
    line += rng.normal(0, 0.003, len(line)).astype(np.float32)
    line[-len(voice) - 8000 * 29 : -len(voice)] = 0.0
    soundfile.write(tmp_path / "c.wav", line, 8000)

    assert [note.code for note in read_sound(tmp_path / "c.wav").notes if note.code == "gap"] == ["gap"]
