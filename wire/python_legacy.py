"""Does the Python SDK 1.x, a client of the session-based era, work through the gateway?"""

import json
import sys
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import httpx
from mcp import ClientSession, McpError, StdioServerParameters, types
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

from checks import Checks, RpcFailure
from report import Report


def plain(model) -> dict:
    return model.model_dump(mode="json", by_alias=True, exclude_unset=True)


class Legacy:
    def __init__(self, session: ClientSession, version: str, changes: list) -> None:
        self.session, self.version, self.changes = session, version, changes

    async def pages(self) -> list[list[dict]]:
        pages, cursor = [], None
        while True:
            params = types.PaginatedRequestParams(cursor=cursor) if cursor else None
            page = await self.session.list_tools(params=params)
            pages.append([plain(tool) for tool in page.tools])
            cursor = page.nextCursor
            if cursor is None:
                return pages

    async def call(self, name: str, arguments: dict, on_progress=None) -> dict:
        try:
            return plain(await self.session.call_tool(name, arguments, progress_callback=on_progress))
        except McpError as error:
            raise RpcFailure(error.error.code, error.error.message) from error

    async def call_then_cancel(self, name: str, arguments: dict) -> None:
        started = anyio.Event()

        async def on_progress(*_) -> None:
            started.set()

        async def call(scope: anyio.CancelScope) -> None:
            with scope:
                await self.session.call_tool(name, arguments, progress_callback=on_progress)

        scope = anyio.CancelScope()
        # This generation has no cancel of its own: the notification is sent by hand, with the id the call will get.
        request_id = self.session._request_id  # noqa: SLF001
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(call, scope)
            await started.wait()
            params = types.CancelledNotificationParams(requestId=request_id, reason="the person changed their mind")
            notification = types.CancelledNotification(method="notifications/cancelled", params=params)
            await self.session.send_notification(types.ClientNotification(notification))
            scope.cancel()

    @asynccontextmanager
    async def hear_changes(self):
        self.changes.clear()
        yield self.changes


@asynccontextmanager
async def session_over(streams):
    changes: list = []

    async def on_message(message) -> None:
        if isinstance(getattr(message, "root", None), types.ToolListChangedNotification):
            changes.append("tools/list_changed")

    async with streams as opened, ClientSession(opened[0], opened[1], message_handler=on_message) as session:
        hello = await session.initialize()
        yield Legacy(session, hello.protocolVersion, changes)


def over_http(stage: dict, gateway: str):
    @asynccontextmanager
    async def connect():
        headers = {"Authorization": f"Bearer {stage['key']}", "Arcade-User-ID": "wire"}
        async with httpx.AsyncClient(headers=headers, timeout=60) as http:
            url = f"{stage['base']}/mcp/{gateway}"
            async with session_over(streamable_http_client(url, http_client=http)) as connection:
                yield connection

    return connect


def over_stdio(stage: dict, gateway: str):
    command, *arguments = stage["stdio"]
    server = StdioServerParameters(command=command, args=[*arguments, "--gateway", gateway], env=stage["env"])
    return lambda: session_over(stdio_client(server))


async def main() -> None:
    stage = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    report = Report()
    for mode in ("direct", "discovery", "recommend"):
        await Checks(report, "python 1.x http", mode, over_http(stage, mode)).run()
    for front, over in (("http", over_http), ("stdio", over_stdio)):
        await Checks(report, f"python 1.x {front}", "direct", over(stage, "direct")).run("list_changed")
    await Checks(report, "python 1.x http", "discovery", over_http(stage, "discovery")).run("list_unchanged")
    for mode in ("adaptive", "small"):
        await Checks(report, "python 1.x http", mode, over_http(stage, mode)).run(mode)
    for mode in ("direct", "discovery", "recommend"):
        checks = Checks(report, "python 1.x stdio", mode, over_stdio(stage, mode))
        await checks.run(mode, "basics", "mixed", "refuse", "arguments", "progress", "cancel", "unknown")
    modern = Checks(report, "python 1.x http, modern upstream", "direct", over_http(stage, "direct"), app="modern")
    await modern.run("mixed", "refuse", "arguments", "progress", "cancel")
    report.finish()


anyio.run(main)
