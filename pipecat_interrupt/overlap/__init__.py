"""Overlap judgement: two voices at once is a fact; whether it takes the floor is a verdict.

The pure core (`evidence`, `judge`, `kinds`, `echo`, `onset`, `session`) imports no Pipecat; `processor` and `strategy`
are the live part.
"""
