"""The trained part of overlap judgement: features, weights, inference. English only; a JSON of named weights."""

from pipecat_interrupt.overlap.model.floor_model import LinearFloorModel, load_floor_model

__all__ = ["LinearFloorModel", "load_floor_model"]
