"""What the replay is measured on: labelled consultations, also under recogniser errors, and made calls of known truth."""
