"""Without the extra `board` (`make lowest`) these tests are left out; the room itself says what to install."""

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("sse_starlette") and find_spec("prometheus_client") else ["test_*.py"]
