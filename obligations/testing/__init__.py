"""Honest fakes and a scripted call, shipped for the tests of whoever uses this room."""

from obligations.testing.call import ScriptedCall
from obligations.testing.readers import PlainReader

__all__ = ["PlainReader", "ScriptedCall"]
