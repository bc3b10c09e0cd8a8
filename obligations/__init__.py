"""Obligations: what a call must cover, whether it has, and what to say next.

Pure: no Pipecat, no network, no clock (time enters as ``now_s``). The public names are `obligations.pathway`,
`obligations.ledger`, `obligations.tracker`, `obligations.steering`, `obligations.handoff` and the seams
`obligations.coverage` and `obligations.answers`.
"""
