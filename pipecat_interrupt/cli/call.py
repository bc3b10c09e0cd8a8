"""`pipecat-interrupt call-simulator`, the same as `python -m pipecat_interrupt.testing.carrier`: call a bot."""

from __future__ import annotations

import asyncio
import base64
import dataclasses
import json
import math
import os
import secrets as random_secrets
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipecat_interrupt.cli.targets import check_target

if TYPE_CHECKING:
    from pipecat_interrupt.testing.carrier.caller import Line, Report
    from pipecat_interrupt.testing.carrier.line import LineConditions, SimulatedCall
    from pipecat_interrupt.testing.carrier.ringing import CarrierSecrets


LostMarks = Annotated[float, typer.Option(help="Share of marks that never come back.", min=0.0, max=1.0)]
Presses = Annotated[list[str] | None, typer.Option(help="Keys pressed after so many seconds: 12#@3. Repeatable.")]
DropAt = Annotated[
    float | None, typer.Option(help="The network cuts the line after this long, without a word.", min=0.0)
]


def call_command(
    webhook: Annotated[str, typer.Argument(help="The bot's webhook, such as http://127.0.0.1:8080/twilio/voice.")],
    provider: Annotated[str, typer.Option(help="twilio, telnyx or plivo.")] = "twilio",
    say: Annotated[
        list[str] | None,
        typer.Option(help="Audio file said when the agent has finished; FILE@1.5 cuts in after 1.5 s. Repeatable."),
    ] = None,
    clip: Annotated[
        list[str] | None, typer.Option(help="The same with a clip of the demo's patient, such as pain_no@2.")
    ] = None,
    patient: Annotated[
        bool, typer.Option(help="The demo's patient: listens with a local ear and answers what it hears.")
    ] = False,
    record: Annotated[Path | None, typer.Option(help="WAV of the call: caller left, agent as heard right.")] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace what stands at --record, though it is no recording of ours.")
    ] = False,
    seconds: Annotated[float, typer.Option(help="The caller hangs up after this long.", min=1.0)] = 180.0,
    jitter: Annotated[float, typer.Option(help="Jitter of every message, seconds.", min=0.0)] = 0.0,
    lost: Annotated[float, typer.Option(help="Share of the caller's frames that are lost.", min=0.0, max=1.0)] = 0.0,
    lost_marks: LostMarks = 0.0,
    buffer: Annotated[float, typer.Option(help="Buffer of the far end, seconds.", min=0.0)] = 0.1,
    press: Presses = None,
    drop_at: DropAt = None,
    public_url: Annotated[str | None, typer.Option(help="Address to sign, where a proxy stands in between.")] = None,
    seed: Annotated[int, typer.Option(help="Of every chance.")] = 0,
) -> None:
    """Call a bot as a carrier would: signed webhook, media stream, playback in real time, marks, hang-up.

    It signs with TWILIO_AUTH_TOKEN, PLIVO_AUTH_TOKEN or TELNYX_PRIVATE_KEY (base64, of a pair of your own) of the
    environment, when set. Prints one JSON object: how long, who hung up, seconds of agent sound, marks.
    """
    from pipecat_interrupt.testing.carrier.line import LineConditions
    from pipecat_interrupt.testing.carrier.sound import is_recording
    from pipecat_interrupt.testing.carrier.wire import WIRES

    if not webhook.startswith(("http://", "https://")):
        raise typer.BadParameter(f"an address like http://host:port/path, not {webhook!r}", param_hint="WEBHOOK")
    if not math.isfinite(seconds):
        raise typer.BadParameter(f"a number of seconds, not {seconds}", param_hint="--seconds")
    if provider not in WIRES:
        raise typer.BadParameter(f"one of {', '.join(WIRES)}, not {provider!r}", param_hint="--provider")
    try:
        lines = _lines(say or [], clip or [])
        mishaps = _mishaps(press or [], drop_at)
        secrets = _secrets(provider)
    except (ValueError, KeyError) as error:
        raise typer.BadParameter(str(error)) from error
    if record is not None:
        path = record
        check_target(path, option="--record", earlier=lambda _: is_recording(path), force=force)
    conditions = LineConditions(jitter_s=jitter, lost_frames=lost, lost_marks=lost_marks, buffer_s=buffer, seed=seed)
    try:
        behave = _patient() if patient else _reader(lines)
        behave = _with(mishaps, behave)
        report = asyncio.run(_call(webhook, provider, behave, conditions, record, seconds, public_url, secrets))
    except (ConnectionError, OSError) as error:
        typer.echo(f"no call: {_why(error, webhook)}", err=True)
        raise typer.Exit(1) from error
    typer.echo(json.dumps(dataclasses.asdict(report)))


def _why(error: OSError, webhook: str) -> str:
    from aiohttp import ClientConnectorError

    if isinstance(error, ClientConnectorError):
        return f'nothing answers at {webhook}; start the server first, and wait until it says "webhook: ..."'
    return str(error)


