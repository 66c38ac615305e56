"""Does the Python SDK 2.x, a client of the stateless era, work through the gateway?"""

import json
import sys
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import httpx2
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from checks import Checks, RpcFailure
from report import Report

MODERN = "2026-07-28"


def plain(model) -> dict:
    return model.model_dump(mode="json", by_alias=True, exclude_unset=True)


class Modern:
    def __init__(self, client: Client) -> None:
        self.client, self.version = client, client.protocol_version

    async def pages(self) -> list[list[dict]]:
        pages, cursor = [], None
        while True:
            page = await self.client.list_tools(cursor=cursor)
            pages.append([plain(tool) for tool in page.tools])
            cursor = page.next_cursor
            if cursor is None:
                return pages

    async def call(self, name: str, arguments: dict, on_progress=None) -> dict:
        try:
            return plain(await self.client.call_tool(name, arguments, progress_callback=on_progress))
        except MCPError as error:
            raise RpcFailure(error.error.code, error.error.message) from error

    async def call_then_cancel(self, name: str, arguments: dict) -> None:
        started = anyio.Event()

        async def on_progress(*_) -> None:
            started.set()

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self.call, name, arguments, on_progress)
            await started.wait()
            # In this era leaving the request is the cancellation: its stream closes.
            tasks.cancel_scope.cancel()

    @asynccontextmanager
    async def hear_changes(self):
        changes: list = []
        async with self.client.listen(tools_list_changed=True) as events, anyio.create_task_group() as tasks:

            async def hear() -> None:
                async for event in events:
                    changes.append(type(event).__name__)

            tasks.start_soon(hear)
            yield changes
            tasks.cancel_scope.cancel()


def over_http(stage: dict, gateway: str, mode: str):
    @asynccontextmanager
    async def connect():
        headers = {"Authorization": f"Bearer {stage['key']}", "Arcade-User-ID": "wire"}
        async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
            transport = streamable_http_client(f"{stage['base']}/mcp/{gateway}", http_client=http)
            async with Client(transport, mode=mode) as client:
                yield Modern(client)

    return connect


def over_stdio(stage: dict, gateway: str, mode: str):
    @asynccontextmanager
    async def connect():
        command, *arguments = stage["stdio"]
        server = StdioServerParameters(command=command, args=[*arguments, "--gateway", gateway], env=stage["env"])
        async with Client(server, mode=mode) as client:
            yield Modern(client)

    return connect


async def main() -> None:
    stage = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    report = Report()
    for mode in ("direct", "discovery", "recommend"):
        await Checks(report, "python 2.x http", mode, over_http(stage, mode, MODERN)).run()
    for front, over in (("http", over_http), ("stdio", over_stdio)):
        await Checks(report, f"python 2.x {front}", "direct", over(stage, "direct", MODERN)).run("list_changed")
    await Checks(report, "python 2.x http", "discovery", over_http(stage, "discovery", MODERN)).run("list_unchanged")
    for mode in ("adaptive", "small"):
        await Checks(report, "python 2.x http", mode, over_http(stage, mode, MODERN)).run(mode)
    for label, era in (("auto", "auto"), ("legacy", "legacy")):
        checks = Checks(report, f"python 2.x http, {label}", "direct", over_http(stage, "direct", era))
        await checks.run("direct", "basics", "mixed", "progress", "cancel", "unknown")
    for mode in ("direct", "discovery", "recommend"):
        checks = Checks(report, "python 2.x stdio, auto", mode, over_stdio(stage, mode, "auto"))
        await checks.run(mode, "basics", "mixed", "refuse", "arguments", "progress", "cancel", "unknown")
    modern = Checks(report, "python 2.x http, modern upstream", "direct", over_http(stage, "direct", MODERN), app="modern")
    await modern.run("mixed", "refuse", "arguments", "progress", "cancel")
    report.finish()


anyio.run(main)
