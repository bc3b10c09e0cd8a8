"""The demo: one live call in real time on local models, with our steering and guard or without them."""
