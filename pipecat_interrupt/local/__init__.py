"""Local models: the agent's voice, the ear, and the language model that picks among approved lines.

Import the module you need (`local.tts`, `local.stt`, `local.llm`, `local.ack`); this package itself loads none of them.
"""

from .errors import LocalModelError, MissingExtra, ServerFailed
from .threads import calm_threads

__all__ = ["LocalModelError", "MissingExtra", "ServerFailed", "calm_threads"]
