"""The command line: one JSON object, one clear line for every error, exit codes that mean something."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import benchmarks.evals
from benchmarks.cli import app
from benchmarks.cli.compare_verb import compare_figures
from benchmarks.cli.kinds import kind_modules, load_kind
from benchmarks.cli.options import parse_settings
from benchmarks.errors import (
    BadOption,
    BenchmarkError,
    CallerError,
    MissingData,
    MissingExtra,
    UnknownName,
    UnreadableRow,
)
from benchmarks.figures import Figure, rate
from benchmarks.results_file import ResultsFile, eval_object, make_results, read_results, write_results

pytestmark = pytest.mark.unit

ROOT = Path(__file__).resolve().parents[2]

KIND = '''"""Measures nothing, for a test."""
import os, sys
from benchmarks.figures import Figure, rate
KIND = "made-up"
NEEDS_DATA = {needs_data}
OPTIONS = ("n",)
def run(options):
    print("noise on standard output")
    os.write(1, b"noise from a C library")
    {body}
    return [rate("hit_rate", 30, 30, {{"seed": options.seed}}), Figure(name="empty", value=None, n=0)]
'''


@pytest.fixture
def made_up(tmp_path: Path):
    """Adds an evaluation kind in a folder of its own, and takes it away again."""

    def add(body: str = "pass", needs_data: bool = False, head: str = "") -> None:
        (tmp_path / "made_up_kind.py").write_text(head + KIND.format(body=body, needs_data=needs_data))

    benchmarks.evals.__path__.insert(0, str(tmp_path))
    sys.modules.pop("benchmarks.evals.made_up_kind", None)
    yield add
    benchmarks.evals.__path__.remove(str(tmp_path))
    sys.modules.pop("benchmarks.evals.made_up_kind", None)


def run(*arguments: str):
    """Run the command line in this process."""
    return CliRunner().invoke(app, list(arguments))


def test_a_gate_on_an_evaluation_breaks_the_command_after_its_figures_are_written(made_up, tmp_path: Path):
    """30 of 30: its lower bound is 88.6 %."""
    made_up()

    holds = run("eval", "made-up", "--gate", "hit_rate.low>=0.88")
    broken = run("eval", "made-up", "--json", "--gate", "hit_rate.low>=0.9", "--out", str(tmp_path / "r.json"))

    assert (holds.exit_code, broken.exit_code) == (0, 1)
    assert "gate broken: hit_rate.low>=0.9: low is 0.886" in broken.stderr
    assert json.loads(broken.stdout.splitlines()[-1])["figures"]
    assert (tmp_path / "r.json").exists()


def test_json_prints_the_one_object_with_the_promised_keys(made_up, tmp_path: Path):
    """Keys and figure fields are a promise; what else the run prints goes elsewhere."""
    made_up()

    result = run("eval", "made-up", "--json", "--seed", "5", "--out", str(tmp_path / "r.json"))

    read = json.loads(result.stdout.splitlines()[-1])
    assert list(read) == ["kind", "data", "commit", "versions", "seed", "figures"]
    assert list(read["figures"][0]) == ["name", "value", "low", "high", "n", "group"]
    assert (read["kind"], read["seed"], read["data"]) == ("made-up", 5, None)
    assert read["figures"][0]["low"] == pytest.approx(0.886, abs=0.0006)
    assert read["figures"][1] == {"name": "empty", "value": None, "low": None, "high": None, "n": 0, "group": {}}
    assert read_results(tmp_path / "r.json").seed == 5


def test_standard_output_holds_nothing_but_the_object(tmp_path: Path):
    """In a process of its own: prints of Python and of C libraries go to standard error."""
    (tmp_path / "made_up_kind.py").write_text(KIND.format(body="pass", needs_data=False))
    code = (
        "import benchmarks.evals, sys; benchmarks.evals.__path__.insert(0, sys.argv.pop(1));"
        "from benchmarks.cli import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path), "eval", "made-up", "--json"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        timeout=60,
        check=True,
    )

    assert json.loads(done.stdout)["kind"] == "made-up"
    assert "noise on standard output" in done.stderr
    assert "noise from a C library" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "error", "line"),
    [
        (["eval", "nosuch"], UnknownName, "unknown evaluation kind 'nosuch'; known: "),
        (["eval", "made-up", "--data", "/no/such/file"], MissingData, "no such file or folder: /no/such/file"),
        (["eval", "made-up", "--option", "n"], BadOption, "--option 'n': expected name=value"),
        (["eval", "made-up", "--option", "n=1", "--option", "n=2"], BadOption, "--option n is given twice"),
        (
            ["eval", "made-up", "--option", "m=1"],
            BadOption,
            "eval made-up has no option 'm'; it has: certify, matcher, n",
        ),
    ],
)
def test_a_wrong_command_is_one_clear_line(made_up, arguments: list[str], error: type[Exception], line: str):
    """Raised as the caller's fault, exit code 2."""
    made_up()

    result = run(*arguments)

    assert isinstance(result.exception, error)
    assert str(result.exception).startswith(line)
    assert "\n" not in str(result.exception)
    assert error.exit_code == 2  # pyright: ignore[reportAttributeAccessIssue]


