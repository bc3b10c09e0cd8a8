"""Arguments that leave no trace: found in the source, and shown to do nothing by running that source."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import textwrap
import warnings
from pathlib import Path
from typing import Any

import pytest
from pipecat.frames.frames import InterruptionFrame, VADUserStartedSpeakingFrame
from pipecat.turns.user_start import VADUserTurnStartStrategy
from pipecat.turns.user_stop import SpeechTimeoutUserTurnStopStrategy
from pipecat.turns.user_turn_strategies import UserTurnStrategies

from pipecat_interrupt.errors import SettingsError
from pipecat_interrupt.lint import Finding, lint_source
from pipecat_interrupt.testing import ScriptedCall, ScriptedSTT
from pipecat_interrupt.testing.call import CallParts

from .bots import run

pytestmark = pytest.mark.pipeline

ROOT = Path(__file__).resolve().parents[3]


def _read_and_run(tmp_path: Path, source: str) -> tuple[list[Finding], dict[str, Any]]:
    """Lint a source and run it; give the findings and the names it made."""
    file = tmp_path / "bot.py"
    file.write_text(textwrap.dedent(source), encoding="utf-8")
    names: dict[str, Any] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        exec(compile(file.read_text(encoding="utf-8"), str(file), "exec"), names)
    return lint_source(file), names


def test_a_transport_drops_a_voice_detector_it_does_not_know(tmp_path: Path) -> None:
    """unknown-field: the detector stands in TransportParams, as before Pipecat 1.0, and nobody is detected."""
    findings, names = _read_and_run(
        tmp_path,
        """
        from pipecat.transports.base_transport import TransportParams
        from pipecat_interrupt.testing import EnergyVAD

        params = TransportParams(audio_in_enabled=True, vad_enabled=True, vad_analyzer=EnergyVAD())
        """,
    )

    def with_params(parts: CallParts, chain: list[Any]) -> list[Any]:
        parts.input._params = names["params"]
        parts.input._silent = False
        return chain

    call = ScriptedCall(3.0).patient("How do I take these?", at_s=0.5)
    found = run(call, around=with_params, opening=None, vad="text", stt=ScriptedSTT("segmented"))
    assert found.result.parts.after.of(VADUserStartedSpeakingFrame) == []
    assert [(f.code, f.where) for f in findings] == [("unknown-field", "bot.py:5")] * 2
    assert "LLMUserAggregatorParams" in findings[0].fix


def test_a_pipeline_that_does_not_allow_interruptions_is_interrupted(tmp_path: Path) -> None:
    """unknown-field: allow_interruptions=False was removed, and the agent is cut all the same."""
    findings, names = _read_and_run(
        tmp_path,
        """
        from pipecat.pipeline import worker as w

        params = w.PipelineParams(audio_out_sample_rate=16000, allow_interruptions=False)
        """,
    )

    stock = UserTurnStrategies(
        start=[VADUserTurnStartStrategy()], stop=[SpeechTimeoutUserTurnStopStrategy(user_speech_timeout=0.6)]
    )
    call = ScriptedCall(5.0).patient("please stop now", at_s=1.5)
    found = run(call, user={"user_turn_strategies": stock}, worker_options={"params": names["params"]})
    assert found.result.parts.after.of(InterruptionFrame) != []
    assert [f.code for f in findings] == ["unknown-field"]
    assert "start strategies" in findings[0].fix


def test_a_processor_swallows_an_argument_that_nobody_names(tmp_path: Path) -> None:
    """unknown-argument: the detector's own timing is unchanged, and no error says why."""
    findings, names = _read_and_run(
        tmp_path,
        """
        from pipecat.processors.audio.vad_processor import VADProcessor
        from pipecat_interrupt.testing import EnergyVAD

        analyzer = EnergyVAD()
        processor = VADProcessor(vad_analyzer=analyzer, start_secs=0.9, speech_activity_period=0.1)
        """,
    )

    assert names["analyzer"].params.start_secs == 0.2
    assert [(f.code, f.where) for f in findings] == [("unknown-argument", "bot.py:6")]
    assert "'start_secs'" in findings[0].what


def test_an_argument_that_is_accepted_and_not_used(tmp_path: Path) -> None:
    """argument-unused: the processor keeps nothing of it."""
    findings, names = _read_and_run(
        tmp_path,
        """
        import pipecat.processors.frameworks.rtvi as rtvi

        transport = object()
        processor = rtvi.RTVIProcessor(transport=transport)
        """,
    )

    assert names["transport"] not in vars(names["processor"]).values()
    assert [f.code for f in findings] == ["argument-unused"]


