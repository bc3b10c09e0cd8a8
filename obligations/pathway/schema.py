"""The published JSON Schema of a pathway file.

Owns its form: one deterministic object, so that an editor can complete a file and a reviewer can diff two versions.
"""

from __future__ import annotations

from typing import Any

from obligations.pathway.models import Pathway

SCHEMA_ID = "urn:pipecat-interrupt:pathway:1"


def pathway_schema() -> dict[str, Any]:
    """Make the JSON Schema (2020-12) that every pathway file satisfies once its phrases are filled in."""
    schema = Pathway.model_json_schema()
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["$id"] = SCHEMA_ID
    # A file may leave out any phrase that has a bundled default, so a file's phrases require only the two without
    # one.
    schema["$defs"]["Phrases"]["required"] = ["greeting", "goodbye"]
    return schema
