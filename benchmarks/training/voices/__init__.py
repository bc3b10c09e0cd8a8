"""How the speaker gate's shipped records were fitted, and the split that keeps fit and test apart."""
