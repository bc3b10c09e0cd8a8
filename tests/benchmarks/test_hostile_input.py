"""Hostile files at every verb and every option that names a place: one clear line, an exit code, never a traceback."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest
import typer.models

from benchmarks.cli import app, main
from benchmarks.cli.annotate_verb import annotate
from benchmarks.cli.kinds import kind_modules, load_kind
from benchmarks.errors import BadOption, BenchmarkError, CallerError, EnvironmentFault, MissingData
from benchmarks.figures import EvalOptions
from benchmarks.files import check_writable, read_file, read_text, told_os_error, write_text

pytestmark = pytest.mark.unit

NOISE = bytes(range(128, 256)) * 20
BAD_WAV = b"RIFF\x10\x00\x00\x00WAVEjunkjunk"
Say = Callable[..., tuple[int, str]]
Place = dict[str, Path]


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """Files and folders that no command can use."""
    made: Place = {"nothing": tmp_path / "nothing", "under_a_file": tmp_path / "empty.jsonl" / "x"}
    for name, content in {
        "binary.bin": NOISE,
        "binary.yaml": NOISE,
        "empty.jsonl": b"",
        "bad_line.jsonl": b"{}\nnot json\n",
        "other_schema.jsonl": b'{"a": 1}\n',
        "bad.wav": BAD_WAV,
        "two_bad_voices/anna/a.wav": BAD_WAV,
        "two_bad_voices/ben/b.wav": b"",
        "binary_store/trials.jsonl": NOISE + b"\n",
        "cut_store/trials.jsonl": b'{"trial_id": "half of a tr',
        "binary_pack/gathering-a.md": NOISE,
        "binary_pack/gathering-key.json": b"{}",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        made[name.partition("/")[0]] = tmp_path / name.partition("/")[0]
    made["empty_folder"] = tmp_path / "empty_folder"
    made["empty_folder"].mkdir()
    return made


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Iterator[Say]:
    """Runs a command in an empty working directory; gives its exit code and what it wrote to standard error."""
    before = Path.cwd()
    os.chdir(tmp_path)

    def run(*arguments: object) -> tuple[int, str]:
        with pytest.raises(SystemExit) as left:
            main([str(argument) for argument in arguments])
        return int(left.value.code or 0), capsys.readouterr().err

    yield run
    os.chdir(before)


def assert_one_line(code: int, told: str, *, codes: tuple[int, ...] = (2,), names: Path | str = "") -> None:
    """The promise of every refused command."""
    assert code in codes
    [line] = [line for line in told.splitlines() if line.startswith("error: ")]
    assert told.splitlines()[-1] == line, "something stands behind the line"
    assert str(names) in line


RUN = ("run", "--level", "transcript", "--agent", "deaf", "--cell", "G-competitive", "--trials", "1")
READS = {
    "rescore": ("rescore", "{}"),
    "report": ("report", "{}"),
    "compare": ("compare", "{}", "{}"),
    "agreement": ("agreement", "a={}", "b={}"),
    "annotate write": ("annotate", "write", "{}"),
    "annotate read": ("annotate", "read", "{}", "--phase", "gathering"),
    "judges": ("judges", "--labels", "{}"),
    "two-voice": ("two-voice", "{}", "--check"),
    "run --cell": ("run", "--cell", "{}"),
    "run --prices": (*RUN, "--prices", "{}"),
    "export --cell": ("export", "out", "--cell", "{}"),
}
HOSTILE = (
    *("nothing", "binary.bin", "binary.yaml", "empty.jsonl", "bad_line.jsonl", "other_schema.jsonl", "bad.wav"),
    *("empty_folder", "binary_store", "cut_store", "under_a_file", "binary_pack"),
)


@pytest.mark.parametrize("hostile", HOSTILE)
@pytest.mark.parametrize("verb", READS)
def test_what_cannot_be_read_is_one_line(say: Say, place: Place, verb: str, hostile: str) -> None:
    """Exit 2, and the line names the place."""
    code, told = say(*(part.format(place[hostile]) for part in READS[verb]))

    assert_one_line(code, told, names=place[hostile].name)


WRITES = {
    "report --out": ("report", "{store}", "--out", "{}"),
    "run --report": (*RUN, "--out", "{store}", "--report", "{}"),
    "run --results": (*RUN, "--out", "{store}", "--results", "{}"),
    "rescore --report": ("rescore", "{store}", "--report", "{}"),
    "rescore --results": ("rescore", "{store}", "--results", "{}"),
    "agreement --results": ("agreement", "a={store}", "b={store}", "--results", "{}"),
    "judges --results": ("judges", "--results", "{}"),
    "eval --out": ("eval", "ledger-orders", "--option", "orders=1", "--out", "{}"),
    "eval --certify": ("eval", "coverage", "--data", "rows.jsonl", "--certify", "{}"),
    "yield --out": ("yield", "--freeze-only", "--out", "{}"),
    "yield --results": ("yield", "--freeze-only", "--results", "{}"),
    "yield --release": ("yield", "--freeze-only", "--release", "{}"),
    "annotate read --results": ("annotate", "read", "{store}", "--phase", "gathering", "--results", "{}"),
    "annotate read --labels-out": ("annotate", "read", "{store}", "--phase", "gathering", "--labels-out", "{}"),
    "run --out": (*RUN, "--out", "{}"),
    "export": ("export", "{}"),
    "annotate write --out": ("annotate", "write", "{store}", "--out", "{}"),
    "judges --pack": ("judges", "--pack", "{}"),
    "two-voice --out": ("two-voice", "--out", "{}"),
    "train --into": ("train", "safe-side", "--into", "{}"),
}


@pytest.mark.parametrize("verb", WRITES)
def test_a_place_that_cannot_be_written_is_told_before_any_work(say: Say, place: Place, verb: str) -> None:
    """A file where a folder must be: exit 2, and no store was made on the way."""
    store = place["empty_folder"].parent / "store"

    code, told = say(*(part.format(place["under_a_file"], store=store) for part in WRITES[verb]))

    assert_one_line(code, told, names=f"cannot write {place['under_a_file']}")
    assert not store.exists()


FULL = ("report --out", "run --report", "run --results", "rescore --results", "agreement --results", "judges --results")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("verb", FULL)
def test_a_full_disk_is_the_surroundings_fault_and_the_store_stands(say: Say, tmp_path: Path, verb: str) -> None:
    """Exit 3, and the line says what helps."""
    store = tmp_path / "store"
    assert 0 == say(*RUN, "--out", store)[0]

    code, told = say(*(part.format("/dev/full", store=store) for part in WRITES[verb]))

    assert_one_line(code, told, codes=(3,), names="cannot write /dev/full: the disk is full; free some space")
    assert 4 == len((store / "trials.jsonl").read_text().splitlines())


PATH_OPTIONS_WITHOUT_A_FILE_OF_OURS = {
    "two-voice --kokoro",
    "two-voice --piper",
    "annotate read --resolution",
    "report --annotation",
    "annotate read --store",
    "run --journals",
    "yield --recordings",
}


def paths_of_the_command_line() -> set[str]:
    """Every option and argument that is a path, read off the verbs' own signatures."""
    groups = [("", app.registered_commands), ("annotate ", annotate.registered_commands)]
    found: set[str] = set()
    for group, commands in groups:
        for command in commands:
            assert command.callback is not None
            hints = get_type_hints(command.callback, include_extras=True)
            for parameter, hint in hints.items():
                kind, *settings = get_args(hint) or (hint,)
                if Path in (kind, *get_args(kind), *(a for b in get_args(kind) for a in get_args(b))):
                    option = any(isinstance(one, typer.models.OptionInfo) for one in settings)
                    verb = f"{group}{command.name}"
                    found.add(f"{verb} --{parameter.replace('_', '-')}" if option else verb)
    return found


