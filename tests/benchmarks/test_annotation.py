"""Annotation packs: blinded, written, filled in, read back, compared."""

import json
import re
from pathlib import Path

import pytest

from benchmarks.annotation import agreement_rows, make_pack, read_pack, realism_rows, write_pack
from benchmarks.annotation.folder import read_folder
from benchmarks.annotation.labelled import read_labelled_pack, write_labelled_pack
from benchmarks.annotation.outputs import annotation_figures, write_labels
from benchmarks.annotation.read import Annotation
from benchmarks.annotation.tables import resolved
from benchmarks.cells import Phase, load_cells
from benchmarks.errors import CallerError, MissingData, UnreadableRow
from benchmarks.judges.score import rule_judges, score_trials
from benchmarks.judges.validate import load_labelled
from benchmarks.report.page import write_page
from benchmarks.simulator import Policy, ReplicaSystem, TrialLog, run_trial, scripted_agent, trial_seed
from benchmarks.simulator.store import TrialStore

pytestmark = pytest.mark.unit


async def trials() -> list[TrialLog]:
    """Scripted trials of every cell and arm."""
    return [
        await run_trial(cell, arm, scripted_agent(policy), ReplicaSystem(), trial_seed(1, cell.id, i), index=i)
        for cell in load_cells()
        for arm in cell.arms
        for policy in (Policy.DEAF, Policy.COOPERATIVE)
        for i in range(4)
    ]


def fill(path: Path, labels: dict[int, str], realism: str = "yes") -> None:
    """Fill in every block as an annotator would."""
    head, *dialogues = path.read_text().split("## Dialogue ")
    done = [head]
    for text in dialogues:
        number = int(text.partition("\n")[0])
        text = text.replace("verdict:  # pass or fail", f"verdict: {labels[number]}")
        text = text.replace("realism:  # yes or no", f"realism: {realism}")
        done.append(text)
    path.write_text("## Dialogue ".join(done))


async def pack(folder: Path, phase: Phase = Phase.GATHERING) -> tuple[list[TrialLog], dict[str, str]]:
    """Write a pack of twelve dialogues; give the trials and the key."""
    logs = await trials()
    write_pack(folder, make_pack(logs, phase, 12, seed=1), phase, ["a", "b"])
    return logs, json.loads((folder / f"{phase.value}-key.json").read_text())


async def test_a_pack_tells_neither_agent_nor_arm_nor_system_nor_verdict(tmp_path: Path):
    """What would give the answer away stands in the key alone."""
    for phase in Phase:
        await pack(tmp_path, phase)
        text = (tmp_path / f"{phase.value}-a.md").read_text().lower()

        for word in ("deaf", "over-resuming", "replica", "baseline", "marker", "rules", "seed"):
            assert word not in text, word


async def test_half_of_a_pack_is_baseline_and_every_agent_is_in_it(tmp_path: Path):
    """As in the study: 30 + 30, over all agents."""
    logs = await trials()

    items = make_pack(logs, Phase.GATHERING, 12, seed=1)

    assert sum(item.trial.arm.interrupts for item in items) == 6
    assert {item.trial.agent for item in items} == {"deaf", "cooperative"}
    assert len({item.trial.trial_id for item in items}) == 12
    assert items == make_pack(logs, Phase.GATHERING, 12, seed=1)
    assert items != make_pack(logs, Phase.GATHERING, 12, seed=2)


async def test_only_what_the_patient_heard_is_shown_as_dialogue(tmp_path: Path):
    """The rest of a cut utterance stands behind the bar, for realism alone."""
    await pack(tmp_path)
    text = (tmp_path / "gathering-a.md").read_text()

    assert "**|**" in text
    assert "Agent: All right. Have you noticed any redness in your eye?" in text


async def test_labels_come_back_with_their_trials(tmp_path: Path):
    """Filled in, read, and led back by the key."""
    logs, key = await pack(tmp_path)
    verdicts = {v.trial_id: v.outcome.value for v in await score_trials(logs, rule_judges())}
    fill(tmp_path / "gathering-a.md", {int(n): verdicts[t] for n, t in key.items()})

    labels = read_pack(tmp_path / "gathering-a.md", tmp_path / "gathering-key.json")

    assert {a.trial_id: a.verdict for a in labels} == {t: verdicts[t] for t in key.values()}
    interrupted = {t.trial_id for t in logs if t.arm.interrupts}
    assert all((a.placement_realism == "yes") is (a.trial_id in interrupted) for a in labels)


