"""What another person's speech may do: ignored, passed on attributed and confirmed, or an alert at once."""
