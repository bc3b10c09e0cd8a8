"""A running bot as the system under test, driven over its carrier websocket in real time: `run --ws URL`."""
