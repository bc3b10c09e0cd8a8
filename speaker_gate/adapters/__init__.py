"""Everything heavy or stateful: speaker models and the voice store. `import speaker_gate` loads none of it."""
