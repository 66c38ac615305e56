"""What must hold for any Python client, whichever SDK generation and transport it uses?

Each check takes an adapter (`Connection`) so that both SDK generations run the very same list.
"""

import json
import re
from pathlib import Path
from typing import Protocol

import anyio

CORNERS = json.loads((Path(__file__).parent / "upstreams" / "corners.json").read_text(encoding="utf-8"))
# What is waited for comes at once, or much later on a busy machine.
SECONDS_OF_PATIENCE = 40
NAME = re.compile(r"^[A-Za-z0-9_-]{1,64}$")
DISCOVERY = ["discover_tools", "execute_tool", "get_tool_schema"]
RECOMMEND = ["Arcade_SelectTools", "Arcade_UseTool"]


class RpcFailure(Exception):
    """The peer answered with a JSON-RPC error."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(f"JSON-RPC error {code}: {message}")
        self.code = code


class Connection(Protocol):
    version: str

    async def pages(self) -> list[list[dict]]: ...

    async def call(self, name: str, arguments: dict, on_progress=None) -> dict: ...

    async def call_then_cancel(self, name: str, arguments: dict) -> None:
        """Calls, waits for the first progress notification, then cancels as this SDK does."""

    def hear_changes(self):
        """An async context whose value is a list that grows with each announced change of the tool list."""


def call_as(mode: str, tool: str, arguments: dict) -> tuple[str, dict]:
    """The same call as each presentation wants it: (name, arguments) for tools/call."""
    if mode == "discovery":
        return "execute_tool", {"tool_name": tool, "parameters": arguments}
    if mode == "recommend":
        return "Arcade_UseTool", {"tool_name": tool, "inputs": arguments}
    return tool, arguments


def first_text(result: dict) -> str:
    return next((block["text"] for block in result.get("content", []) if block["type"] == "text"), "")


def same_members(got: object, wanted: object) -> bool:
    """Whether everything wanted arrived; members added by an SDK or a later revision are no loss."""
    if isinstance(wanted, dict):
        return isinstance(got, dict) and all(k in got and same_members(got[k], v) for k, v in wanted.items())
    if isinstance(wanted, list):
        return isinstance(got, list) and len(got) == len(wanted) and all(map(same_members, got, wanted))
    return got == wanted


class Checks:
    def __init__(self, report, label: str, mode: str, connect, app: str = "corners") -> None:
        self.report, self.label, self.mode, self.connect, self.app = report, label, mode, connect, app

    def tool(self, name: str, app: str | None = None) -> str:
        return f"{app or self.app}_{name}"

    async def call(self, connection: Connection, name: str, arguments: dict, on_progress=None, app=None) -> dict:
        return await connection.call(*call_as(self.mode, self.tool(name, app), arguments), on_progress)

    async def run(self, *checks: str) -> None:
        """Opens one connection and runs the named checks, or all that fit this mode, over it."""
        names = checks or (self.mode, "basics", "mixed", "refuse", "arguments", "progress", "cancel", "unknown", "grow")

        async def connected(name: str) -> None:
            async with self.connect() as connection:
                self.report.ok(f"{name}: connects ({connection.version})")
                for check in names:
                    label = f"{self.label} {self.mode}: {check}"
                    await self.report.check(label, getattr(self, check), connection)

        title = f"{self.label} {self.mode}"
        try:
            await connected(title)
        except Exception as error:  # noqa: BLE001: the connection itself is what failed
            detail = "; ".join(repr(e) for e in getattr(error, "exceptions", [])) or repr(error)
            self.report.fail(f"{title}: connects", detail, "a connection")

    async def direct(self, name: str, connection: Connection) -> None:
        pages = await connection.pages()
        names = [tool["name"] for page in pages for tool in page]
        self.report.equal(f"{name} lists no name twice", len(set(names)), len(names))
        bad = [n for n in names if not NAME.match(n)]
        self.report.equal(f"{name} lists names that every client accepts", bad, [])
        self.report.true(f"{name} pages hold at most 100 tools (A8)", all(len(p) <= 100 for p in pages), list(map(len, pages)), "≤ 100")
        corners = [n for n in names if n.startswith(f"{self.app}_")]
        self.report.true(f"{name} lists all pages of an upstream", len(corners) >= len(CORNERS["tools"]), corners, "all corner tools")

    async def discovery(self, name: str, connection: Connection) -> None:
        pages = await connection.pages()
        self.report.equal(f"{name} lists the three meta-tools (P11)", sorted(t["name"] for p in pages for t in p), DISCOVERY)
        found = await connection.call("discover_tools", {"query": "sum of two numbers"})
        tools = found.get("structuredContent", {}).get("tools", [])
        self.report.true(f"{name} finds a tool by its meaning (P15)", any("get-sum" in t["name"] for t in tools), tools, "a get-sum tool")
        if tools:
            schema = await connection.call("get_tool_schema", {"tool_name": tools[0]["name"]})
            body = schema.get("structuredContent", {})
            self.report.true(f"{name} shows one schema (P16)", isinstance(body.get("input_schema"), dict), schema, "an input_schema")
        await self.refused_directly(name, connection)

    async def adaptive(self, name: str, connection: Connection) -> None:
        pages = await connection.pages()
        self.report.equal(f"{name} becomes discovery from 30 tools on (P6)", sorted(t["name"] for p in pages for t in p), DISCOVERY)

    async def small(self, name: str, connection: Connection) -> None:
        names = sorted(t["name"] for p in await connection.pages() for t in p)
        self.report.equal(f"{name} stays direct below 30 tools (P6)", names, ["time_convert_time", "time_get_current_time"])

    async def recommend(self, name: str, connection: Connection) -> None:
        pages = await connection.pages()
        self.report.equal(f"{name} lists the two tools (A3)", sorted(t["name"] for p in pages for t in p), RECOMMEND)
        tasks = ["add two numbers", "zzqx vbnw"]
        answer = await connection.call("Arcade_SelectTools", {"tasks": tasks})
        body = answer.get("structuredContent", {})
        self.report.equal(f"{name} answers every task in order (A42)", [r.get("task") for r in body.get("results", [])], tasks)
        suggestions = (body.get("results") or [{}])[0].get("suggestions", [])
        found = [s.get("tool_name", "") for s in suggestions]
        self.report.true(f"{name} suggests at most five, the right one among them (A14)", len(found) <= 5 and any("get-sum" in n for n in found), found, "a get-sum tool")
        self.report.true(f"{name} suggestions carry the schema (A13)", all(isinstance(s.get("input_schema"), dict) for s in suggestions), suggestions, "input_schema objects")
        self.report.equal(f"{name} text repeats the structured answer", json.loads(first_text(answer)), body)
        if found:
            chosen = next((n for n in found if "get-sum" in n), found[0])
            used = await connection.call("Arcade_UseTool", {"tool_name": chosen, "inputs": {"a": 2, "b": 3}, "query_id": body.get("query_id")})
            self.report.true(f"{name} runs what it suggested (A20)", "5" in first_text(used), used, "a text with the sum 5")

    async def refused_directly(self, name: str, connection: Connection) -> None:
        try:
            got: object = await connection.call(self.tool("bare"), {})
        except RpcFailure as failure:
            got = failure.code
        self.report.equal(f"{name} refuses a hidden tool by its name (P13)", got, -32602)

    async def basics(self, name: str, connection: Connection) -> None:
        result = await self.call(connection, "echo", {"message": "héllo ☃"}, app="everything")
        self.report.equal(f"{name} calls a tool", first_text(result), "Echo: héllo ☃")
        image = await self.call(connection, "get-tiny-image", {}, app="everything")
        blocks = [b for b in image["content"] if b["type"] == "image"]
        self.report.true(f"{name} an image arrives", bool(blocks) and len(blocks[0]["data"]) > 1000, image, "an image block")
        weather = await self.call(connection, "get-structured-content", {"location": "Chicago"}, app="everything")
        self.report.equal(f"{name} structured content arrives", weather.get("structuredContent"), {"temperature": 36, "conditions": "Light rain / drizzle", "humidity": 82})

    async def mixed(self, name: str, connection: Connection) -> None:
        got = await self.call(connection, "mixed", {})
        for member, wanted in CORNERS["mixed"].items():
            self.report.true(f"{name} {member} is unchanged (A26)", same_members(got.get(member), wanted), got.get(member), wanted)

    async def refuse(self, name: str, connection: Connection) -> None:
        got = await self.call(connection, "refuse", {})
        self.report.true(f"{name} a tool error stays the tool's (A26)", same_members(got, CORNERS["refuse"]), got, CORNERS["refuse"])

    async def arguments(self, name: str, connection: Connection) -> None:
        sent = {"text": "naïve\u0000☃", "list": [1, 2.5, None, {"deep": True}], "": "empty key", "big": 9007199254740993}
        got = await self.call(connection, "reflect", sent)
        # The corner server of this era runs on JavaScript, whose numbers end at 2^53.
        seen = json.loads(first_text(got))
        seen["big"] = sent["big"] if seen.get("big") == 9007199254740992 else seen.get("big")
        self.report.equal(f"{name} arrive as sent", seen, sent)

    async def progress(self, name: str, connection: Connection) -> None:
        seen: list = []

        async def on_progress(progress, total, message) -> None:
            seen.append([progress, total, message])

        result = await self.call(connection, "steps", {"count": 4}, on_progress)
        self.report.equal(f"{name} the call ends", first_text(result), "counted to 4")
        # Notifications may be handled just after the result; nothing orders the two for a client.
        with anyio.move_on_after(SECONDS_OF_PATIENCE):
            while len(seen) < 4:
                await anyio.sleep(0.01)
        self.report.equal(f"{name} is forwarded", seen, [[step, 4, f"step {step}"] for step in range(1, 5)])

    async def cancel(self, name: str, connection: Connection) -> None:
        token = f"{self.label} {self.mode} {connection.version}"
        tool, arguments = call_as(self.mode, self.tool("wait"), {"token": token})
        await connection.call_then_cancel(tool, arguments)
        seen = ""
        with anyio.move_on_after(SECONDS_OF_PATIENCE):
            while seen != "true":
                seen = first_text(await self.call(connection, "cancelled", {"token": token}))
                await anyio.sleep(0.05)
        self.report.equal(f"{name} reaches the upstream", seen, "true")

    async def unknown(self, name: str, connection: Connection) -> None:
        try:
            got: object = await self.call(connection, "no_such_tool", {})
        except RpcFailure as failure:
            got = failure.code
        if self.mode in ("discovery", "recommend"):
            refused = isinstance(got, dict) and got.get("isError") is True and "tool not found" in first_text(got)
            self.report.true(f"{name} tool is a tool error", refused, got, "isError with `tool not found`")
        else:
            self.report.equal(f"{name} tool is a JSON-RPC error (X11)", got, -32602)

    async def grow(self, name: str, connection: Connection) -> None:
        added = re.sub("[^a-z0-9]", "_", f"grown {self.label} {self.mode}".lower())
        await self.call(connection, "grow", {"name": added})
        text = ""
        with anyio.move_on_after(SECONDS_OF_PATIENCE):
            while not text.endswith("was called"):
                async with self.connect() as fresh:
                    try:
                        text = first_text(await self.call(fresh, added, {}))
                    except RpcFailure as failure:
                        text = str(failure)
                await anyio.sleep(0.1)
        self.report.equal(f"{name} a tool added upstream can be called by the next surface", text, f"{added} was called")

    async def list_changed(self, name: str, connection: Connection) -> None:
        added = re.sub("[^a-z0-9]", "_", f"announced {self.label} {self.mode}".lower())
        async with connection.hear_changes() as changes:
            await connection.pages()
            await self.call(connection, "grow", {"name": added})
            heard, listed = 0, []
            with anyio.move_on_after(SECONDS_OF_PATIENCE):
                # The first announcement may be of what changed before.
                while self.tool(added) not in listed:
                    while len(changes) == heard:
                        await anyio.sleep(0.02)
                    heard = len(changes)
                    listed = [tool["name"] for page in await connection.pages() for tool in page]
            self.report.true(f"{name} is announced", heard > 0, changes, f"a notification within {SECONDS_OF_PATIENCE} s")
            self.report.true(f"{name} the next list has the tool", self.tool(added) in listed, listed, self.tool(added))

    async def list_unchanged(self, name: str, connection: Connection) -> None:
        added = re.sub("[^a-z0-9]", "_", f"hidden {self.label} {self.mode}".lower())
        async with connection.hear_changes() as changes:
            before = await connection.pages()
            await self.call(connection, "grow", {"name": added})
            # An announcement would follow within a second. On a slow machine this proves less, but never fails.
            await anyio.sleep(1.5)
            self.report.equal(f"{name} is not announced where only meta-tools are listed (C8)", list(changes), [])
            self.report.equal(f"{name} the list stays", await connection.pages(), before)
