"""How the committed audio was made."""
