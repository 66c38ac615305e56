"""How is one request answered within a total time, whatever the other end does?

A socket's own time-out starts anew with every byte, and a name lookup knows none. So each exchange has a short-lived
thread of its own; whoever waits for it stops waiting at the deadline and cuts the connection.
"""

from __future__ import annotations

import asyncio
import http.client
import queue
import socket
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from ._errors import FallOpenReason, UnansweredError

ANSWER_BYTES_MAX = 64 * 1024 * 1024
"""Longest answer that is read. The largest honest one is a catalog, of 8 MB at most."""


@dataclass(frozen=True)
class Target:
    """Where the gateway is, and what opens it. Never shown: it holds the token."""

    secure: bool
    host: str
    port: int | None
    prefix: str
    headers: Mapping[str, str]

    def __repr__(self) -> str:
        return f"Target({self.host!r})"

    @classmethod
    def of(cls, base_url: str, token: str, user_agent: str) -> Target:
        """Reads the base URL; what is wrong with either is a `ValueError` that does not repeat the token."""
        parts = urlsplit(base_url if _is_word(base_url) else "")
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("base_url must be an http or https URL such as http://127.0.0.1:8722")
        if parts.username or parts.password or parts.query or parts.fragment:
            raise ValueError("base_url must have neither credentials nor a query: the token is an argument of its own")
        if not _is_word(token):
            raise ValueError("token must be one word of printable ASCII")
        headers = {
            "Authorization": f"Bearer {token}",
            "Accept": "application/json",
            "Content-Type": "application/json",
            "User-Agent": user_agent,
        }
        return cls(parts.scheme == "https", parts.hostname, parts.port, parts.path.rstrip("/"), headers)


@dataclass(frozen=True)
class Reply:
    """What came back."""

    status: int
    retry_after: int | None
    body: bytes


@dataclass(frozen=True)
class Request:
    """What is asked."""

    method: str
    path: str
    body: bytes | None


class _Exchange:
    """A request under way in its thread, which tells `on_end` the reply or the failure, once."""

    def __init__(
        self, target: Target, request: Request, timeout: float, on_end: Callable[[Reply | BaseException], None]
    ) -> None:
        self._target, self._request, self._on_end = target, request, on_end
        kind = http.client.HTTPSConnection if target.secure else http.client.HTTPConnection
        self._connection = kind(target.host, target.port, timeout=timeout)
        self._abandoned = False
        try:
            threading.Thread(target=self._run, name="handpick", daemon=True).start()
        except RuntimeError as error:
            raise UnansweredError("unreachable", f"no thread to ask in: {error}") from error

    def abandon(self) -> None:
        """Lets go: the thread ends soon. Does nothing to an exchange that has ended."""
        self._abandoned = True
        held = self._connection.sock
        if held is not None:
            try:
                # Wakes a thread that waits for bytes, which closing would not.
                socket.socket.shutdown(held, socket.SHUT_RDWR)
            except OSError:
                pass

    def _run(self) -> None:
        outcome: Reply | BaseException
        try:
            outcome = self._reply()
        except BaseException as error:  # noqa: BLE001: raised again where the caller waits
            outcome = error
        finally:
            self._connection.close()
        if not self._abandoned:
            self._on_end(outcome)

    def _reply(self) -> Reply:
        try:
            self._connection.connect()
            if self._abandoned:
                raise UnansweredError("timeout", "given up")
            self._send()
            response = self._connection.getresponse()
        except TimeoutError as error:
            raise UnansweredError("timeout", "no answer in time") from error
        except (OSError, UnicodeError) as error:
            raise UnansweredError("unreachable", _told(error)) from error
        except http.client.HTTPException as error:
            raise UnansweredError("unreadable", f"the answer is not HTTP ({type(error).__name__})") from error
        try:
            body = response.read(ANSWER_BYTES_MAX + 1)
        except TimeoutError as error:
            # Whether the status was there in time is chance, so it is not told: the wait above ends at the same moment.
            raise UnansweredError("timeout", "the answer did not end in time") from error
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise UnansweredError("unreadable", "the answer breaks off", response.status) from error
        if len(body) > ANSWER_BYTES_MAX:
            raise UnansweredError("unreadable", "the answer is far too long", response.status)
        return Reply(response.status, _seconds(response.headers.get("Retry-After")), body)

    def _send(self) -> None:
        target, request = self._target, self._request
        try:
            path = target.prefix + request.path
            self._connection.request(request.method, path, request.body, dict(target.headers))
        except (BrokenPipeError, ConnectionResetError):
            # A body that is too large is refused before its end; the answer may be there to read.
            pass


def exchange(target: Target, request: Request, timeout: float) -> Reply:
    """Asks, and waits for at most `timeout` seconds, everything included."""
    outcomes: queue.SimpleQueue[Reply | BaseException] = queue.SimpleQueue()
    running = _Exchange(target, request, timeout, outcomes.put)
    try:
        outcome = outcomes.get(timeout=timeout)
    except queue.Empty:
        raise _late(timeout) from None
    finally:
        running.abandon()
    return _reply_of(outcome)


async def exchange_async(target: Target, request: Request, timeout: float) -> Reply:
    """The same without blocking the event loop, and without a place in its pool of threads."""
    loop = asyncio.get_running_loop()
    ended: asyncio.Future[Reply | BaseException] = loop.create_future()

    def settle(outcome: Reply | BaseException) -> None:
        if not ended.done():
            ended.set_result(outcome)

    def on_end(outcome: Reply | BaseException) -> None:
        try:
            loop.call_soon_threadsafe(settle, outcome)
        except RuntimeError:
            pass  # the loop was closed meanwhile: nobody waits any more

    running = _Exchange(target, request, timeout, on_end)
    try:
        outcome = await asyncio.wait_for(ended, timeout)
    except asyncio.TimeoutError:
        raise _late(timeout) from None
    finally:
        running.abandon()
    return _reply_of(outcome)


def _is_word(text: str) -> bool:
    return bool(text) and all("!" <= character <= "~" for character in text)


def _reply_of(outcome: Reply | BaseException) -> Reply:
    if isinstance(outcome, BaseException):
        raise outcome
    return outcome


def _late(timeout: float) -> UnansweredError:
    reason: FallOpenReason = "timeout"
    return UnansweredError(reason, f"no whole answer within {timeout:g} s")


def _told(error: Exception) -> str:
    text = str(error).strip()
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _seconds(header: str | None) -> int | None:
    text = (header or "").strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None
