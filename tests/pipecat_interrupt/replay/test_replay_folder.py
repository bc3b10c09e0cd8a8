"""A folder of calls: resumed, quarantined, counted, and shown on one page."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Sequence
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from obligations.stores.one_writer import alone_in
from pipecat_interrupt.cli.app import app
from pipecat_interrupt.errors import EnvironmentProblem
from pipecat_interrupt.replay.folder import FolderRun, replay_folder
from pipecat_interrupt.replay.index import index_of, render_index
from pipecat_interrupt.replay.inputs import calls_in
from pipecat_interrupt.replay.job import JobOutcome, ReplayPlan
from pipecat_interrupt.replay.rates import overlap_table, rate
from pipecat_interrupt.replay.readers.call_file import to_call_file
from pipecat_interrupt.replay.settings import ReplaySettings
from pipecat_interrupt.replay.values import Piece

from .calls import call, piece

pytestmark = pytest.mark.unit

REDNESS = "Have you noticed any redness in your eye?"
ESCALATION = "If you have severe pain that does not go away, or you lose vision, contact the hospital at once."
SETTINGS = ReplaySettings()


def _write(folder: Path, name: str, agent: Sequence[Piece], far: Sequence[Piece]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.json").write_text(to_call_file(call(agent, far)).model_dump_json(), encoding="utf-8")


def _folder(tmp_path: Path) -> Path:
    folder = tmp_path / "calls"
    _write(folder, "a-good", [piece(0.0, REDNESS)], [piece(3.0, "No.")])
    cut = piece(6.0, "If you have severe pain", intended=ESCALATION)
    asked = piece(3.0, "No. Is it normal that bright light bothers me?")
    _write(folder / "inner", "b-cut", [piece(0.0, REDNESS), cut], [asked, piece(7.2, "Sorry, when can I drive?")])
    (folder / "c-poison.json").write_text("{", encoding="utf-8")
    (folder / "d-poison.wav").write_bytes(b"RIFF")
    (folder / "ignored.pdf").write_bytes(b"x")
    return folder


def _run(folder: Path, out: Path, *, fresh: bool = False, settings: ReplaySettings = SETTINGS) -> FolderRun:
    plan = ReplayPlan(out, "cataract-followup", settings, stt=False, fresh=fresh)
    return replay_folder(calls_in(folder, SETTINGS, leave_out=out), plan)


def test_poisoned_files_are_set_aside_and_the_rest_is_done(tmp_path: Path) -> None:
    """Each with its reason, in the index and in quarantine.json."""
    run = _run(_folder(tmp_path), tmp_path / "out")

    assert [(o.call_id, o.status, o.code) for o in run.outcomes] == [
        ("a-good", "done", None),
        ("c-poison", "refused", "bad_text"),
        ("d-poison", "refused", "bad_header"),
        ("inner__b-cut", "done", None),
    ]
    kept = json.loads((tmp_path / "out" / "quarantine.json").read_text(encoding="utf-8"))
    assert [row["code"] for row in kept["files"]] == ["bad_text", "bad_header"]


def test_a_second_run_into_a_folder_is_refused_and_touches_nothing(tmp_path: Path) -> None:
    """Two would mix the files of a call; when the first is over, or dead, the folder is free."""
    folder, out = _folder(tmp_path), tmp_path / "out"
    out.mkdir()

    with alone_in(out), pytest.raises(EnvironmentProblem, match="another replay writes there.*--out"):
        _run(folder, out)
    assert list(out.iterdir()) == []

    assert _run(folder, out).count("done") == 2


def test_a_file_whose_name_is_no_text_is_set_aside_too(tmp_path: Path) -> None:
    """Its name's bytes are written out, in quarantine and index; the others are done."""
    folder = _folder(tmp_path)
    shutil.copy(folder / "a-good.json", os.fsencode(folder) + b"/\xff\xfe.json")
    shutil.copy(folder / "a-good.json", os.fsencode(folder) + b"/e\xff.json")

    run = _run(folder, tmp_path / "out")

    assert (run.count("done"), run.count("refused")) == (2, 4)
    text = (tmp_path / "out" / "quarantine.json").read_text(encoding="utf-8")
    named = [row for row in json.loads(text)["files"] if row["code"] == "unreadable"]
    assert sorted(row["sources"][0] for row in named) == ["\\udcff\\udcfe.json", "e\\udcff.json"]
    assert all("rename the file" in row["why"] for row in named)
    assert (tmp_path / "out" / "index.html").exists()


def test_a_call_leaves_every_file_and_the_page_links_it(tmp_path: Path) -> None:
    """Result, pages, transcripts, hand-off."""
    _run(_folder(tmp_path), tmp_path / "out")

    left = sorted(path.name for path in (tmp_path / "out" / "inner__b-cut").iterdir())
    assert left == sorted(
        ["call.html", "call.json", "handoff.json", "handoff.md", "replay.json", "summary.json"]
        + ["transcript.csv", "transcript.txt", "transcript.vtt"]
    )
    page = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    assert 'href="inner__b-cut/call.html"' in page
    assert "light.escalation" in page
    assert "<script" not in page


