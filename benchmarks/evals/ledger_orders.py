"""Ledger orders: made-up orders of facts on every bundled pathway, and how many break a promise of the ledger.

Owns the figures of ``eval ledger-orders``; explained in docs/metrics/ledger_kept.md. The promises are checked by
`obligations.testing.orders`; hypothesis makes the orders. No data is needed.
"""

from __future__ import annotations

import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field

from benchmarks.errors import BadOption, MissingExtra
from benchmarks.figures import EvalOptions, Figure, rate
from obligations.pathway import Pathway, list_pathways, load_pathway
from obligations.steering import SteeringPolicy
from obligations.testing.orders import ENDS, OP_KINDS, OPS_MAX, POLICIES, Op, play_out

KIND = "ledger-orders"
NEEDS_DATA = False
OPTIONS = ("orders", "workers")
PACKAGES = ("hypothesis",)

ORDERS = 10_000
NUMBER_MAX = 1000
LENGTHS_MIN = (0, 0, 0, 0, 20)
"""Fewest operations of an order, drawn evenly: a generator left alone makes orders of some five operations."""

PlayOut = Callable[[Sequence[Op], Pathway, str, SteeringPolicy, str], int]


@dataclass(slots=True)
class Tally:
    """What came of the orders.

    Parameters:
        played: Orders.
        operations: Operations in them.
        events: Ledger events they made.
        broken: Orders that broke a promise or raised, by where it was noticed.
        by_pathway: Orders played on each pathway and language.
    """

    played: int = 0
    operations: int = 0
    events: int = 0
    broken: Counter[str] = field(default_factory=Counter)
    by_pathway: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, other: Tally) -> None:
        """Take in the orders of another process."""
        self.played += other.played
        self.operations += other.operations
        self.events += other.events
        self.broken += other.broken
        self.by_pathway += other.by_pathway


def run(options: EvalOptions) -> list[Figure]:
    """Play the orders.

    Args:
        options: `orders` (10,000 when left out, at least 1), `workers` (processes that share them, 1), the seed; each
            process has the seed plus its number.
    """
    orders, workers = options.whole("orders", ORDERS), options.whole("workers", 1)
    if not 1 <= workers <= orders:
        raise BadOption("orders must be at least 1, workers at least 1 and at most as many as orders")
    tally = Tally()
    if workers == 1:
        tally.add(play_orders(orders, options.seed))
    else:
        shares = [orders // workers + (number < orders % workers) for number in range(workers)]
        with ProcessPoolExecutor(workers) as pool:
            for part in pool.map(play_orders, shares, [options.seed + number for number in range(workers)]):
                tally.add(part)
    figures = [rate("broken_promise_rate", tally.broken.total(), tally.played)]
    for (pathway, language), played in sorted(tally.by_pathway.items()):
        group = {"pathway": pathway, "lang": language}
        figures.append(Figure(name="orders_played", value=float(played), n=played, group=dict(group)))
    figures.append(Figure(name="operations", value=float(tally.operations), n=tally.played))
    figures.append(Figure(name="ledger_events", value=float(tally.events), n=tally.played))
    figures += [
        Figure(name="broken_promises", value=float(count), n=tally.played, group={"where": where})
        for where, count in tally.broken.most_common(20)
    ]
    return figures


def play_orders(orders: int, seed: int, play: PlayOut = play_out) -> Tally:
    """Make and play orders; a broken one is counted and the next one played.

    Args:
        orders: How many.
        seed: Of the generator: the same seed gives the same orders with the same hypothesis.
        play: Plays one order and raises when a promise is broken.

    Raises:
        MissingExtra: hypothesis is not installed.
    """
    try:
        import hypothesis
        from hypothesis import strategies as st
    except ImportError:
        raise MissingExtra("hypothesis is not installed: pip install hypothesis") from None
    names = [(name, tag) for name in list_pathways() for tag in load_pathway(name).languages]
    pathways = {name: load_pathway(name[0]) for name in names}
    number = st.integers(0, NUMBER_MAX)
    op = st.builds(Op, st.sampled_from(OP_KINDS), number, number, number)
    tally = Tally()

    @hypothesis.seed(seed)
    @hypothesis.settings(
        max_examples=orders,
        database=None,
        deadline=None,
        derandomize=False,
        phases=[hypothesis.Phase.generate],
        suppress_health_check=[hypothesis.HealthCheck.too_slow, hypothesis.HealthCheck.data_too_large],
    )
    @hypothesis.given(
        st.sampled_from(LENGTHS_MIN).flatmap(lambda least: st.lists(op, min_size=least, max_size=OPS_MAX)),
        st.sampled_from(names),
        st.sampled_from(POLICIES),
        st.sampled_from(ENDS),
    )
    def order(ops: list[Op], which: tuple[str, str], policy: SteeringPolicy, end: str) -> None:
        tally.played += 1
        tally.operations += len(ops)
        tally.by_pathway[which] += 1
        try:
            tally.events += play(ops, pathways[which], which[1], policy, end)
        except Exception as error:
            where = traceback.extract_tb(error.__traceback__)[-1]
            tally.broken[f"{type(error).__name__} at {where.name}:{where.lineno}"] += 1

    order()
    return tally
