"""The same folder replayed by processes of this machine and by Ray: are the results the same bytes, and how fast?"""

from __future__ import annotations

import time
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.figures import Figure, GroupValue, rate
from pipecat_interrupt.replay.folder import PoolMaker, replay_folder
from pipecat_interrupt.replay.inputs import calls_in
from pipecat_interrupt.replay.job import ReplayPlan
from pipecat_interrupt.replay.ray_pool import RayPool
from pipecat_interrupt.replay.settings import ReplaySettings
from pipecat_interrupt.replay.tables import write_tables

WORKERS = 2
ROUNDS = 2
PATHWAY = Path(__file__).with_name("consultation.yaml")
SYSTEMS: tuple[tuple[str, PoolMaker | None], ...] = (("local", None), ("ray", RayPool))


def engine_figures(transcripts: Path) -> list[Figure]:
    """Replay a folder of transcripts with two workers of each engine, in turn, start of the workers included.

    Raises:
        MissingExtra: Ray or pyarrow is not installed.
    """
    took_s: dict[str, list[float]] = {name: [] for name, _ in SYSTEMS}
    made: dict[str, dict[str, bytes]] = {}
    calls = 0
    with TemporaryDirectory() as place:
        for round_ in range(ROUNDS):
            for name, pool in SYSTEMS if round_ % 2 == 0 else reversed(SYSTEMS):
                out = Path(place) / f"{name}-{round_}"
                plan = ReplayPlan(out, str(PATHWAY), ReplaySettings(), stt=False)
                found = calls_in(transcripts, plan.settings)
                begun_s = time.perf_counter()
                done = replay_folder(found, plan, jobs=WORKERS, pool=pool)
                write_tables(done.results, plan.place)
                took_s[name].append(time.perf_counter() - begun_s)
                made[name] = {p.relative_to(out).as_posix(): p.read_bytes() for p in out.rglob("*") if p.is_file()}
                calls = len(done.results)
    names = made["local"].keys() | made["ray"].keys()
    same = sum(made["local"].get(name) == made["ray"].get(name) for name in names)
    workers: dict[str, GroupValue] = {"workers": WORKERS}
    out_ = [rate("file_byte_identical_rate", same, len(names), workers)]
    for name, taken in took_s.items():
        out_.append(Figure(name="calls_per_s", value=calls / min(taken), n=calls, group={**workers, "engine": name}))
        for part, value in enumerate(taken):
            group: dict[str, GroupValue] = {**workers, "engine": name, "round": part}
            out_.append(Figure(name="took_s", value=round(value, 2), n=calls, group=group))
    ratio = min(took_s["local"]) / min(took_s["ray"])
    out_.append(Figure(name="throughput_ratio_ray_to_local", value=round(ratio, 3), n=calls, group=dict(workers)))
    return out_
