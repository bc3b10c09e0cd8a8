"""What the replay is measured on: labelled consultations, the same heard by a recogniser, made calls of known truth."""