def test_an_argument_that_another_one_switches_off(tmp_path: Path) -> None:
    """argument-switched-off: RTVI is off, so its observer's parameters go nowhere."""
    findings, names = _read_and_run(
        tmp_path,
        """
        from pipecat.pipeline.pipeline import Pipeline
        from pipecat.pipeline.worker import PipelineWorker
        from pipecat.processors.frameworks.rtvi import RTVIObserverParams

        worker = PipelineWorker(Pipeline([]), enable_rtvi=False, rtvi_observer_params=RTVIObserverParams())
        """,
    )

    with pytest.raises(Exception, match="RTVI is not enabled"):
        _ = names["worker"].rtvi
    assert [f.code for f in findings] == ["argument-switched-off"]


def test_a_source_without_faults_gives_no_finding(tmp_path: Path) -> None:
    """Known fields, names of other packages, and calls that cannot be followed are left alone."""
    findings, _ = _read_and_run(
        tmp_path,
        """
        from dataclasses import dataclass
        from pipecat.pipeline.worker import PipelineParams
        from pipecat.transports.base_transport import TransportParams as Params

        @dataclass
        class Mine:
            anything: int = 0

        made = [Params(audio_in_enabled=True), PipelineParams(**{"audio_in_sample_rate": 8000}), Mine(anything=1)]
        """,
    )

    assert findings == []


@pytest.mark.parametrize("example", sorted(p.name for p in (ROOT / "examples").glob("*.py")))
def test_our_own_examples_are_clean(example: str) -> None:
    """What we show people must not be ignored."""
    assert lint_source(ROOT / "examples" / example) == []


def test_what_is_no_python_is_refused_in_one_sentence(tmp_path: Path) -> None:
    """The message names the file."""
    file = tmp_path / "bot.py"
    file.write_text("this is no python", encoding="utf-8")

    with pytest.raises(SettingsError, match=r"bot\.py is not a Python file"):
        lint_source(file)


def test_a_kit_reads_the_file_it_is_asked_from(tmp_path: Path) -> None:
    """kit.lint(pipeline) needs no argument to see what the file around it passes in vain."""
    file = tmp_path / "bot.py"
    file.write_text(
        textwrap.dedent(
            """
            from pipecat.pipeline.pipeline import Pipeline
            from pipecat.transports.base_transport import TransportParams
            from pipecat_interrupt.kit import InterruptKit

            params = TransportParams(audio_out_enabled=True, camera_out_enabled=True)
            for finding in InterruptKit().lint(Pipeline([])):
                print(finding)
            """
        ),
        encoding="utf-8",
    )
    command, where = [sys.executable, str(file)], {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, capture_output=True, text=True, env=where, timeout=55, check=True)

    assert "unknown-field: bot.py:6: TransportParams has no field 'camera_out_enabled'" in done.stdout


def test_the_command_reads_sources_and_exits_1_on_a_finding(tmp_path: Path) -> None:
    """For a pre-commit hook: the file is parsed, never run."""
    bad, good = tmp_path / "bad.py", tmp_path / "good.py"
    bad.write_text(
        "from pipecat.pipeline.worker import PipelineParams\n"
        "PipelineParams(interruption_strategies=[])\n"
        "raise SystemExit(7)\n"
    )
    good.write_text("from pipecat.pipeline.worker import PipelineParams\nPipelineParams(enable_metrics=True)\n")

    def command(*files: Path) -> subprocess.CompletedProcess[str]:
        code = "from pipecat_interrupt.cli import main; main()"
        arguments = [sys.executable, "-c", code, "lint", *map(str, files)]
        return subprocess.run(arguments, capture_output=True, text=True, timeout=55, check=False, cwd=ROOT)

    found, clean = command(bad, good), command(good)

    assert (found.returncode, clean.returncode) == (1, 0)
    assert "unknown-field: bad.py:2" in found.stdout
    assert clean.stdout.strip() == "1 file, nothing ignored"


def test_every_code_stands_in_the_table_and_has_a_test() -> None:
    """docs/lint.md names each code once; each appears in a test of this folder."""
    codes: set[str] = set()
    for path in [*(ROOT / "pipecat_interrupt" / "lint").glob("*.py"), ROOT / "pipecat_interrupt/hold/backend.py"]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("Finding", "HoldRemark"):
                first = node.args[0]
                codes |= {str(first.value)} if isinstance(first, ast.Constant) else set()
    table = re.findall(r"^\| `([a-z0-9-]+)` \|", (ROOT / "docs" / "lint.md").read_text(encoding="utf-8"), re.MULTILINE)
    tests = " ".join(p.read_text(encoding="utf-8") for p in Path(__file__).parent.glob("test_*.py"))

    assert sorted(table) == sorted(codes)
    assert {code for code in codes if code not in tests} == set()
