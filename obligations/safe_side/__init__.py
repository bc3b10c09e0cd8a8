"""The trained readers beside the word rules, where a reading may only raise and never close."""

from obligations.safe_side.model import KINDS, NAME, Head, Kind, SafeSideModel, load_from, load_model, read_model

__all__ = ["KINDS", "NAME", "Head", "Kind", "SafeSideModel", "load_from", "load_model", "read_model"]
