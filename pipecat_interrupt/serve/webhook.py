"""A carrier's webhook as a value: what was asked, by which bytes, at which public address."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import parse_qsl

FIELDS_MAX = 200
"""Form fields of one webhook; carriers send about thirty."""


@dataclass(frozen=True)
class Webhook:
    """One request of a carrier.

    Parameters:
        method: "GET" or "POST".
        url: The public address that was asked, with its query, as the carrier knows it.
        headers: Header fields by lower-case name.
        body: The body's bytes, as they came.
    """

    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes = b""

    @cached_property
    def fields(self) -> tuple[tuple[str, str], ...]:
        """The form's fields in order, names repeated as sent; () for what is no form, or for a form too long."""
        try:
            return tuple(
                parse_qsl(self.body.decode(), keep_blank_values=True, max_num_fields=FIELDS_MAX, strict_parsing=False)
            )
        except ValueError:
            return ()

    @cached_property
    def query(self) -> tuple[tuple[str, str], ...]:
        """The query's fields in order."""
        _, _, query = self.url.partition("?")
        try:
            return tuple(parse_qsl(query, keep_blank_values=True, max_num_fields=FIELDS_MAX))
        except ValueError:
            return ()

    def value(self, name: str) -> str:
        """The first value of a form or query field; "" when there is none."""
        return next((v for n, v in (*self.fields, *self.query) if n == name), "")
