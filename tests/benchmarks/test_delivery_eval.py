"""The delivery evaluation: one trial with the carrier's truth, and figures that say what they count."""

from __future__ import annotations

import pytest

from benchmarks.errors import BadOption
from benchmarks.evals.delivery import LINES, figures_of, run
from benchmarks.evals.delivery_trial import Trial, run_trial, scripted_engine
from benchmarks.figures import EvalOptions

pytestmark = pytest.mark.pipeline


def trial(ours: int, stock: int, heard: int, begun: int, tts: str = "inline") -> Trial:
    return Trial(
        tts=tts,
        language="en",
        jitter_s=0.1,
        heard_words=heard,
        begun_words=begun,
        ours_words=ours,
        ours_bound_words=1,
        ours_exact=False,
        stock_words=stock,
        lag_s=1.2,
        late_marks=4,
    )


def test_a_trial_lays_three_accounts_side_by_side() -> None:
    """Ours within two words below the carrier, stock Pipecat of a streaming voice at the whole text."""
    found = run_trial(LINES[0], "streaming", scripted_engine(), seed=7, buffer_s=1.0, jitter_s_max=0.3)

    assert found.heard_words - 2 <= found.ours_words <= found.heard_words
    assert found.stock_words == len(LINES[0].text.split())
    assert found.late_marks > 0


def test_figures_count_words_and_cleared_audio() -> None:
    """Two cuts: 9 of 10 counted words were heard, 9 of 12 heard words counted; one counted word was never begun."""
    figures = figures_of([trial(ours=4, stock=9, heard=3, begun=3), trial(ours=6, stock=0, heard=9, begun=10)], seed=1)
    overall = {f.name: f for f in figures if f.group == {}}

    assert overall["word_precision"].value == pytest.approx(0.9)
    assert overall["word_recall"].value == pytest.approx(0.75)
    assert overall["cleared_words_counted"].value == 1
    assert overall["marks_returned_after_clear"].value == 8
    assert {tuple(f.group.items()) for f in figures if f.name == "bound_kept_rate"} >= {
        (("tts", "inline"), ("system", "ours"))
    }


@pytest.mark.parametrize("extra", [{"voice": "opera"}, {"cuts": 0}, {"buffer-s": -1}])
def test_settings_that_cannot_work_are_refused(extra: dict[str, object]) -> None:
    """The message comes before the first call is placed."""
    with pytest.raises(BadOption):
        run(EvalOptions(extra=extra))
