"""Signatures of judges: a hash over the code, prompts and references that a verdict depends on.

Comments, docstrings and layout do not count; everything else does. A test pins version and signature together.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
from types import ModuleType

from pydantic import BaseModel


def code_digest(*modules: ModuleType) -> str:
    """Hash the meaning of modules' source: the syntax tree without docstrings."""
    digest = hashlib.sha256()
    for module in modules:
        tree = ast.parse(inspect.getsource(module))
        for node in ast.walk(tree):
            body = getattr(node, "body", None)
            if isinstance(body, list) and body and _is_docstring(body[0]):
                body.pop(0)
        digest.update(ast.dump(tree).encode())
    return digest.hexdigest()


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def signature(*parts: str | BaseModel | ModuleType) -> str:
    """Hash parts in order: modules by their code, models by their values, texts as they are; 16 hex digits."""
    digest = hashlib.sha256()
    for part in parts:
        if isinstance(part, ModuleType):
            text = code_digest(part)
        elif isinstance(part, BaseModel):
            text = part.model_dump_json()
        else:
            text = part
        digest.update(text.encode() + b"\0")
    return digest.hexdigest()[:16]
