"""Annotation packs for people: blinded dialogues with a YAML block each, read back into agreement tables."""

from benchmarks.annotation.pack import PackItem, make_pack, write_pack
from benchmarks.annotation.read import Annotation, read_pack
from benchmarks.annotation.tables import AgreementRow, RealismRow, agreement_rows, realism_rows

__all__ = [
    "AgreementRow",
    "Annotation",
    "PackItem",
    "RealismRow",
    "agreement_rows",
    "make_pack",
    "read_pack",
    "realism_rows",
    "write_pack",
]
