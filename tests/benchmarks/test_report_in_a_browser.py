"""The report as a person sees it: in a real browser, wide and narrow, light and dark."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest

from benchmarks.cells import load_cells
from benchmarks.judges.score import rule_judges, score_trials
from benchmarks.report.page import write_page
from benchmarks.simulator import ReplicaSystem, run_trial, scripted_agent, trial_seed
from benchmarks.simulator.store import TrialStore
from tests.pipecat_interrupt.browser.conftest import Open, Seen, browser, open_page, seen

__all__ = ["browser", "open_page", "seen"]

pytestmark = pytest.mark.contract


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a report over every cell, arm and scripted agent, two systems."""
    folder = tmp_path_factory.mktemp("report")
    store = TrialStore(folder / "store")

    async def fill() -> None:
        for cell in load_cells():
            for arm in cell.arms:
                for agent in ("cooperative", "deaf", "looping", "over-resuming"):
                    log = await run_trial(cell, arm, scripted_agent(agent), ReplicaSystem(), trial_seed(1, cell.id, 0))
                    for system in ("stock", "ours"):
                        name = f"{system}/{log.trial_id}"
                        store.append(log.model_copy(update={"system": system, "trial_id": name}))
        store.write_verdicts(await score_trials(store.trials(), rule_judges()))

    with ThreadPoolExecutor(1) as aside:  # the browser has a loop of its own in this thread
        aside.submit(lambda: asyncio.run(fill())).result(60)
    write_page(folder / "report.html", [store])
    return (folder / "report.html").as_uri()


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_report_fits_its_window_and_is_readable_in_both_schemes(
    open_page: Open, seen: Seen, report: str, width: int, scheme: str
) -> None:
    """Wide tables scroll inside themselves, text stands out from the paper, and nothing is fetched."""
    page = open_page(report, width=width, scheme=scheme)

    sizes = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    colours = page.evaluate(
        """() => ['body', '.forest text', 'td .soft', '.bad'].map(what => {
            const style = getComputedStyle(document.querySelector(what));
            return what == '.forest text' ? style.fill : style.color;
        }).concat(getComputedStyle(document.body).backgroundColor)"""
    )

    assert sizes[0] <= sizes[1]
    paper = _light(colours.pop())
    assert all(abs(_light(colour) - paper) > 0.3 for colour in colours)
    assert (paper < 0.2) is (scheme == "dark")
    assert ([], [report]) == (seen.complaints, seen.requests)


def test_every_section_is_one_click_from_the_top(open_page: Open, report: str) -> None:
    """Each link of the page leads to a heading that is there."""
    page = open_page(report)

    targets = [link.get_attribute("href") or "" for link in page.query_selector_all("nav a")]

    assert len(targets) >= 8
    assert [] == [target for target in targets if page.query_selector(f"h2{target}") is None]


def _light(colour: str) -> float:
    """How light a colour is, 0..1."""
    numbers = [float(part) for part in colour[colour.index("(") + 1 : -1].split(",")[:3]]
    return sum(weight * number for weight, number in zip((0.2126, 0.7152, 0.0722), numbers, strict=True)) / 255
