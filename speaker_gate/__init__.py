"""Whose voice is this, and what may it do."""