Behaviour = Callable[["SimulatedCall", float], Awaitable["Report"]]
"""Drives an open call to its end, within so many seconds."""


def _reader(lines: list[Line]) -> Behaviour:
    """A caller who reads lines off a list."""
    from pipecat_interrupt.testing.carrier.caller import converse

    return lambda call, seconds: converse(call, lines, seconds_max=seconds)


def _patient() -> Behaviour:
    """The demo's patient, with an ear of its own; loads a model."""
    from pipecat_interrupt.demo.patient import DEMO_CUES
    from pipecat_interrupt.local.threads import calm_threads

    calm_threads()
    from pipecat_interrupt.local.whisper_ear import WhisperEar
    from pipecat_interrupt.testing.carrier.caller import Answer, read_line, understand
    from pipecat_interrupt.weights import ensure

    ear = WhisperEar(ensure("whisper-base"))
    answers = [Answer(cue.hears, read_line(_clip(cue.clip))) for cue in DEMO_CUES if cue.when == "after"]
    return lambda call, seconds: understand(call, lambda sound: ear.hear(sound, "en"), answers, seconds_max=seconds)


def main() -> None:
    """Run the command by itself."""
    typer.run(call_command)


def _lines(say: list[str], clips: list[str]) -> list[Line]:
    from pipecat_interrupt.testing.carrier.caller import read_line

    return [read_line(spec) for spec in [*say, *(_clip(spec) for spec in clips)]]


Mishap = tuple[float, str]
"""Seconds of the line, and the keys that are pressed then; "" for the network that cuts it."""


def _mishaps(presses: list[str], drop_at: float | None) -> list[Mishap]:
    """Read what happens on the line by the clock.

    Raises:
        ValueError: No keys, or no time.
    """
    found: list[Mishap] = [] if drop_at is None else [(drop_at, "")]
    for spec in presses:
        keys, _, at = spec.partition("@")
        try:
            at_s = float(at or 0.0)
        except ValueError:
            at_s = math.nan
        if not keys or not set(keys) <= set("0123456789*#ABCDabcd") or not 0 <= at_s < math.inf:
            raise ValueError(f"{spec}: keys (0 to 9, *, #, A to D) and after how many seconds, such as 12#@3")
        found.append((at_s, keys))
    return sorted(found)


def _with(mishaps: list[Mishap], behave: Behaviour) -> Behaviour:
    """The same caller on a line on which this happens as well."""

    async def happen(call: SimulatedCall) -> bool:
        for at_s, keys in mishaps:
            await call.wait(at_s - call.now_s)
            if call.closed.is_set():
                return False
            if not keys:
                await call.drop()
                return True
            await call.press(keys)
        return False

    async def run(call: SimulatedCall, seconds: float) -> Report:
        happening = asyncio.ensure_future(happen(call))
        report = await behave(call, seconds)
        dropped = await happening if call.closed.is_set() else happening.cancel() and False
        return dataclasses.replace(report, hung_up_by="network") if dropped else report

    return run


def _secrets(provider: str) -> CarrierSecrets:
    """What the environment gives to sign with.

    Raises:
        ValueError: A Telnyx key that is none.
    """
    from pipecat_interrupt.testing.carrier import CarrierSecrets

    if provider != "telnyx":
        return CarrierSecrets(auth_token=os.environ.get(f"{provider.upper()}_AUTH_TOKEN"))
    given = os.environ.get("TELNYX_PRIVATE_KEY")
    if given is None:
        return CarrierSecrets()
    try:
        key = base64.b64decode(given, validate=True)
    except ValueError:
        key = b""
    if len(key) != 32:
        raise ValueError("TELNYX_PRIVATE_KEY: an Ed25519 private key, 32 bytes in base64")
    return CarrierSecrets(telnyx_private_key=key)


def _clip(spec: str) -> str:
    from pipecat_interrupt.demo.clips import clips

    name, _, at = spec.partition("@")
    known = clips()
    if name not in known:
        raise ValueError(f"no clip is called {name!r}; one of {', '.join(known)}")
    return f"{known[name].path}@{at}" if at else str(known[name].path)


async def _call(
    webhook: str,
    provider: str,
    behave: Behaviour,
    conditions: LineConditions,
    record: Path | None,
    seconds: float,
    public_url: str | None,
    secrets: CarrierSecrets,
) -> Report:
    from pipecat_interrupt.testing.carrier import CallIds, SimulatedCall, ring, write_stereo

    number = random_secrets.token_hex(16)
    ids = CallIds(call=f"CA{number}", stream=f"MZ{number}")
    url = await ring(webhook, provider, ids, secrets, public_url=public_url)
    call = SimulatedCall(provider, ids, conditions)
    await call.open(url)
    report = await behave(call, seconds)
    if record is not None:
        write_stereo(record, call.recording())
    return report
