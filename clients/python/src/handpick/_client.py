"""Which methods does a backend call? The same ones with and without asyncio."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from . import _calls
from ._answers import Answer, Counts, Edge, Found
from ._calls import Call
from ._errors import UnansweredError
from ._exchange import Reply, Target, exchange, exchange_async
from ._types import Conversation, DefinitionFormat, Message, Page, Tool

T = TypeVar("T")
_USER_AGENT = "handpick-python/0.1.0"


class _Client:
    def __init__(self, base_url: str, token: str, timeout: float = 2.0, *, publish_timeout: float = 60.0) -> None:
        """`timeout` seconds are for `context` and `find_tools`, `publish_timeout` for the rest; each is the total."""
        if not (timeout > 0 and publish_timeout > 0):
            raise ValueError("timeout and publish_timeout must be above 0")
        self._target = Target.of(base_url, token, _USER_AGENT)
        self.timeout = timeout
        self.publish_timeout = publish_timeout

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._target.host!r})"

    def _seconds(self, call: Call[Any]) -> float:
        return self.publish_timeout if call.fall_open is None else self.timeout


class Handpick(_Client):
    """A gateway, asked from ordinary code. Holds no connection, and may be shared among threads."""

    def context(
        self,
        agent_id: str,
        message: str,
        *,
        all_tools: Iterable[str | Mapping[str, Any]],
        history: Sequence[Message] = (),
        roles: Iterable[str] | None = None,
        user: Mapping[str, Any] | None = None,
        page: Page | None = None,
        max_tools: int | None = None,
    ) -> Answer:
        """The tools for what the user just wrote. Once for each message; keep the answer for the whole turn.

        `all_tools` are the names, or the definitions, that stand in when no selection comes within the time: those
        that this user may use, for roles are looked at by the gateway alone. `roles` and whatever else is in `user`
        come from your authenticated session. Raises `ApiError` for what is wrong with the request itself.
        """
        call = _calls.context(agent_id, message, history, roles, user, page, max_tools, all_tools)
        return self._run(call)

    def find_tools(
        self,
        agent_id: str,
        query: str,
        *,
        exclude: Iterable[str] = (),
        limit: int | None = None,
        roles: Iterable[str] | None = None,
        user: Mapping[str, Any] | None = None,
        format: DefinitionFormat = "openai",
    ) -> Found:
        """Tools that the turn left out, for the model's own `find_tools`. None where the gateway does not answer."""
        return self._run(_calls.find_tools(agent_id, query, exclude, limit, roles, user, format))

    def publish(self, agent_id: str, tools: Iterable[Tool]) -> Counts:
        """Replaces the agent's catalog, from the next request on. Needs an admin token; never falls open."""
        return self._run(_calls.publish(agent_id, tools))

    def traces(self, agent_id: str, conversations: Iterable[Conversation]) -> Counts:
        """Adds past conversations to learn from. Needs an admin token; never falls open."""
        return self._run(_calls.traces(agent_id, conversations))

    def read(self, agent_id: str) -> Counts:
        """What the gateway knows of the agent, in numbers."""
        return self._run(_calls.read(agent_id))

    def catalog(self, agent_id: str) -> dict[str, Any]:
        """The catalog as it was published."""
        return self._run(_calls.catalog(agent_id))

    def graph(self, agent_id: str) -> list[Edge]:
        """Which tool supplies which id to which."""
        return self._run(_calls.graph(agent_id))

    def delete(self, agent_id: str) -> None:
        """Forgets the agent: its catalog, its conversations and what was learned. Needs an admin token."""
        return self._run(_calls.delete(agent_id))

    def _run(self, call: Call[T]) -> T:
        reply: Reply | UnansweredError
        try:
            reply = exchange(self._target, call.request, self._seconds(call))
        except UnansweredError as error:
            reply = error
        return call.conclude(reply)


class AsyncHandpick(_Client):
    """The same for asyncio: every method is awaited, and none blocks the event loop."""

    async def context(
        self,
        agent_id: str,
        message: str,
        *,
        all_tools: Iterable[str | Mapping[str, Any]],
        history: Sequence[Message] = (),
        roles: Iterable[str] | None = None,
        user: Mapping[str, Any] | None = None,
        page: Page | None = None,
        max_tools: int | None = None,
    ) -> Answer:
        """See `Handpick.context`."""
        call = _calls.context(agent_id, message, history, roles, user, page, max_tools, all_tools)
        return await self._run(call)

    async def find_tools(
        self,
        agent_id: str,
        query: str,
        *,
        exclude: Iterable[str] = (),
        limit: int | None = None,
        roles: Iterable[str] | None = None,
        user: Mapping[str, Any] | None = None,
        format: DefinitionFormat = "openai",
    ) -> Found:
        """See `Handpick.find_tools`."""
        return await self._run(_calls.find_tools(agent_id, query, exclude, limit, roles, user, format))

    async def publish(self, agent_id: str, tools: Iterable[Tool]) -> Counts:
        """See `Handpick.publish`."""
        return await self._run(_calls.publish(agent_id, tools))

    async def traces(self, agent_id: str, conversations: Iterable[Conversation]) -> Counts:
        """See `Handpick.traces`."""
        return await self._run(_calls.traces(agent_id, conversations))

    async def read(self, agent_id: str) -> Counts:
        """See `Handpick.read`."""
        return await self._run(_calls.read(agent_id))

    async def catalog(self, agent_id: str) -> dict[str, Any]:
        """See `Handpick.catalog`."""
        return await self._run(_calls.catalog(agent_id))

    async def graph(self, agent_id: str) -> list[Edge]:
        """See `Handpick.graph`."""
        return await self._run(_calls.graph(agent_id))

    async def delete(self, agent_id: str) -> None:
        """See `Handpick.delete`."""
        return await self._run(_calls.delete(agent_id))

    async def _run(self, call: Call[T]) -> T:
        reply: Reply | UnansweredError
        try:
            reply = await exchange_async(self._target, call.request, self._seconds(call))
        except UnansweredError as error:
            reply = error
        return call.conclude(reply)