def test_missing_data_is_asked_for(made_up):
    """A kind that needs data says so."""
    made_up(needs_data=True)

    result = run("eval", "made-up")

    assert str(result.exception) == "eval made-up needs --data PATH"


@pytest.mark.parametrize(
    ("body", "error", "line"),
    [
        ("import no_such_package", MissingExtra, "no_such_package is not installed; install it with: pip install"),
        ("open('/no/such/row.jsonl')", MissingData, "no such file or folder: /no/such/row.jsonl"),
        ("raise ValueError('rows.jsonl:7: label: not known')", CallerError, "rows.jsonl:7: label: not known"),
    ],
    ids=["missing extra", "missing file", "unreadable row"],
)
def test_what_a_kind_lacks_is_one_clear_line(made_up, body: str, error: type[BenchmarkError], line: str):
    """Whatever module raised it."""
    made_up(body=body)

    result = run("eval", "made-up")

    assert type(result.exception) is error
    assert str(result.exception).startswith(line)


def test_a_bug_of_a_kind_is_not_called_the_callers_fault(made_up):
    """Any other error keeps its traceback."""
    made_up(body="raise ValueError('a bug')")

    assert type(run("eval", "made-up").exception) is ValueError


def test_a_kind_whose_import_fails_says_what_to_install(made_up):
    """A heavy package at the top of a module is reported, and the list still lists."""
    made_up(head="import no_such_package\n")

    with pytest.raises(MissingExtra, match="no_such_package is not installed"):
        load_kind("made-up")
    assert "no_such_package is not installed" in run("list", "--json").stdout


def test_exit_codes_of_the_real_command(tmp_path: Path):
    """An error is one line on standard error and exit code 2."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks", "eval", "nosuch"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=60,
        check=False,
    )

    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("error: unknown evaluation kind 'nosuch'; known: ")
    assert done.stderr.count("\n") == 1


def test_every_kind_on_disk_declares_the_contract():
    """KIND is a literal that can be read without importing the module."""
    for name, module in kind_modules().items():
        assert module.startswith("benchmarks.evals.")
        assert name == name.lower()


@pytest.mark.parametrize(
    ("settings", "read"),
    [
        (["n=3", "rule=min_words_2"], {"n": 3, "rule": "min_words_2"}),
        (["per-shape=0.5", "on=true", "text=a=b"], {"per_shape": 0.5, "on": True, "text": "a=b"}),
        ([], {}),
    ],
)
def test_settings_are_numbers_where_they_look_like_it(settings: list[str], read: dict[str, object]):
    """JSON scalars are read as such, all else as text."""
    assert parse_settings(settings) == read


class TestResultsFile:
    """The committed record."""

    def make(self, data: Path | None = None) -> ResultsFile:
        """A record with two figures."""
        return make_results(
            kind="made-up",
            command="python -m benchmarks eval made-up",
            figures=[rate("hit_rate", 1, 2, {"band": "8k"}), Figure(name="median_s", value=0.5, n=3)],
            seed=1,
            duration_s=1.23456,
            data=data,
        )

    def test_it_holds_commit_versions_seed_and_hardware_and_comes_back(self, tmp_path: Path):
        """Everything needed to make the figures again."""
        made = self.make()
        write_results(tmp_path / "r.json", made)

        read = read_results(tmp_path / "r.json")

        assert read == made
        assert {"python", "pipecat-ai", "pipecat-interrupt"} <= set(read.versions)
        assert read.hardware.cpu_count >= 1
        assert read.hardware.cpu_model
        assert len(read.hardware.load_average) == 3

    def test_one_figure_stands_on_one_line(self, tmp_path: Path):
        """So that a change reads well in a diff."""
        write_results(tmp_path / "r.json", self.make())

        assert sum('"name"' in line for line in (tmp_path / "r.json").read_text().splitlines()) == 2

    def test_data_is_told_from_the_checkout_and_digested(self, tmp_path: Path):
        """No machine's folder is named in full, and changed data changes the digest."""
        path = tmp_path / "rows.jsonl"
        path.write_text("{}\n")
        first = self.make(path)
        path.write_text("{ }\n")

        assert first.data is not None
        assert not first.data.startswith("/")
        assert first.data_digest != self.make(path).data_digest
        assert self.make(tmp_path).data_digest.startswith("sha256-listing:")  # pyright: ignore[reportOptionalMemberAccess]

    def test_a_dirty_checkout_is_said_in_the_object(self):
        """The commit alone would lie."""
        made = self.make().model_copy(update={"commit": "abc", "dirty": True})

        assert eval_object(made)["commit"] == "abc+dirty"

    def test_another_file_is_refused_by_name(self, tmp_path: Path):
        """Not a traceback."""
        (tmp_path / "r.json").write_text("{}")

        with pytest.raises(UnreadableRow, match=r"r\.json:1: not a results file: "):
            read_results(tmp_path / "r.json")