async def test_a_copy_with_labels_is_never_written_over(tmp_path: Path):
    """The same command again would wipe out somebody's afternoon; an empty copy may be written again."""
    logs, key = await pack(tmp_path)
    write_pack(tmp_path, make_pack(logs, Phase.GATHERING, 12, seed=1), Phase.GATHERING, ["a", "b"])
    fill(tmp_path / "gathering-a.md", {int(number): "pass" for number in key})
    filled = (tmp_path / "gathering-a.md").read_text()

    with pytest.raises(CallerError, match=r"gathering-a\.md holds labels"):
        write_pack(tmp_path, make_pack(logs, Phase.GATHERING, 12, seed=1), Phase.GATHERING, ["b", "a"])
    assert filled == (tmp_path / "gathering-a.md").read_text()


@pytest.mark.parametrize("name", ["../evil", "", "a/b", ".hidden", "a b"])
async def test_an_annotators_name_is_part_of_a_file_name(tmp_path: Path, name: str):
    """Nothing is written outside the folder."""
    with pytest.raises(CallerError, match="name annotators with letters"):
        write_pack(tmp_path / "x", make_pack(await trials(), Phase.GATHERING, 12, seed=1), Phase.GATHERING, [name])
    assert not (tmp_path / "x").exists()


async def test_what_annotators_said_stands_on_the_report_beside_the_printed_kappas(tmp_path: Path):
    """Agreement of the annotators, of the judge with them, and realism."""
    logs, key = await pack(tmp_path / "packs")
    store = TrialStore(tmp_path / "store")
    for trial in logs:
        store.append(trial)
    verdicts = await score_trials(logs, rule_judges())
    store.write_verdicts(verdicts)
    said = {v.trial_id: v.outcome.value for v in verdicts}
    labels = {int(number): said[trial] for number, trial in key.items()}
    fill(tmp_path / "packs" / "gathering-a.md", labels)
    fill(tmp_path / "packs" / "gathering-b.md", labels, "no")

    write_page(tmp_path / "page.html", [store], annotated=read_folder(tmp_path / "packs", verdicts))

    text = re.sub(r"<[^>]+>|\s+", " ", (tmp_path / "page.html").read_text())
    assert "Agreement, gathering" in text
    assert re.search(r"a, b +1\.000 +1\.000 \.\. 1\.000 +12/12", text)
    assert re.search(r"judge, resolved \(published, Table 5\) +0\.942 +0\.795 \.\. 1\.000 +59/60", text)
    assert re.search(r"placement +0/6 +0/6", text)
    assert "Agreement, provision" not in text


def test_a_folder_without_a_pack_says_how_to_write_one(tmp_path: Path):
    """The report's option names a wrong folder."""
    with pytest.raises(MissingData, match="no annotation pack in .* annotate write"):
        read_folder(tmp_path, [])


async def test_annotators_and_judge_are_compared(tmp_path: Path):
    """One annotator labels as the judge does, the other differs on one dialogue."""
    logs, key = await pack(tmp_path)
    verdicts = await score_trials(logs, rule_judges())
    by_trial = {v.trial_id: v.outcome.value for v in verdicts}
    right = {int(n): by_trial[t] for n, t in key.items()}
    other = dict(right)
    other[1] = "fail" if right[1] == "pass" else "pass"
    fill(tmp_path / "gathering-a.md", right)
    fill(tmp_path / "gathering-b.md", other, realism="no")
    read = {n: read_pack(tmp_path / f"gathering-{n}.md", tmp_path / "gathering-key.json") for n in "ab"}

    rows = {(r.first, r.second): r for r in agreement_rows(read, verdicts)}

    assert (rows["a", "b"].agreement.agreed, rows["a", "b"].agreement.n) == (11, 12)
    assert rows["judge", "a"].agreement.kappa == 1.0
    assert (rows["judge", "resolved"].agreement.n, rows["judge", "resolved"].left_out) == (11, 1)
    assert len(resolved(read, read["a"])) == 12
    assert [(r.dimension, r.real, r.agreed, r.n) for r in realism_rows(read)] == [
        ("placement_realism", 0, 0, 6),
        ("content_realism", 0, 0, 6),
    ]