def test_no_option_that_names_a_path_is_forgotten_here() -> None:
    """A new one belongs in a table above, or among those with their own test."""
    tried = {*READS, *WRITES, "eval --data", "judges --labels", "rescore --prices", "report --prices"}

    found = paths_of_the_command_line()

    assert len(found) > 20
    assert found <= tried | PATH_OPTIONS_WITHOUT_A_FILE_OF_OURS


FOLDER_KINDS = ("echo", "gate-cost", "meetings", "replay", "short-answers", "third-party", "voices")
DATA_KINDS = ("answers", "coverage", "overlaps", "safe-side", *FOLDER_KINDS)
SETS = ("third-party-live", "third-party-replies")


@pytest.mark.parametrize("hostile", ["nothing", "binary.bin", "empty.jsonl", "bad_line.jsonl", "other_schema.jsonl"])
@pytest.mark.parametrize("kind", [*DATA_KINDS, *SETS])
def test_data_of_another_form_is_one_line(say: Say, place: Place, kind: str, hostile: str) -> None:
    """JSONL with a bad line, nothing in it, another schema, or bytes; a file where a folder must be."""
    code, told = say("eval", kind, "--data", place[hostile])

    assert_one_line(code, told, names=place[hostile].name)


@pytest.mark.parametrize("hostile", ["empty_folder", "two_bad_voices"])
@pytest.mark.parametrize("kind", [*FOLDER_KINDS, *SETS])
def test_a_folder_without_usable_data_is_one_line(say: Say, place: Place, kind: str, hostile: str) -> None:
    """No recording, no speaker, a broken wav: exit 2 and no table of dashes."""
    code, told = say("eval", kind, "--data", place[hostile])

    assert_one_line(code, told)