def test_a_figure_without_a_number_cannot_be_made():
    """NaN is no measurement; nothing eligible is None."""
    with pytest.raises(ValueError, match="finite"):
        Figure(name="x", value=float("nan"), n=1)
    assert rate("x", 0, 0).value is None


@pytest.mark.parametrize(
    ("first", "second", "change", "moved"),
    [
        (rate("r", 30, 30), rate("r", 0, 30), "-100.0 pp (-100.0 .. -83.9)", True),
        (rate("r", 15, 30), rate("r", 14, 30), "-3.3 pp (-26.9 .. +20.7)", False),
        (Figure(name="ms", value=10, n=5), Figure(name="ms", value=12.5, n=5), "+2.5", None),
        (
            Figure(name="ms", value=1, low=0.5, high=1.5, n=5),
            Figure(name="ms", value=3, low=2, high=4, n=5),
            "+2",
            True,
        ),
        (rate("r", 0, 0), rate("r", 1, 2), "-", None),
    ],
)
def test_two_results_are_compared_figure_by_figure(first: Figure, second: Figure, change: str, moved: bool | None):
    """Rates with Newcombe's interval in percentage points; other figures by their difference."""
    compared = compare_figures(first, second)

    assert (compared.change, compared.moved) == (change, moved)


def test_the_whole_path_runs_offline_from_run_to_report(tmp_path: Path):
    """run, rescore, report, compare and annotate on one small transcript store."""
    store = tmp_path / "store"
    common = ["--level", "transcript", "--trials", "2", "--agent", "deaf", "--cell", "P-competitive"]

    assert run("run", *common, "--out", str(store), "--results", str(tmp_path / "a.json")).exit_code == 0
    rescored = run("rescore", str(store), "--planted-bugs", "--results", str(tmp_path / "b.json"))
    reported = run(
        "report", str(store), "--out", str(tmp_path / "r.html"), "--gate", "fail_rate[arm=baseline].high<=0.9"
    )
    gated = run("report", str(store), "--out", str(tmp_path / "r.html"), "--gate", "fail_rate[arm=interrupt].high<=0.5")
    compared = run("compare", str(tmp_path / "a.json"), str(tmp_path / "b.json"))
    written = run("annotate", "write", str(store), "--out", str(tmp_path / "packs"))

    assert (rescored.exit_code, reported.exit_code, gated.exit_code) == (0, 0, 1)
    assert "never-yields" in rescored.stdout
    assert (tmp_path / "r.html").stat().st_size > 10_000
    assert "+0.0 pp" in compared.stdout
    assert (written.exit_code, (tmp_path / "packs" / "provision-a.md").exists()) == (0, True)


def test_list_names_cells_levels_and_agents():
    """One JSON object for machines."""
    listed = json.loads(run("list", "--json").stdout)

    assert [c["cell"] for c in listed["cells"]] == [
        "G-competitive",
        "G-recognitional",
        "P-competitive",
        "P-transitional",
    ]
    assert listed["levels"]["text"] == ["stock", "ours", "ours-bundled", "ours-led", "bot"]
    assert listed["scripted_agents"] == ["cooperative", "deaf", "looping", "over-resuming"]


def test_recordings_of_a_level_without_sound_are_refused(tmp_path: Path):
    """The line says which levels have some."""
    result = run("run", "--level", "text", "--recordings", "--out", str(tmp_path / "store"))

    assert isinstance(result.exception, BadOption)
    assert "level text has no sound; use audio or realtime" in str(result.exception)
    assert not (tmp_path / "store").exists()
