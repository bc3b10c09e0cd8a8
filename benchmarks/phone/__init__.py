"""Scripted phone calls over real sockets against the phone server in processes of its own; no model, no cost."""
