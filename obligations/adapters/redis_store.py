"""A store on a Redis-protocol server, for many workers: one script, one round trip and one atomic step a turn.

Owns the keys, the scripts and the pool. A call that is unfinished or whose hand-off was not sent carries no expiry at
all: no time-out and no eviction of volatile keys can drop an open item. Only a call that is over and passed on expires.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, cast

from pydantic import BaseModel, ConfigDict, Field

from obligations.errors import MissingExtra
from obligations.handoff.models import Handoff
from obligations.ledger.events import Event, from_json, to_json
from obligations.stores.errors import CallClosed, Conflict, StoreUnavailable
from obligations.stores.protocol import FencingToken, StoreErasure, check_append, check_call_id, check_token

if TYPE_CHECKING:
    from redis.asyncio import Redis
    from redis.commands.core import AsyncScript

_T = TypeVar("_T")

DAY_S = 86_400
KEEP_S_MIN = DAY_S
"""No call lasts a day; nothing of a call may expire sooner."""

# A claim number also exceeds the server's clock (ms), so a server that lost its data never grants a number twice.
_CLAIM = """
local meta = redis.call('HMGET', KEYS[1], 'token', 'handoff', 'erased')
if meta[3] then return {'erased', 0} end
local now = redis.call('TIME')
local token = math.max(tonumber(meta[1] or '0') + 1, now[1] * 1000 + math.floor(now[2] / 1000))
redis.call('HSET', KEYS[1], 'token', string.format('%.0f', token), 'worker', ARGV[2])
if not meta[2] then redis.call('SADD', KEYS[3], ARGV[1]) end
return {'ok', token}
"""

_APPEND = """
local meta = redis.call('HMGET', KEYS[1], 'token', 'handoff', 'erased')
if meta[3] then return {'erased', 0} end
local token = tonumber(meta[1] or '0')
if token == 0 or token ~= tonumber(ARGV[1]) then return {'token', token} end
if meta[2] then return {'finished', 0} end
local stored = redis.call('LLEN', KEYS[2])
if stored ~= tonumber(ARGV[2]) then return {'conflict', stored} end
for first = 3, #ARGV, 500 do
  redis.call('RPUSH', KEYS[2], unpack(ARGV, first, math.min(first + 499, #ARGV)))
end
return {'ok', 0}
"""

_FINISH = """
local meta = redis.call('HMGET', KEYS[1], 'token', 'handoff', 'erased')
if meta[3] then return {'erased', 0} end
if meta[2] then return {'ok', 0} end
local token = tonumber(meta[1] or '0')
if token == 0 or token ~= tonumber(ARGV[2]) then return {'token', token} end
redis.call('HSET', KEYS[1], 'handoff', ARGV[3], 'version', ARGV[4])
redis.call('SREM', KEYS[3], ARGV[1])
redis.call('SADD', KEYS[4], ARGV[1])
return {'ok', 1}
"""

_ADD_PART = """
local meta = redis.call('HMGET', KEYS[1], 'token', 'handoff', 'erased')
if meta[3] then return {'erased', 0} end
if not meta[1] then redis.call('HSET', KEYS[1], 'token', '0') end
for _, part in ipairs(redis.call('LRANGE', KEYS[5], 0, -1)) do
  if part == ARGV[2] then return {'ok', 0} end
end
redis.call('RPUSH', KEYS[5], ARGV[2])
redis.call('PERSIST', KEYS[1])
redis.call('PERSIST', KEYS[2])
redis.call('SADD', KEYS[meta[2] and 4 or 3], ARGV[1])
return {'ok', 1}
"""

_REPLACE = """
local meta = redis.call('HMGET', KEYS[1], 'token', 'handoff', 'erased')
if meta[3] then return {'erased', 0} end
local token = tonumber(meta[1] or '0')
if token == 0 or token ~= tonumber(ARGV[2]) then return {'token', token} end
if not meta[2] then return {'unfinished', 0} end
redis.call('HSET', KEYS[1], 'handoff', ARGV[3], 'version', ARGV[4])
redis.call('LTRIM', KEYS[5], ARGV[5], -1)
redis.call('PERSIST', KEYS[1])
redis.call('PERSIST', KEYS[2])
redis.call('SADD', KEYS[4], ARGV[1])
return {'ok', 1}
"""

_SENT = """
local meta = redis.call('HMGET', KEYS[1], 'handoff', 'version')
if not meta[1] or redis.call('EXISTS', KEYS[5]) == 1 then return {'ok', 0} end
if ARGV[3] ~= '' and ARGV[3] ~= (meta[2] or '0') then return {'ok', 0} end
redis.call('SREM', KEYS[4], ARGV[1])
redis.call('EXPIRE', KEYS[1], ARGV[2])
redis.call('EXPIRE', KEYS[2], ARGV[2])
return {'ok', 1}
"""

_ERASE = """
local known = redis.call('HMGET', KEYS[1], 'token', 'handoff')
local events = redis.call('LLEN', KEYS[2])
redis.call('DEL', KEYS[1], KEYS[2], KEYS[5])
redis.call('SREM', KEYS[3], ARGV[1])
redis.call('SREM', KEYS[4], ARGV[1])
if known[1] then
  redis.call('HSET', KEYS[1], 'erased', '1')
  redis.call('EXPIRE', KEYS[1], ARGV[2])
end
return {known[2] and 'handoff' or 'none', events}
"""


class RedisStoreConfig(BaseModel):
    """Settings of the store.

    Parameters:
        url: Server, such as "redis://127.0.0.1:6379/0"; credentials belong in the environment that makes this value.
        prefix: First part of every key.
        keep_s: Seconds a call is kept after its hand-off was sent; at least a day. 30 days is our choice.
        timeout_s: Longest wait for one answer, for a connection, and for a free place in the pool, seconds each.
        connections_max: Most connections; calls share them.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    url: str
    prefix: str = Field(default="obligations", min_length=1, max_length=64)
    keep_s: int = Field(default=30 * DAY_S, ge=KEEP_S_MIN)
    timeout_s: float = Field(default=2.0, gt=0.0, le=60.0)
    connections_max: int = Field(default=16, ge=1, le=1024)


class RedisStore:
    """A `LedgerStore` on one server (or a primary with replicas; not a sharded cluster).

    Promises: a cancelled caller never leaves an answer behind for the next one: its command runs to its end, apart
    from it, bounded by `timeout_s`. Nothing is retried inside: an answer that was lost is `StoreUnavailable`, and
    `read` tells what happened. How much a server loses when it dies is the server's setting (``appendonly``).

    Raises:
        MissingExtra: The redis package is not installed.
    """

    def __init__(self, config: RedisStoreConfig, *, client: Redis | None = None) -> None:
        self.config = config
        self._client: Any = client if client is not None else _make_client(config)
        self._running: set[asyncio.Task[Any]] = set()
        self._closed = False
        self._claim = self._script(_CLAIM)
        self._append = self._script(_APPEND)
        self._finish = self._script(_FINISH)
        self._add_part = self._script(_ADD_PART)
        self._replace = self._script(_REPLACE)
        self._sent = self._script(_SENT)
        self._erase = self._script(_ERASE)

    async def claim(self, call_id: str, worker_id: str) -> FencingToken:
        """Take a call over."""
        check_call_id(call_id)
        return FencingToken(int(await self._ask(self._claim, call_id, call_id, worker_id)))

    async def append(self, call_id: str, events: Sequence[Event], expected_seq: int, *, token: FencingToken) -> None:
        """Add events in one round trip."""
        check_append(call_id, events, expected_seq)
        lines = [to_json(event) for event in events]
        await self._ask(self._append, call_id, token, expected_seq, *lines, token=token, expected_seq=expected_seq)

    async def read(self, call_id: str) -> list[Event]:
        """Give every event in order."""
        lines = await self._do(self._client.lrange(self._keys(call_id)[1], 0, -1))
        return [from_json(line) for line in lines]

    async def finish(self, call_id: str, handoff: Handoff, *, token: FencingToken) -> bool:
        """Keep the one hand-off."""
        text = handoff.model_dump_json()
        return bool(await self._ask(self._finish, call_id, call_id, token, text, handoff.version, token=token))

    async def handoff(self, call_id: str) -> Handoff | None:
        """Give the hand-off of a finished call."""
        text = await self._do(self._client.hget(self._keys(call_id)[0], "handoff"))
        return Handoff.model_validate_json(text) if text is not None else None

    async def add_part(self, call_id: str, part: Handoff) -> None:
        """Keep a part until it is joined."""
        check_call_id(call_id)
        await self._ask(self._add_part, call_id, call_id, part.model_dump_json())

    async def parts(self, call_id: str) -> list[Handoff]:
        """Give the parts that wait."""
        texts = await self._do(self._client.lrange(self._keys(call_id)[4], 0, -1))
        return [Handoff.model_validate_json(text) for text in texts]

    async def replace(self, call_id: str, handoff: Handoff, joined: int, *, token: FencingToken) -> None:
        """Put a joined hand-off in the place of the one that stands."""
        text = handoff.model_dump_json()
        await self._ask(self._replace, call_id, call_id, token, text, handoff.version, joined, token=token)

    async def open_calls(self) -> list[str]:
        """Name the calls that are not finished."""
        return await self._members(2)

    async def unsent(self) -> list[str]:
        """Name the finished calls whose hand-off was not sent."""
        return await self._members(3)

    async def mark_sent(self, call_id: str, version: int | None = None) -> None:
        """Note that the hand-off reached its receiver; only now the call gets an expiry."""
        await self._ask(self._sent, call_id, call_id, self.config.keep_s, "" if version is None else version)

    async def erase(self, call_id: str) -> StoreErasure:
        """Remove all that was kept of a call; its name stays, without content, until `keep_s` has passed."""
        answer = await self._do(self._erase(keys=self._keys(call_id), args=[call_id, self.config.keep_s]))
        return StoreErasure(events=int(answer[1]), handoff=answer[0] == b"handoff")

    async def close(self) -> None:
        """Let running commands end, then close every connection; idempotent."""
        if self._closed:
            return
        self._closed = True
        if self._running:
            await asyncio.wait(set(self._running), timeout=self.config.timeout_s)
        await self._client.aclose()
        await self._client.connection_pool.disconnect(inuse_connections=True)

    def _script(self, text: str) -> AsyncScript:
        return cast("AsyncScript", self._client.register_script(text))

    def _keys(self, call_id: str) -> list[str]:
        prefix = self.config.prefix
        names = (f"call:{call_id}", f"events:{call_id}", "open", "unsent", f"parts:{call_id}")
        return [f"{prefix}:{name}" for name in names]

    async def _members(self, place: int) -> list[str]:
        names = await self._do(self._client.smembers(self._keys("-")[place]))
        return sorted(name.decode() for name in names)

    async def _ask(
        self, script: AsyncScript, call_id: str, *args: str | int, token: int = 0, expected_seq: int = 0
    ) -> int:
        """Run one script and turn its refusals into errors."""
        answer = await self._do(script(keys=self._keys(call_id), args=list(args)))
        code, value = answer[0].decode(), int(answer[1])
        if code == "token":
            check_token(token, value)
        if code == "conflict":
            raise Conflict(expected_seq, value)
        if code in ("finished", "erased", "unfinished"):
            raise CallClosed("not finished" if code == "unfinished" else code)
        return value

    async def _do(self, command: Awaitable[Any]) -> Any:
        """Run a command to its end whatever becomes of the caller, and let no vendor error out."""
        if self._closed:
            _drop(command)
            raise StoreUnavailable("the store is closed")
        task = asyncio.ensure_future(_mapped(command))
        self._running.add(task)
        task.add_done_callback(self._ended)
        return await asyncio.shield(task)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        if not task.cancelled():
            task.exception()  # its caller may be gone: fetched here, so that nobody logs it as forgotten


def _drop(command: Awaitable[Any]) -> None:
    close = getattr(command, "close", None)
    if close is not None:
        close()


async def _mapped(command: Awaitable[_T]) -> _T:
    from redis.exceptions import RedisError

    try:
        return await command
    except (RedisError, OSError, TimeoutError) as error:
        raise StoreUnavailable(f"Redis: {type(error).__name__}") from error


def _make_client(config: RedisStoreConfig) -> Any:
    try:
        from redis.asyncio import BlockingConnectionPool, Redis
        from redis.asyncio.retry import Retry
        from redis.backoff import NoBackoff
    except ImportError:
        raise MissingExtra("redis", "redis") from None
    pool = cast(Any, BlockingConnectionPool).from_url(
        config.url,
        max_connections=config.connections_max,
        timeout=config.timeout_s,
        socket_timeout=config.timeout_s,
        socket_connect_timeout=config.timeout_s,
        retry=Retry(NoBackoff(), 0),
    )
    return Redis.from_pool(pool)
