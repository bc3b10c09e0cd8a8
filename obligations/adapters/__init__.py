"""Adapters: the only modules of this room that import heavy or networked packages, each inside its functions."""
