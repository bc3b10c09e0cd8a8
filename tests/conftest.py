"""What every test gets: a declared kind, a closed network, and no second chance on a blocked loop."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings
from loguru import logger

KINDS = {"unit", "pipeline", "contract", "models", "shared_data", "live", "bench"}
SHARED_DATA = Path(__file__).resolve().parents[2] / "shared" / "data"

# The default suite draws the same cases everywhere, so that a red run can be had again by anybody and a green one means
# the same on every machine; `make fuzz` looks for new ones.
settings.register_profile("suite", derandomize=True, database=None, deadline=None)  # a timing is no assertion
settings.register_profile("explore", derandomize=False, print_blob=True)
settings.load_profile("suite")


def pytest_configure(config: pytest.Config) -> None:
    """Keep Pipecat's debug log out of failure reports; a test that needs a log adds its own sink."""
    logger.remove()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Refuse a test whose kind nobody declared: an undeclared test is one nobody can leave out."""
    undeclared = sorted({item.location[0] for item in items if not KINDS & {m.name for m in item.iter_markers()}})
    if undeclared:
        raise pytest.UsageError(
            "these test modules declare no kind (pytestmark = pytest.mark.unit, ...): " + ", ".join(undeclared)
        )


@pytest.fixture
def shared_data() -> Path:
    """The evaluation data beside the checkout; the test skips, saying so, where it is absent."""
    if not SHARED_DATA.is_dir():
        pytest.skip("evaluation data (../shared/data) is not beside this checkout")
    return SHARED_DATA
