"""Honest fakes and a scripted call, shipped for the tests of whoever uses this room."""

from obligations.testing.call import ScriptedCall
from obligations.testing.pathways import a_group, a_pathway, a_point, a_question
from obligations.testing.readers import PlainReader

__all__ = ["PlainReader", "ScriptedCall", "a_group", "a_pathway", "a_point", "a_question"]