def test_every_kind_with_data_is_tried_here() -> None:
    """A new one belongs in a table above."""
    assert {name for name in kind_modules() if load_kind(name).needs_data} == {*DATA_KINDS, *SETS}


@pytest.mark.parametrize(
    ("kind", "option"),
    [
        *(("ledger-orders", f"orders={value}") for value in ("x", "0", "1.5", "true")),
        ("floor", "phases=[]"),
        ("load", "levels=3"),
        ("load", 'levels=["a"]'),
        ("delivery", "buffer-s=-1"),
        ("soak", "minutes=forever"),
    ],
)
def test_a_setting_of_another_form_is_one_line(say: Say, kind: str, option: str) -> None:
    """It names the setting and what is expected."""
    code, told = say("eval", kind, "--option", option)

    assert_one_line(code, told, names=option.partition("=")[0])


@pytest.mark.parametrize("name", ["stt-delay-s", "stt_delay_s"])
def test_a_setting_is_known_with_dashes_and_with_underscores(name: str) -> None:
    """Both are typed; the kind reads one."""
    assert {"stt-delay-s": 2.0} == load_kind("floor").spelled({name.replace("-", "_"): 2.0})


def test_settings_are_read_with_their_bounds() -> None:
    """Whole numbers stay whole, numbers become floats, defaults count."""
    options = EvalOptions(extra={"n": 3, "s": 2})

    assert (3, 7, 2.0) == (options.whole("n", 1), options.whole("m", 7), options.number("s", 0.5))
    with pytest.raises(BadOption, match="4 or more"):
        options.whole("n", 1, least=4)


BOT = ("--cell", "G-competitive", "--arm", "baseline", "--trials", "1", "--out", "out")
BOTS = {
    "raises": "def make(edges):\n    raise RuntimeError('no key\\nsecond line')\n",
    "gives_nothing": "def make(edges):\n    return None\n",
    "leaves_out": "def make(edges):\n    return [edges.input, edges.stt]\n",
    "needs_more": "import not_there_at_all\n",
    "is_broken": "def (\n",
    "stops_at_import": "raise RuntimeError('at import')\n",
    "has_none": "",
}


@pytest.mark.parametrize("bot", BOTS)
def test_a_bot_that_cannot_be_made_is_one_line(say: Say, tmp_path: Path, monkeypatch: Any, bot: str) -> None:
    """A factory that raises, gives something else, or cannot be imported; the developer's own line is named."""
    (tmp_path / f"hostile_{bot}.py").write_text(BOTS[bot])
    monkeypatch.syspath_prepend(str(tmp_path))

    code, told = say("run", "--bot", f"hostile_{bot}:make", *BOT)

    assert_one_line(code, told, names=f"--bot hostile_{bot}:make: ")
    assert "hostile_raises.py:2" in told if bot == "raises" else True