@pytest.mark.parametrize(
    ("spoil", "complaint"),
    [
        (lambda t: t.replace("```yaml", "", 1), "dialogue 1 has no annotation block"),
        (lambda t: t, "dialogue 1: verdict"),
        (lambda t: t.replace("verdict:  # pass or fail", "verdict: perhaps", 1), "dialogue 1: verdict"),
        (lambda t: t.replace("verdict:  # pass or fail", "verdict: [", 1), "dialogue 1: not YAML"),
    ],
    ids=["block missing", "not filled in", "other word", "not YAML"],
)
async def test_a_wrong_block_is_named_by_file_line_and_dialogue(tmp_path: Path, spoil, complaint: str):
    """An annotator can find and mend it."""
    await pack(tmp_path)
    path = tmp_path / "gathering-a.md"
    path.write_text(spoil(path.read_text()))

    with pytest.raises(UnreadableRow, match=complaint) as caught:
        read_pack(path, tmp_path / "gathering-key.json")
    assert f"{path}:" in str(caught.value)


async def test_a_dialogue_that_was_deleted_is_missed(tmp_path: Path):
    """Fewer labels than dialogues is an error, not a smaller n."""
    _, key = await pack(tmp_path)
    path = tmp_path / "gathering-a.md"
    fill(path, dict.fromkeys(map(int, key), "pass"))
    path.write_text(path.read_text().rpartition("## Dialogue 12")[0])

    with pytest.raises(UnreadableRow, match="dialogue 12 is missing"):
        read_pack(path, tmp_path / "gathering-key.json")


def test_a_missing_pack_is_one_line(tmp_path: Path):
    """No traceback for a wrong path."""
    with pytest.raises(MissingData, match="cannot read"):
        read_pack(tmp_path / "x.md", tmp_path / "key.json")


@pytest.mark.parametrize(("given", "read"), [(True, "yes"), (False, "no"), ("Yes ", "yes")])
def test_a_bare_yes_of_yaml_is_a_yes(given: object, read: str):
    """YAML readers differ on whether yes is a word or a truth value."""
    label = Annotation.model_validate({"number": 1, "trial_id": "t", "verdict": "pass", "placement_realism": given})

    assert label.placement_realism == read


def test_an_empty_pack_is_refused(tmp_path: Path):
    """Nothing to annotate is an error."""
    with pytest.raises(ValueError, match="no trial to annotate"):
        write_pack(tmp_path, [], Phase.GATHERING, ["a"])


def test_a_pack_of_the_labelled_dialogues_shows_no_label_and_leads_back_to_each(tmp_path: Path):
    """Filled in with the authors' own labels, it gives every one of them back at its place."""
    reference, dialogues = load_labelled(Phase.PROVISION)
    pack_path, key_path = write_labelled_pack(tmp_path, Phase.PROVISION, ["c"], seed=1)
    key = json.loads(key_path.read_text())
    place = {int(number): int(name.rpartition("/")[2]) for number, name in key.items()}

    assert "gold" not in pack_path.read_text() and reference not in pack_path.read_text()
    assert [place[n] for n in sorted(place)] != sorted(place.values())
    fill(pack_path, {n: dialogues[i].gold.value for n, i in place.items()})

    assert {i: d.gold for i, d in enumerate(dialogues)} == read_labelled_pack(tmp_path, Phase.PROVISION, "c")


async def test_labels_and_figures_are_kept_for_others_to_count(tmp_path: Path):
    """One line a label with the judge's outcome; kappa and agreement as figures."""
    logs, key = await pack(tmp_path)
    verdicts = await score_trials(logs, rule_judges())
    said = {v.trial_id: v.outcome.value for v in verdicts}
    fill(tmp_path / "gathering-a.md", {int(n): said[t] for n, t in key.items()})
    labels = {"a": read_pack(tmp_path / "gathering-a.md", tmp_path / "gathering-key.json")}

    write_labels(tmp_path / "labels.jsonl", labels, verdicts)
    rows = [json.loads(line) for line in (tmp_path / "labels.jsonl").read_text().splitlines()]
    figures = annotation_figures(Phase.GATHERING, agreement_rows(labels, verdicts), realism_rows(labels))

    assert 12 == len(rows) and all(row["verdict"] == row["judge"] for row in rows)
    assert 1.0 == next(f.value for f in figures if f.name == "agreement_rate")
    assert 12 == next(f.n for f in figures if f.name == "kappa")
