"""One module an evaluation kind; each exports KIND, NEEDS_DATA and run(options)."""
