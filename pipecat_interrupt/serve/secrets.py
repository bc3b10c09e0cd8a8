"""Every secret of the server, read from the environment and from nowhere else; never shown, never logged."""

from __future__ import annotations

import secrets as random_secrets
from collections.abc import Mapping

from pydantic import BaseModel, ConfigDict, SecretStr

from pipecat_interrupt.errors import SettingsError
from pipecat_interrupt.serve.config import Provider, ServeConfig
from pipecat_interrupt.serve.signatures import SignatureCheck, accept_all, check_plivo, check_telnyx, check_twilio

STREAM_SECRET_CHARS_MIN = 32

ENVIRONMENT = {
    "twilio_account_sid": "TWILIO_ACCOUNT_SID",
    "twilio_auth_token": "TWILIO_AUTH_TOKEN",
    "telnyx_public_key": "TELNYX_PUBLIC_KEY",
    "telnyx_api_key": "TELNYX_API_KEY",
    "plivo_auth_id": "PLIVO_AUTH_ID",
    "plivo_auth_token": "PLIVO_AUTH_TOKEN",
    "deepgram_api_key": "DEEPGRAM_API_KEY",
    "openai_api_key": "OPENAI_API_KEY",
    "stream_secret": "PIPECAT_INTERRUPT_STREAM_SECRET",
}
"""Each secret and the variable it comes from."""


class Secrets(BaseModel):
    """The secrets of one server; printing it shows none of them.

    Parameters:
        twilio_account_sid: With the token: calls are hung up through Twilio's API.
        twilio_auth_token: Signs Twilio's webhooks.
        telnyx_public_key: Checks Telnyx's webhooks.
        telnyx_api_key: Calls are hung up through Telnyx's API.
        plivo_auth_id: With the token: calls are hung up through Plivo's API.
        plivo_auth_token: Signs Plivo's webhooks.
        deepgram_api_key: Of the recogniser.
        openai_api_key: Of the language model.
        stream_secret: Signs the tokens of media streams. Workers that share it serve each other's calls; a random one,
            good for this process only, when None.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    twilio_account_sid: SecretStr | None = None
    twilio_auth_token: SecretStr | None = None
    telnyx_public_key: SecretStr | None = None
    telnyx_api_key: SecretStr | None = None
    plivo_auth_id: SecretStr | None = None
    plivo_auth_token: SecretStr | None = None
    deepgram_api_key: SecretStr | None = None
    openai_api_key: SecretStr | None = None
    stream_secret: SecretStr | None = None

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> Secrets:
        """Read them; an empty variable counts as none."""
        found = {name: value for name, variable in ENVIRONMENT.items() if (value := environment.get(variable, ""))}
        return cls.model_validate(found)

    def value(self, name: str) -> str | None:
        """The secret itself; None when it is not set."""
        secret: SecretStr | None = getattr(self, name)
        return secret.get_secret_value() if secret is not None else None

    def need(self, name: str, what_for: str) -> str:
        """The secret itself.

        Raises:
            SettingsError: It is not set; the message names the variable and what it is for.
        """
        value = self.value(name)
        if value is None:
            raise SettingsError(f"{ENVIRONMENT[name]} is not set in the environment: {what_for}")
        return value

    def signature_check(self, config: ServeConfig) -> SignatureCheck:
        """The check of the carrier's webhooks.

        Raises:
            SettingsError: The carrier's secret is not set or no key, and the settings do not say `unsigned`.
        """
        if config.unsigned:
            return accept_all
        why = "it tells the carrier's webhooks from a stranger's (on your own machine: --unsigned)"
        if config.provider is Provider.TWILIO:
            return check_twilio(self.need("twilio_auth_token", why))
        if config.provider is Provider.PLIVO:
            return check_plivo(self.need("plivo_auth_token", why))
        try:
            return check_telnyx(self.need("telnyx_public_key", why))
        except ValueError as error:
            raise SettingsError(f"TELNYX_PUBLIC_KEY: {error}") from error

    def stream_key(self) -> tuple[str, bool]:
        """The key of stream tokens, and whether other workers may share it.

        Raises:
            SettingsError: The key that is set is too short to be a secret.
        """
        given = self.value("stream_secret")
        if given is None:
            return random_secrets.token_urlsafe(32), False
        if len(given) < STREAM_SECRET_CHARS_MIN:
            raise SettingsError(
                f"PIPECAT_INTERRUPT_STREAM_SECRET must have at least {STREAM_SECRET_CHARS_MIN} characters;"
                " make one with: openssl rand -hex 32"
            )
        return given, True
