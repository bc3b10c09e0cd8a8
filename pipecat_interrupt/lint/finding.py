"""One finding of the lint, and the bot it is found in.

Owns the reading of a pipeline. Pipecat's objects keep most of what they were given in private attributes; they are read
here and nowhere else, never written, and one that is missing gives no finding (docs/decisions/0009).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pipecat.pipeline.worker import PipelineWorker
from pipecat.processors.frame_processor import FrameProcessor

if TYPE_CHECKING:
    from pipecat_interrupt.kit.kit import InterruptKit


@dataclass(frozen=True, slots=True)
class Finding:
    """Something a bot was given that does nothing, or works against the parts.

    Parameters:
        code: Stable name, as in docs/lint.md.
        where: The processor, worker or line of source.
        what: What is ignored, and why.
        fix: What to do instead.
    """

    code: str
    where: str
    what: str
    fix: str

    def __str__(self) -> str:
        """One line for people."""
        return f"{self.code}: {self.where}: {self.what}. {self.fix}."


@dataclass(frozen=True, slots=True)
class Bot:
    """A pipeline as the rules see it.

    Parameters:
        processors: All processors in order, nested pipelines opened.
        worker: What runs it; None when only processors were given.
        kit: The kit that placed parts in it; None without one.
    """

    processors: tuple[FrameProcessor, ...]
    worker: PipelineWorker | None = None
    kit: InterruptKit | None = None

    def all(self, *kinds: type[Any]) -> list[Any]:
        """Give the processors of some kinds, in order."""
        return [p for p in self.processors if isinstance(p, kinds)]


def read_bot(given: object, kit: InterruptKit | None = None) -> Bot:
    """Open what was given: a worker, a pipeline, or a list of processors.

    Raises:
        TypeError: It is none of these.
    """
    if isinstance(given, PipelineWorker):
        return Bot(tuple(_opened([setting(given, "_pipeline")])), given, kit)
    if isinstance(given, FrameProcessor):
        return Bot(tuple(_opened([given])), None, kit)
    if isinstance(given, Sequence) and all(isinstance(p, FrameProcessor) for p in given):
        return Bot(tuple(_opened(given)), None, kit)
    raise TypeError(f"lint takes a PipelineWorker, a Pipeline or a list of processors, not {type(given).__name__}")


def setting(owner: object, name: str, default: Any = None) -> Any:
    """Read what an object of Pipecat's was given; `default` when this version keeps it elsewhere."""
    return getattr(owner, name, default)


def _opened(processors: Iterable[FrameProcessor | None]) -> Iterator[FrameProcessor]:
    for processor in processors:
        if processor is None:
            continue
        inner = processor.processors
        if inner:
            yield from _opened(inner)
        else:
            yield processor
