"""How each number of a calibration record comes about; used by `speaker_gate.calibrate`. Offline only."""
