"""How shipped numbers were made: splits, fitting programs, training texts."""