def test_a_second_run_replays_only_what_changed(tmp_path: Path) -> None:
    """Told by contents and settings; what stands is not touched, and the index is the same."""
    folder, out = _folder(tmp_path), tmp_path / "out"
    _run(folder, out)
    before = (out / "index.json").read_text(encoding="utf-8")
    _write(folder, "a-good", [piece(0.0, REDNESS)], [piece(4.0, "No.")])

    second = _run(folder, out)
    third = _run(folder, out)
    other = _run(folder, out, settings=ReplaySettings(turn_gap_s=0.5))

    assert [o.status for o in second.outcomes] == ["done", "refused", "refused", "kept"]
    assert [o.status for o in third.outcomes] == ["kept", "refused", "refused", "kept"]
    assert [o.status for o in other.outcomes] == ["done", "refused", "refused", "done"]
    assert (out / "index.json").read_text(encoding="utf-8") != before


def test_a_run_that_was_stopped_leaves_no_half_call(tmp_path: Path) -> None:
    """A folder under way has another name, and the next run makes it whole."""
    folder, out = _folder(tmp_path), tmp_path / "out"
    _run(folder, out)
    (out / ".a-good.part").mkdir()
    shutil.rmtree(out / "a-good")

    again = _run(folder, out)

    assert again.outcomes[0].status == "done"
    assert not (out / ".a-good.part").exists()


class DyingPool(Executor):
    """Workers of which one dies at a certain call, and takes what was queued behind it along, as processes do."""

    def __init__(self, killer: str) -> None:
        self._killer, self._dead = killer, False

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Run at once, or fail as a broken pool does."""
        future: Future[Any] = Future()
        self._dead = self._dead or args[0].call_id == self._killer
        if self._dead:
            future.set_exception(BrokenProcessPool("a process was terminated"))
        else:
            future.set_result(fn(*args, **kwargs))
        return future


def test_a_file_that_kills_its_worker_is_set_aside_alone(tmp_path: Path) -> None:
    """What was queued behind the culprit is done all the same, and the culprit is named."""
    folder, out = _folder(tmp_path), tmp_path / "out"
    plan = ReplayPlan(out, "cataract-followup", SETTINGS, stt=False)

    run = replay_folder(calls_in(folder, SETTINGS), plan, jobs=2, pool=lambda jobs: DyingPool("c-poison"))

    assert [(o.call_id, o.status, o.code) for o in run.outcomes] == [
        ("a-good", "done", None),
        ("c-poison", "refused", "worker_died"),
        ("d-poison", "refused", "bad_header"),
        ("inner__b-cut", "done", None),
    ]


def test_loss_rates_and_overlaps_are_counted(tmp_path: Path) -> None:
    """One call of two lost the escalation advice; its overlap stands in the FAQ column."""
    index = index_of(_run(_folder(tmp_path), tmp_path / "out").results)

    rates = index.pathways[0]
    lost = next(item for item in rates.items if item.id == "light.escalation")
    assert (rates.calls, lost.lost.hits, lost.lost.n) == (2, 1, 1)
    assert index.overlaps.counts["competitive"]["faq"] == 1
    assert index.overlaps.total() == sum(index.overlaps.total(kind=kind) for kind in index.overlaps.counts)
    assert index.overlaps.calls_with.hits == 1


@pytest.mark.parametrize(
    ("hits", "n", "low", "high"), [(30, 30, 0.886, 1.0), (0, 30, 0.0, 0.114), (15, 30, 0.332, 0.668)]
)
def test_the_interval_is_wilsons(hits: int, n: int, low: float, high: float) -> None:
    """The study's own example, 30 of 30: 88.6 to 100.0 %."""
    found = rate(hits, n)

    assert (found.low, found.high) == (pytest.approx(low, abs=5e-4), pytest.approx(high, abs=5e-4))


def test_nothing_to_count_is_no_rate_of_zero() -> None:
    """No calls: no value."""
    assert overlap_table(()).calls_with.value is None


def test_hostile_names_and_reasons_are_text_on_the_page() -> None:
    """A file's name may hold markup; the page shows it and runs nothing."""
    evil = '"><script>alert(1)</script>'
    page = render_index(index_of((), (JobOutcome(evil, (evil,), "refused", "failed", evil),)))

    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert "default-src 'none'" in page


def test_names_that_climb_out_of_the_folder_do_not(tmp_path: Path) -> None:
    """A call's folder is made of harmless signs whatever its file is called."""
    (tmp_path / "in").mkdir()
    _write(tmp_path / "in", "x%2f..evil & co", [piece(0.0, REDNESS)], [piece(3.0, "No.")])

    run = _run(tmp_path / "in", tmp_path / "out")

    assert [o.call_id for o in run.outcomes] == ["x_2f..evil_co"]
    assert (tmp_path / "out" / "x_2f..evil_co" / "replay.json").exists()


def test_the_command_prints_one_json_object_and_fails_for_a_refused_file(tmp_path: Path) -> None:
    """`replay DIR --json`: the index on standard output; exit 1 because one file was set aside."""
    folder = tmp_path / "calls"
    _write(folder, "a", [piece(0.0, REDNESS)], [piece(3.0, "No.")])
    (folder / "b.json").write_text("no", encoding="utf-8")

    done = CliRunner().invoke(
        app,
        ["replay", str(folder), "--pathway", "cataract-followup", "--out", str(tmp_path / "out"), "--no-stt", "--json"],
    )

    assert done.exit_code == 1, done.output
    index = json.loads(done.stdout)
    assert [c["call_id"] for c in index["calls"]] == ["a"]
    assert [r["code"] for r in index["refused"]] == ["bad_text"]
