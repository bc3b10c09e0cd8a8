"""An audit of what is installed that needs no network: versions fit each other, and copyleft stays where it is said."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

pytestmark = pytest.mark.unit

OURS = "pipecat-interrupt"
GPL_EXTRAS = frozenset({"local", "all"})
"""Extras that bring Piper, which is GPL; README and docs/local-models.md say so."""


def _found(name: str) -> Distribution | None:
    try:
        return distribution(name)
    except PackageNotFoundError:
        return None


def _needs(dist: Distribution, extras: frozenset[str]) -> Iterator[Requirement]:
    """What a distribution requires here, with these extras of its own."""
    for line in dist.requires or ():
        need = Requirement(line)
        if need.marker is None or any(need.marker.evaluate({"extra": extra}) for extra in ("", *extras)):
            yield need


def _closure(extras: frozenset[str]) -> dict[str, tuple[Distribution, list[tuple[str, Requirement]]]]:
    """Everything installed that an installation with these extras needs, and who needs it in which versions."""
    known: dict[str, tuple[Distribution, list[tuple[str, Requirement]]]] = {}
    seen: set[tuple[str, frozenset[str]]] = set()
    waiting = [("the command line", Requirement(f"{OURS}[{','.join(sorted(extras))}]" if extras else OURS))]
    while waiting:
        by, need = waiting.pop()
        name, wanted = canonicalize_name(need.name), frozenset(need.extras)
        dist = _found(name)
        if dist is None:
            continue
        known.setdefault(name, (dist, []))[1].append((by, need))
        if (name, wanted) not in seen:
            seen.add((name, wanted))
            waiting += [(name, further) for further in _needs(dist, wanted)]
    return known


def _extras() -> frozenset[str]:
    return frozenset(distribution(OURS).metadata.get_all("Provides-Extra") or ())


def test_every_installed_version_is_one_that_whoever_needs_it_takes() -> None:
    """A pinned set that contradicts itself works until it does not; a missing package is told by its import."""
    wrong = [
        f"{by} needs {need}, {dist.version} is installed"
        for dist, needs in _closure(_extras()).values()
        for by, need in needs
        if not need.specifier.contains(dist.version, prereleases=True)
    ]

    assert wrong == []


@pytest.mark.parametrize("extra", sorted({"", *_extras()} - GPL_EXTRAS))
def test_no_extra_but_local_brings_a_gpl_package(extra: str) -> None:
    """Who does not ask for the local voice installs no GPL code of ours (the LGPL is another licence)."""
    copyleft = [name for name, (dist, _) in _closure(frozenset({extra} - {""})).items() if _is_gpl(dist)]

    assert copyleft == []


def test_the_audit_sees_the_gpl_where_it_is() -> None:
    """Piper is found, so that the silence above means something."""
    if _found("piper-tts") is None:
        pytest.skip("piper-tts is not installed")

    assert "piper-tts" in [name for name, (dist, _) in _closure(frozenset({"local"})).items() if _is_gpl(dist)]


def _is_gpl(dist: Distribution) -> bool:
    """Whether a package's own words name the GPL, or the Affero GPL, as its one licence."""
    told = dist.metadata.get("License-Expression") or ""
    classifiers = [line for line in dist.metadata.get_all("Classifier") or () if line.startswith("License ::")]
    short = (dist.metadata.get("License") or "").strip()
    texts = [told] if told else [*classifiers, *([short] if len(short) < 60 else [])]
    plain = [text for text in texts if "GPL" in text.upper() or "GENERAL PUBLIC" in text.upper()]
    lesser = [text for text in plain if "LGPL" in text.upper() or "LESSER" in text.upper() or " OR " in text.upper()]
    return len(plain) > len(lesser) and len(plain) == len(texts)