@pytest.mark.parametrize("url", ["ws://127.0.0.1:9/media", "http://user:secret@127.0.0.1:9/voice?token=secret"])
def test_a_bot_that_is_not_up_is_the_surroundings_fault_and_is_kept(say: Say, tmp_path: Path, url: str) -> None:
    """Exit 3; the line names the address without its secrets, and the fix; the failure is stored."""
    code, told = say("run", "--ws", url, *BOT)

    assert_one_line(code, told, codes=(3,), names="nobody answers at ")
    assert "127.0.0.1:9" in told
    assert "start the bot, or check --ws" in told
    assert "secret" not in told + (tmp_path / "out" / "faults.jsonl").read_text()
    assert 1 == len((tmp_path / "out" / "faults.jsonl").read_text().splitlines())


@pytest.mark.parametrize("arguments", [("--trials", "0"), ("--jobs", "0"), ("--gate", "fail_rate=1"), ("--level", "x")])
def test_a_number_or_a_gate_that_cannot_be_is_refused_before_the_run(say: Say, tmp_path: Path, arguments: Any) -> None:
    """Exit 2, and nothing ran."""
    code, _ = say("run", *arguments)

    assert 2 == code
    assert not (tmp_path / "out").exists()


def test_what_is_no_address_of_an_endpoint_is_refused_before_anything_runs(say: Say, tmp_path: Path) -> None:
    """A host without http:// in front, for every verb that asks a model."""
    for verb in (("run", "--agent", "m", "--out", "out"), ("judges", "--judge-model", "m")):
        code, told = say(*verb, "--base-url", "not-an-address")

        assert_one_line(code, told, names="'not-an-address': expected http://")
    assert not (tmp_path / "out" / "trials.jsonl").exists()


def test_an_endpoint_that_is_not_there_is_the_surroundings_fault(say: Say, tmp_path: Path) -> None:
    """Exit 3 and not "no trials"; the trial that could not be run is kept."""
    code, told = say(
        *("run", "--level", "transcript", "--agent", "m", "--base-url", "http://127.0.0.1:99999/v1"),
        *("--cell", "G-competitive", "--arm", "baseline", "--trials", "1", "--out", "out"),
    )

    assert_one_line(code, told, codes=(3,), names="m at http://127.0.0.1:99999/v1")
    assert (tmp_path / "out" / "faults.jsonl").exists()


@pytest.mark.parametrize(
    ("error", "family"),
    [
        (FileNotFoundError(2, "No such file", "x"), CallerError),
        (IsADirectoryError(21, "Is a directory", "x"), CallerError),
        (PermissionError(13, "Permission denied", "x"), EnvironmentFault),
        (OSError(28, "No space left on device", "x"), EnvironmentFault),
        (OSError(5, "Input/output error", "x"), EnvironmentFault),
    ],
)
def test_an_operating_systems_error_is_the_callers_or_the_surroundings(
    error: OSError, family: type[BenchmarkError]
) -> None:
    """And names the place."""
    told = told_os_error(error, "read")

    assert type(told) is family
    assert str(told).startswith("cannot read x: ")


def test_a_failed_write_leaves_what_stood_there(tmp_path: Path) -> None:
    """Text that cannot be encoded is written nowhere, and no half-written file stays behind."""
    path = write_text(tmp_path / "a" / "b.txt", "first")

    with pytest.raises(UnicodeEncodeError):
        write_text(path, "\udcff")

    assert ["b.txt"] == [p.name for p in path.parent.iterdir()]
    assert "first" == read_text(path)


def test_a_device_is_no_file_to_read() -> None:
    """It might never end."""
    with pytest.raises(MissingData, match="no regular file"):
        read_file(Path("/dev/zero"))


def test_looking_whether_a_place_can_be_written_makes_nothing(tmp_path: Path) -> None:
    """Folders are made when there is something to put in them."""
    check_writable(tmp_path / "a" / "b" / "c.html")
    check_writable(tmp_path / "a" / "b", folder=True)

    assert [] == list(tmp_path.iterdir())
