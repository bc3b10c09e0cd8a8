"""Offline replay: recordings, transcripts and our own journals through the live parts' own classifiers and ledger.

Public: `replay_timeline` (the pure function), `replay_journal`, `replay_files` (files of one call), `replay_folder`.
"""
