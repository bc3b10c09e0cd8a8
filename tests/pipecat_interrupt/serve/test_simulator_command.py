"""What the simulator's command can do on a line by the clock, and how it signs; on real sockets."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from pipecat_interrupt.cli.call import _mishaps, _reader, _secrets, _with
from pipecat_interrupt.serve import Provider
from pipecat_interrupt.serve.secrets import Secrets
from pipecat_interrupt.testing.carrier.wire import CallIds, JsonObject, TelnyxWire
from tests.pipecat_interrupt.serve.phone import serving

pytestmark = [pytest.mark.contract, pytest.mark.enable_socket]


class Telling(TelnyxWire):
    """Telnyx's language, told with the keys that were pressed."""

    def __init__(self) -> None:
        self.pressed: list[str] = []

    def dtmf(self, ids: CallIds, digit: str) -> JsonObject:
        """As Telnyx."""
        self.pressed.append(digit)
        return super().dtmf(ids, digit)


async def test_keys_are_pressed_and_the_network_cuts_a_signed_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Telnyx, signed with a key of one's own: the server takes the call, hears the keys, and hands it off when cut."""
    pair = Ed25519PrivateKey.generate()
    monkeypatch.setenv("TELNYX_PRIVATE_KEY", base64.b64encode(pair.private_bytes_raw()).decode())
    public = base64.b64encode(pair.public_key().public_bytes_raw()).decode()
    known = Secrets.from_environment({"TELNYX_PUBLIC_KEY": public})
    wire = Telling()
    async with serving(
        tmp_path,
        pathway="cataract-followup",
        provider=Provider.TELNYX,
        secrets=known,
        signs=_secrets("telnyx"),
    ) as phone:
        line = await phone.call()
        line.wire = wire
        report = await _with(_mishaps(["12#@0.4"], 0.9), _reader([]))(line, 20.0)
        over = await phone.over(line.ids.call)

    assert report.hung_up_by == "network"
    assert report.seconds < 5
    assert wire.pressed == ["1", "2", "#"]
    assert (over.reason, over.handoff is not None) == ("hang_up", True)


@pytest.mark.parametrize("spec", ["@3", "12", "x@1", "1@soon", "1@-1", "1@inf"])
def test_keys_that_no_telephone_has_are_refused(spec: str) -> None:
    """By name, before anybody is called; without a time they are pressed at once."""
    if spec == "12":
        assert _mishaps([spec], None) == [(0.0, "12")]
        return
    with pytest.raises(ValueError, match="such as 12#@3"):
        _mishaps([spec], None)


@pytest.mark.parametrize("given", ["zz", "!", base64.b64encode(b"short").decode()])
def test_a_telnyx_key_that_cannot_sign_is_named(given: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An unsigned webhook would be refused with 403 alone."""
    monkeypatch.setenv("TELNYX_PRIVATE_KEY", given)

    with pytest.raises(ValueError, match="TELNYX_PRIVATE_KEY: an Ed25519 private key"):
        _secrets("telnyx")
