"""The board's addresses: login, the board, a call, the stream of changes.

Owns who gets what, and the headers that keep it there. Nothing of a call leaves without the token; addresses hold
neither the token nor a call's id, so that an access log holds neither.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import parse_qs

from fastapi import APIRouter, Depends, FastAPI, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from loguru import logger
from sse_starlette import EventSourceResponse, ServerSentEvent

from pipecat_interrupt.board import drawing
from pipecat_interrupt.board.access import COOKIE, BoardToken
from pipecat_interrupt.board.feeds import BoardFeed
from pipecat_interrupt.board.hub import Board, Change
from pipecat_interrupt.page.render import page_policy, render_page

FORM_BYTES_MAX = 4096
RETRY_MS = 2000

HEADERS = {
    "Content-Security-Policy": drawing.POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
"""On every answer of the board."""


def mount_board(
    app: FastAPI, board: Board, token: BoardToken, *, feed: BoardFeed | None = None, prefix: str = "/board"
) -> None:
    """Put the board on an application, before it is served.

    Args:
        app: Any FastAPI application, such as that of `pipecat_interrupt.serve.create_app`.
        board: What it shows.
        token: Who may see it.
        feed: Where its facts come from while the application runs; None when something else calls `board.take`.
        prefix: Where it stands, beginning with a slash and not ending with one.
    """
    app.include_router(_Routes(board, token, prefix).router(feed))


class _Routes:
    def __init__(self, board: Board, token: BoardToken, prefix: str) -> None:
        self._board, self._token, self._prefix = board, token, prefix
        self._watchers = 0

    def router(self, feed: BoardFeed | None) -> APIRouter:
        made = APIRouter(prefix=self._prefix, lifespan=self._lifespan(feed))
        may_see = [Depends(self._may_see)]
        made.get("/login")(self.login_form)
        made.post("/login")(self.login)
        made.post("/logout")(self.logout)
        made.get("/board.css")(self.style_sheet)
        made.get("/board.js")(self.script)
        made.get("", dependencies=may_see)(self.to_board)
        made.get("/", dependencies=may_see)(self.board_page)
        made.get("/events", dependencies=may_see)(self.events)
        made.get("/calls/{key}", dependencies=may_see)(self.call_page)
        made.get("/calls/{key}/page", dependencies=may_see)(self.whole_page)
        return made

    # ---- access

    def _admitted(self, request: Request) -> bool:
        authorization = request.headers.get("authorization", "")
        return self._token.admits(request.cookies, authorization, self._board.settings.session_s)

    def _may_see(self, request: Request) -> None:
        if self._admitted(request):
            return
        if request.method == "GET" and "text/html" in request.headers.get("accept", ""):
            raise HTTPException(303, headers={**HEADERS, "Location": self._place(request, "/login")})
        raise HTTPException(
            401, "the board's access token is missing or wrong", {**HEADERS, "WWW-Authenticate": "Bearer"}
        )

    def _place(self, request: Request, path: str) -> str:
        return f"{request.scope.get('root_path', '')}{self._prefix}{path}"

    async def login_form(self, request: Request) -> Response:
        if self._admitted(request):
            return RedirectResponse(self._place(request, "/"), 303, HEADERS)
        return HTMLResponse(drawing.login_page(refused=False), headers=HEADERS)

    async def login(self, request: Request) -> Response:
        if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            raise HTTPException(403, "a login must come from the board's own page", HEADERS)
        given = parse_qs(await _body(request)).get("token", [""])[0]
        if not self._token.matches(given.strip()):
            logger.warning("a login to the board was refused")
            return HTMLResponse(drawing.login_page(refused=True), 403, HEADERS)
        answer = RedirectResponse(self._place(request, "/"), 303, HEADERS)
        settings = self._board.settings
        answer.set_cookie(
            COOKIE,
            self._token.new_session(),
            max_age=settings.session_s,
            path=self._place(request, "") or "/",
            httponly=True,
            secure=not settings.insecure_cookie,
            samesite="strict",
        )
        return answer

    async def logout(self, request: Request) -> Response:
        answer = RedirectResponse(self._place(request, "/login"), 303, HEADERS)
        answer.delete_cookie(COOKIE, path=self._place(request, "") or "/")
        return answer

    # ---- pages

    async def style_sheet(self) -> Response:
        return Response(drawing.style_sheet(), media_type="text/css", headers=HEADERS)

    async def script(self) -> Response:
        return Response(drawing.script(), media_type="text/javascript", headers=HEADERS)

    async def to_board(self, request: Request) -> Response:
        return RedirectResponse(self._place(request, "/"), 303, HEADERS)

    async def board_page(self) -> Response:
        self._board.catch_up()
        return HTMLResponse(drawing.board_page(self._board), headers=HEADERS)

    async def call_page(self, key: str) -> Response:
        self._board.catch_up()
        page = drawing.call_page(self._board, key)
        if not page:
            raise HTTPException(404, "this call is not on the board", HEADERS)
        return HTMLResponse(page, headers=HEADERS)

    async def whole_page(self, key: str) -> Response:
        """The page of a finished call, as far as the call is known."""
        self._board.catch_up()
        view = self._board.view(key)
        if view is None:
            raise HTTPException(404, "this call is not on the board", HEADERS)
        page = await asyncio.to_thread(render_page, view)
        policy = f"{page_policy()}; frame-ancestors 'none'"
        return HTMLResponse(page, headers={**HEADERS, "Content-Security-Policy": policy})

    # ---- the stream

    async def events(self, request: Request, call: str = "", after: str = "") -> Response:
        if self._watchers >= self._board.settings.watchers_max:
            raise HTTPException(503, "too many watch the board already", {**HEADERS, "Retry-After": "10"})
        position = request.headers.get("last-event-id") or after
        settings = self._board.settings
        return EventSourceResponse(
            self._changes(request, call, position),
            headers=HEADERS,
            ping=settings.ping_s,
            send_timeout=settings.send_timeout_s,
        )

    async def _changes(self, request: Request, only: str, position: str) -> AsyncIterator[ServerSentEvent]:
        board, form = self._board, "detail" if only else "card"
        draw = drawing.detail_drawer(board.settings) if only else drawing.card_drawer(board.settings)
        self._watchers += 1
        try:
            told = self._position(position)
            yield ServerSentEvent(event="hello", data=board.epoch, retry=RETRY_MS)
            while True:
                if not self._admitted(request):
                    yield ServerSentEvent(event="expired", data="")
                    return
                board.catch_up()
                changes = None if told is None else board.changes(told)
                if changes is None:
                    yield ServerSentEvent(event="reset", data="", id=f"{board.epoch}-{board.version}")
                    return
                for change in changes:
                    told = change.version
                    if not only or change.key == only:
                        yield self._event(change, board.drawn(change.key, form, draw), form)
                await asyncio.sleep(board.settings.refresh_s)
        finally:
            self._watchers -= 1

    def _event(self, change: Change, drawn: str, form: str) -> ServerSentEvent:
        place = f"{self._board.epoch}-{change.version}"
        if change.gone or not drawn:
            return ServerSentEvent(event="gone", data=change.key, id=place)
        return ServerSentEvent(event=form, data=drawn, id=place)

    def _position(self, position: str) -> int | None:
        """The version a watcher was told last; None when it comes from another start, or says nothing readable."""
        epoch, _, version = position.partition("-")
        if epoch != self._board.epoch or not version.isascii() or not version.isdigit() or len(version) > 15:
            return None
        return int(version)

    def _lifespan(self, feed: BoardFeed | None):  # noqa: ANN202 - a lifespan function
        @asynccontextmanager
        async def run(_: object) -> AsyncIterator[None]:
            tasks = [asyncio.ensure_future(self._keep_up())]
            if feed is not None:
                tasks.append(asyncio.ensure_future(feed.run(self._board)))
            try:
                yield
            finally:
                for task in tasks:
                    task.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await asyncio.gather(*tasks, return_exceptions=True)

        return run

    async def _keep_up(self) -> None:
        """Fold what comes in while nobody watches, so that the inbox stays short and ended calls go."""
        while True:
            self._board.catch_up()
            await asyncio.sleep(max(1.0, self._board.settings.refresh_s))


async def _body(request: Request) -> str:
    """A small form's body.

    Raises:
        HTTPException: 413, it is larger than any login.
    """
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > FORM_BYTES_MAX:
            raise HTTPException(413, "too large for a login", HEADERS)
    return body.decode("utf-8", errors="replace")
