"""A running bot as a system under test: places a call to it, plays the patient, hears what comes back.

Owns one call over the carrier's websocket, in real time. Nothing of the bot is seen but its audio and, where it leaves
one, its journal.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from benchmarks.errors import EnvironmentFault
from benchmarks.simulator.system import Call, CallRecord, Claims, EndReason
from benchmarks.simulator.transcript import Turn
from benchmarks.simulator.wire.hearing import Ear, Listener
from benchmarks.simulator.wire.journals import journals_in, new_journal, turns_in_its_words
from benchmarks.simulator.wire.patient import WirePatient
from benchmarks.simulator.wire.settings import WireSettings
from pipecat_interrupt.testing import Speech
from pipecat_interrupt.testing.carrier import (
    CallIds,
    CarrierSecrets,
    LineConditions,
    LineLost,
    SimulatedCall,
    ring,
    write_stereo,
)
from pipecat_interrupt.testing.carrier.ringing import Busy, Refused

BUFFER_S = 0.1
KNOCK_S_MAX = 5.0


class WireSystem:
    """A bot on the wire. One object may serve many calls, one at a time.

    Args:
        settings: Where the bot is.
        ear: What the patient hears with; None loads the local recogniser.
        speak: The patient's voice: text and rate to a clip; None loads the local voice.
        conditions: How good the line is.
    """

    name = "bot"
    level = "wire"

    def __init__(
        self,
        settings: WireSettings,
        ear: Ear | None = None,
        speak: Callable[[str, int], Speech] | None = None,
        conditions: LineConditions | None = None,
    ) -> None:
        self._settings = settings
        self._given_ear, self._given_voice = ear, speak
        self._conditions = conditions or LineConditions(buffer_s=BUFFER_S)

    async def converse(self, call: Call) -> CallRecord:
        """Conduct one call.

        Raises:
            EnvironmentFault: The bot could not be reached, or refused the call.
        """
        await self._somebody_there()
        ear = self._given_ear if self._given_ear is not None else _local().ear
        speak = self._given_voice if self._given_voice is not None else _local().patient
        folder = self._settings.journals
        before = journals_in(folder) if folder is not None else frozenset[Path]()
        line = await self._dial()
        patient = WirePatient(line, Listener(line.playout, ear), call.patient, speak, call.bounds)
        try:
            await patient.live()
            duration_s = line.now_s
        finally:
            await line.hang_up()
        if not patient.heard:
            raise EnvironmentFault(
                f"the bot at {self._settings.shown} was not heard to say anything; look at its log, and at --provider"
            )
        notes = list(self._record(line, call.seed))
        turns: list[Turn] = patient.turns()
        claims = Claims()
        journal = await new_journal(folder, before) if folder is not None else None
        if journal is not None:
            turns, strange = turns_in_its_words(patient.heard, list(patient.said), journal)
            claims = journal.claims
            notes.append(f"in the wording of the bot's journal; utterances not in it: {strange}")
        else:
            notes.append("in an ear's words; what the bot meant to say is not known")
            notes += ["no journal of this call was found"] if folder is not None else []
        return CallRecord(
            turns=tuple(turns),
            end=patient.end or EndReason.AGENT_CLOSED,
            claims=claims,
            duration_s=round(duration_s, 3),
            notes=tuple(notes),
        )

    async def _somebody_there(self) -> None:
        """Knock before anything is loaded: models take seconds, and nobody may be there."""
        parts = urlsplit(self._settings.url)
        port = parts.port or (443 if parts.scheme in ("wss", "https") else 80)
        try:
            async with asyncio.timeout(KNOCK_S_MAX):
                _, writer = await asyncio.open_connection(parts.hostname, port)
        except OSError as error:  # a timeout is one too
            raise self._nobody(error) from error
        writer.close()

    def _nobody(self, error: Exception) -> EnvironmentFault:
        return EnvironmentFault(
            f"nobody answers at {self._settings.shown}: {str(error) or type(error).__name__};"
            " start the bot, or check --ws and --provider"
        )

    async def _dial(self) -> SimulatedCall:
        number = secrets.token_hex(16)
        ids = CallIds(call=f"CA{number}", stream=f"MZ{number}")
        try:
            url = self._settings.url
            if self._settings.asks_webhook:
                token = os.environ.get(f"{self._settings.provider.upper()}_AUTH_TOKEN")
                url = await ring(url, self._settings.provider, ids, CarrierSecrets(auth_token=token))
            line = SimulatedCall(self._settings.provider, ids, self._conditions)
            await line.open(url)
        except (Busy, Refused, LineLost, OSError) as error:
            raise self._nobody(error) from error
        return line

    def _record(self, line: SimulatedCall, seed: int) -> tuple[str, ...]:
        folder = self._settings.recordings
        stereo = line.recording()
        digest = hashlib.sha256(stereo.tobytes()).hexdigest()
        if folder is not None:
            write_stereo(folder / f"{seed:016x}-{digest[:12]}.wav", stereo)
        return (f"recording sha256:{digest}",)


def _local() -> Any:
    from benchmarks.simulator.live.local_voices import local_voices

    return local_voices()
