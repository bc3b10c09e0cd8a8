"""What the models of a run cost: a price table the user gives, and no price of ours.

Owns the promise that an amount is never made up: a model without a price, an endpoint that counts no tokens and a bot
whose models are not seen are *not priced*, never 0. Prices change, so amounts are worked out from stored token counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from benchmarks.cells.load import read_model
from benchmarks.figures import Figure
from benchmarks.judges.protocol import StoredVerdict
from benchmarks.simulator.chat import Asked
from benchmarks.simulator.trial_log import TrialLog

PER_TOKENS = 1_000_000
BOTS_OWN = "the bot's own models"
UNCOUNTED = "(no token counts)"


class Price(BaseModel):
    """What a model costs.

    Parameters:
        input: A million tokens read, >= 0.
        output: A million tokens written, >= 0.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    input: float = Field(ge=0, allow_inf_nan=False)
    output: float = Field(ge=0, allow_inf_nan=False)


class Prices(BaseModel):
    """A price table.

    Parameters:
        currency: Of every price, such as "USD".
        models: Price by the model's name at its endpoint.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    currency: str = Field(pattern=r"^[A-Za-z]{1,8}$")
    models: dict[str, Price] = Field(min_length=1)


class CostRow(BaseModel):
    """A trial's cost as stored.

    Parameters:
        trial_id: The trial.
        cost: What it cost; None where a model has no price.
        currency: Of `cost`.
        not_priced: The models without one.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    trial_id: str
    cost: float | None
    currency: str
    not_priced: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Cost:
    """What one trial or many cost.

    Parameters:
        amount: In the table's currency, over what is priced.
        not_priced: Models without an amount, in order of their names; then `amount` is a part of the cost only.
    """

    amount: float
    not_priced: tuple[str, ...] = ()

    @property
    def whole(self) -> float | None:
        """The amount when nothing is missing from it, else None."""
        return None if self.not_priced else self.amount


def load_prices(path: Path | None) -> Prices | None:
    """Read a price table, YAML or JSON.

    Raises:
        CallerError: It cannot be read or is wrong; names file and field.
    """
    return None if path is None else read_model(path, Prices)


def cost_of(asked: Sequence[Asked], prices: Prices) -> Cost:
    """Give what some models' completions cost."""
    amount, missing = 0.0, set[str]()
    for one in asked:
        price = prices.models.get(one.model)
        if price is None:
            missing.add(one.model)
        elif one.calls and not one.prompt_tokens + one.completion_tokens:
            missing.add(f"{one.model} {UNCOUNTED}")
        else:
            amount += (one.prompt_tokens * price.input + one.completion_tokens * price.output) / PER_TOKENS
    return Cost(amount, tuple(sorted(missing)))


def trial_cost(trial: TrialLog, verdict: StoredVerdict | None, prices: Prices) -> Cost:
    """Give what a trial cost: agent, simulator and judge. A scripted agent, patient or judge asks no model."""
    cost = cost_of([*trial.models, *(verdict.models if verdict is not None else ())], prices)
    unseen = {BOTS_OWN} if trial.system == "bot" else set[str]()
    if trial.prompt_tokens + trial.completion_tokens and not trial.models:
        unseen.add("models of a run that did not log them")
    return Cost(cost.amount, tuple(sorted({*cost.not_priced, *unseen})))


@dataclass(frozen=True, slots=True)
class Costs:
    """What a store's trials cost.

    Parameters:
        currency: Of all amounts.
        by_trial: Cost by trial id.
        nothing_asked: Whether everything in them was scripted.
    """

    currency: str
    by_trial: dict[str, Cost]
    nothing_asked: bool = False

    def rows(self) -> list[CostRow]:
        """Give one row a trial, as it is stored."""
        return [
            CostRow(trial_id=name, cost=cost.whole, currency=self.currency, not_priced=cost.not_priced)
            for name, cost in self.by_trial.items()
        ]

    @property
    def not_priced(self) -> dict[str, int]:
        """How many trials each model without a price had a part in."""
        return dict(sorted(Counter(name for cost in self.by_trial.values() for name in cost.not_priced).items()))

    def summary(self) -> dict[str, Any]:
        """Give the costs for a results file: over the wholly priced trials, and what has no price."""
        priced = [cost.amount for cost in self.by_trial.values() if cost.whole is not None]
        return {
            "cost": round(sum(priced), 6) if priced else None,
            "currency": self.currency,
            "trials_priced": len(priced),
            "not_priced": self.not_priced,
        }

    def told(self) -> str:
        """Write the costs on one line."""
        if self.nothing_asked:
            return "cost: nothing to pay, no model was asked"
        priced = [cost.amount for cost in self.by_trial.values() if cost.whole is not None]
        each = f", {sum(priced) / len(priced):.4f} a trial" if priced else ""
        amount = f"{sum(priced):.4f} {self.currency}" if priced else "not priced,"
        said = f"cost: {amount} over {len(priced)} of {len(self.by_trial)} trials{each}"
        listed = ", ".join(f"{name} ({count} trials)" for name, count in self.not_priced.items())
        return f"{said}; not priced: {listed}" if listed else said

    def figures(self, trials: Sequence[TrialLog]) -> list[Figure]:
        """Give the mean cost of the wholly priced trials, by level, system and agent; none priced gives no value."""
        groups = dict.fromkeys((trial.level, trial.system, trial.agent) for trial in trials)
        figures: list[Figure] = []
        for level, system, agent in groups:
            inside = [t for t in trials if (t.level, t.system, t.agent) == (level, system, agent)]
            amounts = [c.amount for t in inside if (c := self.by_trial[t.trial_id]).whole is not None]
            figures.append(
                Figure(
                    name="cost_per_trial",
                    value=sum(amounts) / len(amounts) if amounts else None,
                    n=len(amounts),
                    group={"level": level, "system": system, "agent": agent, "currency": self.currency},
                )
            )
        return figures


def tokens_of(trials: Sequence[TrialLog], verdicts: Sequence[StoredVerdict]) -> dict[str, Any]:
    """Give the token counts for a results file: of agents and simulator, and of the judges."""
    judging = [one for verdict in verdicts for one in verdict.models]
    return {
        "prompt_tokens": sum(trial.prompt_tokens for trial in trials),
        "completion_tokens": sum(trial.completion_tokens for trial in trials),
        "judge_prompt_tokens": sum(one.prompt_tokens for one in judging),
        "judge_completion_tokens": sum(one.completion_tokens for one in judging),
    }


def costs_of(trials: Sequence[TrialLog], verdicts: Sequence[StoredVerdict], prices: Prices | None) -> Costs | None:
    """Give every trial's cost; None without a table."""
    if prices is None:
        return None
    judged = {verdict.trial_id: verdict for verdict in verdicts}
    by_trial = {t.trial_id: trial_cost(t, judged.get(t.trial_id), prices) for t in trials}
    asked = any(t.models for t in trials) or any(v.models for v in verdicts)
    return Costs(prices.currency, by_trial, not asked and not any(cost.not_priced for cost in by_trial.values()))
