"""Local models: the agent's voice, the ear, and the language model in a child process.

Import the module you need (`local.tts`, `local.stt`, `local.llm`, `local.live`); this package loads none of them.
"""

from .errors import LocalModelError, MissingExtra, ServerFailed
from .threads import calm_threads

__all__ = ["LocalModelError", "MissingExtra", "ServerFailed", "calm_threads"]
