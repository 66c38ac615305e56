"""Does the Python client keep its promises, against a good gateway, bad ones and none?

What a bad gateway does, and what is wanted then, is in client_cases.json, which the other client is held to as well.
"""

import asyncio
import datetime
import io
import json
import logging
import os
import subprocess
import sys
import threading
import time
import traceback
from pathlib import Path

from report import Report

ROOT = Path(__file__).resolve().parents[1]
CLIENT = ROOT / "clients" / "python"
sys.path.insert(0, str(CLIENT / "src"))

from handpick import (  # noqa: E402: found by the line above
    ApiError,
    AsyncHandpick,
    Found,
    Handpick,
    UnansweredError,
    find_tools_definition,
    history_from_anthropic,
    history_from_openai,
    select,
    tool_references,
    tool_search_output,
)

TABLE = json.loads((ROOT / "wire" / "client_cases.json").read_text(encoding="utf-8"))
SCENE = json.loads((ROOT / "clients" / "scene.json").read_text(encoding="utf-8"))
TOKEN = "hp_secret-of-the-python-tests"
ALL = ["b", "a", "c"]
# Short where the time is waited out. Where an answer comes, long enough for a busy machine.
SHORT, LONG = 0.4, 30.0
# How much later than its time-out a call may end on a busy machine; what drips takes longer than both together.
SLACK = 2.5


class Sync:
    name = "python sync"

    def __init__(self, *arguments, **options) -> None:
        self.client = Handpick(*arguments, **options)

    def __call__(self, method: str, *arguments, **options):
        return getattr(self.client, method)(*arguments, **options)


class Async(Sync):
    name = "python async"

    def __init__(self, *arguments, **options) -> None:
        self.client = AsyncHandpick(*arguments, **options)

    def __call__(self, method: str, *arguments, **options):
        return asyncio.run(getattr(self.client, method)(*arguments, **options))


def outcome(call) -> dict:
    """What a call came to, in the words of client_cases.json."""
    try:
        answer = call()
    except ApiError as error:
        told = {"api": error.status, "message": error.message, "retry_after": error.retry_after}
    except UnansweredError as error:
        told = {"unanswered": error.reason}
    else:
        why = answer.fell_open if hasattr(answer, "fell_open") else None
        told = {"answer": True} if why is None else {
            "fell_open": why.reason, "status": why.status, "retry_after": why.retry_after, "names": list(answer.names),
        }
    return {key: value for key, value in told.items() if value is not None}


def check_cases(report: Report, addresses: dict) -> None:
    for case in TABLE["cases"]:
        for flavour in (Sync, Async):
            late = "timeout" in case["turn"].values()
            timeout = SHORT if late else LONG
            call = flavour(addresses["cases"][case["name"]], TOKEN, timeout, publish_timeout=timeout)
            fallen = "fell_open" in case["turn"]
            asked = [
                ("context", case["turn"] | ({"names": ALL} if fallen else {}), lambda: call("context", "shop", "hello", all_tools=ALL)),
                ("find_tools", case["turn"] | ({"names": []} if fallen else {}), lambda: call("find_tools", "shop", "hello")),
                ("publish", case["publish"], lambda: call("publish", "shop", [])),
                ("traces", case["publish"], lambda: call("traces", "shop", [])),
            ]
            for method, wanted, ask in asked:
                name = f"{flavour.name}: {case['name']}: {method} (T52)"
                started = time.monotonic()
                got = outcome(ask)
                took = time.monotonic() - started
                report.equal(name, got, wanted)
                if late:
                    report.true(f"{name} ends at its time-out", SHORT * 0.9 <= took <= SHORT + SLACK, took, f"{SHORT} s in all")


def check_times(report: Report, addresses: dict) -> None:
    hangs = addresses["cases"]["accepts and says nothing"]
    started = time.monotonic()
    got = Handpick(hangs, TOKEN).context("shop", "hello", all_tools=ALL)
    took = time.monotonic() - started
    report.true("python: two seconds are waited when nothing else is said (T52)", bool(got.fell_open) and 1.9 <= took <= 2 + SLACK, took, "2 s")

    async def many() -> list:
        client = AsyncHandpick(hangs, TOKEN, SHORT)
        ticks = 0

        async def tick() -> None:
            nonlocal ticks
            while True:
                await asyncio.sleep(0.02)
                ticks += 1

        ticking = asyncio.ensure_future(tick())
        answers = await asyncio.gather(*(client.context("shop", "hello", all_tools=ALL) for _ in range(200)))
        ticking.cancel()
        report.true("python async: the loop goes on meanwhile", ticks >= 3, ticks, "some ticks")
        return answers

    started = time.monotonic()
    answers = asyncio.run(many())
    took = time.monotonic() - started
    whole = all(answer.fell_open and answer.fell_open.reason == "timeout" for answer in answers)
    report.true("python async: 200 turns at once wait no longer than one", whole and took <= SHORT + 3 * SLACK, took, f"{SHORT} s")
    drips = Handpick(addresses["cases"]["drips its head"], TOKEN, SHORT)
    drips.context("shop", "hello", all_tools=ALL)
    # The head takes more than twice as long to arrive.
    end = time.monotonic() + SLACK
    while time.monotonic() < end and any(thread.name == "handpick" for thread in threading.enumerate()):
        time.sleep(0.05)
    left = [thread.name for thread in threading.enumerate() if thread.name == "handpick"]
    report.equal("python: no thread outlives its call for long", left, [])
    for name, host in (("says nothing to TLS", hangs), ("does not speak TLS", addresses["cases"]["500"])):
        started = time.monotonic()
        got = Handpick(host.replace("http:", "https:"), TOKEN, SHORT).context("shop", "hello", all_tools=ALL)
        took = time.monotonic() - started
        fine = got.fell_open is not None and got.fell_open.reason in ("unreachable", "timeout") and list(got.names) == ALL
        report.true(f"python: a gateway that {name} falls open in time (T52)", fine and took <= SHORT + SLACK, [repr(got), took], "all tools")

    async def cancelled() -> str:
        task = asyncio.ensure_future(AsyncHandpick(hangs, TOKEN, LONG).context("shop", "hello", all_tools=ALL))
        await asyncio.sleep(0.2)
        task.cancel()
        try:
            await task
        except asyncio.CancelledError:
            return "cancelled"
        return "answered"

    report.equal("python async: a cancelled turn is cancelled, not open", asyncio.run(cancelled()), "cancelled")
    started = time.monotonic()
    got = Handpick("http://no-such-host.invalid:8722", TOKEN, SHORT).context("shop", "hello", all_tools=ALL)
    took = time.monotonic() - started
    fine = got.fell_open is not None and got.fell_open.reason in ("unreachable", "timeout") and list(got.names) == ALL
    report.true("python: a host that nobody knows falls open in time (T52)", fine and took <= SHORT + SLACK, [got.fell_open, took], "all tools")


def seen(address: str) -> list[dict]:
    import urllib.request

    with urllib.request.urlopen(f"{address}/seen", timeout=60) as response:
        return json.load(response)


def check_requests(report: Report, good: str) -> None:
    history = [{"role": "user", "content": "hi \ud83d cut"}, {"role": "assistant", "toolCalls": [{"name": "a", "arguments": {}, "result": "{}"}]}]
    for flavour in (Sync, Async):
        call, before = flavour(f"{good}/below/", TOKEN, LONG), len(seen(good))
        answer = call("context", "shop", "grüße ☃", history=history, roles=["r"], user={"plan": "x"}, page={"url": "/u"}, max_tools=0, all_tools=ALL)
        report.equal(f"{flavour.name}: names come in order, unknown members are passed over (T7, T33)", list(answer.names), TABLE["good"]["names"])
        report.equal(f"{flavour.name}: the answer is read", [answer.turn_type, answer.resolved_params, answer.total_ms, answer.fell_open], ["SOMETHING_NEW", {"customer_id": "cus_8812"}, 3.5, None])
        call("context", "shop", "hello", all_tools=[])
        call("find_tools", "shop", "q", exclude=("a", "b"), limit=3, roles=["r"], format="anthropic")
        call("find_tools", "shop", "q")
        call("publish", "shop", [{"name": "a", "description": "A."}])
        call("traces", "shop", [])
        requests = seen(good)[before:]
        heads = [request["head"].split("\r\n")[0] for request in requests]
        paths = ["POST /below/v1/context", *["POST /below/v1/context", "POST /below/v1/find-tools", "POST /below/v1/find-tools"], "PUT /below/v1/agents/shop/catalog", "POST /below/v1/agents/shop/traces"]
        report.equal(f"{flavour.name}: methods and paths", heads, [f"{path} HTTP/1.1" for path in paths])
        report.true(f"{flavour.name}: the token is in its header and nowhere else (T2, T4)", all(
            r["head"].count(TOKEN) == 1 and f"Authorization: Bearer {TOKEN}" in r["head"] and TOKEN not in r["body"] + r["head"].split("\r\n")[0] for r in requests
        ), requests, "one header")
        sent_history = [{"role": "user", "content": "hi ? cut"}, history[1]]
        who = {"user": {"plan": "x", "roles": ["r"]}, "page": {"url": "/u"}}
        wanted = [
            {"agentId": "shop", "message": "grüße ☃", "context": who, "options": {"includePrompt": False, "maxTools": 0}, "history": sent_history},
            {"agentId": "shop", "message": "hello", "options": {"includePrompt": False}, "history": []},
            {"agentId": "shop", "query": "q", "exclude": ["a", "b"], "limit": 3, "format": "anthropic", "context": {"user": {"roles": ["r"]}}},
            {"agentId": "shop", "query": "q", "exclude": [], "format": "openai"},
            {"tools": [{"name": "a", "description": "A."}]},
            [],
        ]
        for request, body in zip(requests, wanted):
            report.equal(f"{flavour.name}: body of {request['head'].split(' HTTP')[0]}", json.loads(request["body"]), body)
    before = len(seen(good))
    odd = [{"role": "assistant", "toolCalls": [{"name": "a", "arguments": {"n": float("nan"), "d": datetime.date(2026, 1, 2), "t": (1,)}}]}]
    Handpick(good, TOKEN, LONG).context("shop", "hello", history=odd, all_tools=ALL)
    sent = json.loads(seen(good)[before]["body"])["history"][0]["toolCalls"][0]["arguments"]
    report.equal("python: arguments that are no JSON do not stop a turn", sent, {"n": None, "d": "2026-01-02", "t": [1]})
    for what, ask in (
        ("all_tools", lambda: Handpick(good, TOKEN).context("shop", "hello", all_tools="abc")),
        ("roles", lambda: Handpick(good, TOKEN).context("shop", "hello", all_tools=ALL, roles="abc")),
        ("exclude", lambda: Handpick(good, TOKEN).find_tools("shop", "hello", exclude="abc")),
    ):
        try:
            got = repr(ask())
        except TypeError as error:
            got = str(error)
        report.true(f"python: one string for {what} is refused", got.startswith(f"{what} must be several"), got, "a TypeError")
    before = len(seen(good))
    large = [{"role": "user", "content": f"{n} {'ü' * 900}"} for n in range(400)]
    large.append({"role": "assistant", "toolCalls": [{"name": "a", "result": "x" * 500_000}]})
    Handpick(good, TOKEN, LONG).context("shop", "hello", history=large, all_tools=ALL)
    request = seen(good)[before]
    sent = json.loads(request["body"])["history"]
    fits = len(request["body"].encode()) <= 256 * 1024 and len(sent) > 50 and len(sent[-1]["toolCalls"][0]["result"]) == 8192
    report.true("python: of a history that is too long the newest part is sent (T50)", fits and sent[-2] == large[-2], len(sent), "at most 256 KB")


def check_silence(report: Report, addresses: dict) -> None:
    logged = io.StringIO()
    handler = logging.StreamHandler(logged)
    logging.getLogger().addHandler(handler)
    logging.getLogger().setLevel(logging.DEBUG)
    said, message = [], "SECRET of the user".upper()
    for name in ("500", "401", "nothing listens", "accepts and says nothing"):
        client = Handpick(addresses["cases"][name], TOKEN, SHORT, publish_timeout=SHORT)
        said += [repr(client), repr(vars(client)), str(client)]
        for ask in (lambda: client.context("shop", message, all_tools=ALL), lambda: client.publish("shop", [])):
            try:
                said.append(repr(ask()))
            except Exception as error:  # noqa: BLE001: whatever it is, it must keep the secret
                said += [repr(error), str(error), "".join(traceback.format_exception(error))]
    logging.getLogger().removeHandler(handler)
    logging.getLogger().setLevel(logging.WARNING)
    everything = "\n".join([*said, logged.getvalue()])
    report.true("python: no log, text or traceback shows the token or a message (T4)", TOKEN not in everything and message not in everything, everything, "neither")
    report.true("python: falling open is logged", "fell open, server_error: 500" in logged.getvalue(), logged.getvalue(), "a warning")
    for arguments in (("ftp://x", TOKEN), ("http://u:p@x", TOKEN), ("http://x?key=1", TOKEN), ("x", TOKEN), ("http://x", "two words"), ("http://x", ""), ("http://x", "line\nbreak"), ("http://x y", TOKEN), ("http://ü", TOKEN), ("http://x", TOKEN, 0)):
        try:
            got = repr(Handpick(*arguments))
        except ValueError as error:
            got = str(error)
        report.true(f"python: refuses {arguments[0]} {len(arguments[1])} {arguments[2:]}", " must " in got and "two words" not in got, got, "a ValueError that says what is right")
    for wrong in ("", "a/b", "..", "a b", "ä", "x" * 129, "a\n"):
        try:
            got = repr(Handpick("http://127.0.0.1:9", TOKEN).read(wrong))
        except ValueError as error:
            got = str(error)
        report.true(f"python: an agent id such as {wrong[:9]!r} is refused before it is in a path (T5)", "agent_id must" in got, got, "a ValueError")


def check_helpers(report: Report) -> None:
    styles = {
        "openai": lambda n: {"type": "function", "function": {"name": n}},
        "openai-responses": lambda n: {"type": "function", "name": n},
        "anthropic": lambda n: {"name": n, "input_schema": {}},
        "gemini": lambda n: {"name": n},
        "mcp": lambda n: {"name": n, "inputSchema": {}},
    }
    for style, spell in styles.items():
        definitions = [spell("a"), spell("b"), {"type": "web_search"}, spell("c"), spell("a") | {"later": 1}]
        report.equal(f"python: select takes {style} definitions, in the order of the answer", select(definitions, ["c", "zzz", "a"]), [spell("c"), spell("a")])
        own = find_tools_definition(style)
        report.equal(f"python: find_tools as {style} can be selected", select([own], ["find_tools"]), [own])
    found = Found("acme", ("a",), definitions=({"type": "function", "name": "a", "parameters": {}},))
    report.equal("python: what was found as Anthropic's references (X7)", tool_references(found), [{"type": "tool_reference", "tool_name": "a"}])
    report.equal(
        "python: what was found as the output of OpenAI's tool search (X8)",
        tool_search_output(found, "call_1"),
        {"type": "tool_search_output", "execution": "client", "call_id": "call_1", "status": "completed",
         "tools": [{"type": "function", "name": "a", "parameters": {}, "defer_loading": True}]},
    )
    calls = [{"name": "f", "arguments": {"q": 1}, "result": "{}"}]
    wanted = [{"role": "user", "content": "u"}, {"role": "assistant", "content": "", "toolCalls": calls}, {"role": "assistant", "content": "done"}]
    openai = [
        {"role": "system", "content": "s"}, {"role": "user", "content": [{"type": "text", "text": "u"}, {"type": "image_url", "image_url": {}}]},
        {"role": "assistant", "content": None, "tool_calls": [{"id": "1", "type": "function", "function": {"name": "f", "arguments": '{"q": 1}'}}]},
        {"role": "tool", "tool_call_id": "1", "content": "{}"}, {"role": "assistant", "content": "done"},
    ]
    report.equal("python: history from OpenAI's messages (T22)", history_from_openai(openai), wanted)
    anthropic = [
        {"role": "user", "content": "u"}, {"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "f", "input": {"q": 1}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1", "content": [{"type": "text", "text": "{}"}]}]},
        {"role": "assistant", "content": [{"type": "text", "text": "done"}]},
    ]
    report.equal("python: history from Anthropic's messages (T22)", history_from_anthropic(anthropic), wanted)
    odd = [{"role": "assistant", "tool_calls": [{"id": None, "function": {"name": "f", "arguments": "{cut"}}, {}]}, {"role": "tool"}, {}]
    report.equal("python: odd messages do no harm", history_from_openai(odd), [{"role": "assistant", "content": "", "toolCalls": [{"name": "f", "arguments": {}}]}])


def make_key(stage: dict, *scopes: str) -> str:
    arguments = [argument for scope in scopes for argument in ("--scope", scope)]
    command = [stage["handpick"], "keys", "create", "--label", "clients", *arguments, *stage["settings"]]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=120, env=os.environ | stage["env"])
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    return done.stdout.strip()


def wait_for_key(base: str, key: str) -> None:
    """A running gateway notices a new key within seconds."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        told = outcome(lambda: Handpick(base, key).read("nobody"))
        if told.get("api") == 404:
            return
        time.sleep(0.2)


def check_gateway(report: Report, base: str, admin_key: str, read_key: str) -> None:
    for flavour in (Sync, Async):
        label, agent = flavour.name, f"desk-{flavour.__name__}"
        admin, reader = (flavour(base, key, LONG) for key in (admin_key, read_key))
        report.equal(f"{label}: nobody is published yet (T49)", outcome(lambda: reader("context", agent, "hello", all_tools=ALL)), {"api": 404, "message": f"unknown agent: {agent}"})
        refused = outcome(lambda: reader("publish", agent, SCENE["catalog"]))
        report.true(f"{label}: a read key does not publish (T3)", refused.get("api") == 401 and "admin" in refused["message"], refused, "401 that names the scope")
        counts = admin("publish", agent, SCENE["catalog"])
        report.equal(f"{label}: publishes (T13)", [counts.agent_id, counts.tools, counts.traces], [agent, len(SCENE["catalog"]), 0])
        report.equal(f"{label}: edges are the sum of their sources (T13)", sum(counts.edges_by_source.values()), counts.edges)
        report.equal(f"{label}: reads the counts (T23)", reader("read", agent), counts)
        report.equal(f"{label}: reads the catalog as published (T24)", reader("catalog", agent), {"tools": SCENE["catalog"]})
        edges = reader("graph", agent)
        report.true(f"{label}: reads the graph (T25)", any((e.provider, e.consumer, e.param, e.source) == ("find_member", "list_rentals", "member_id", "DECLARED") for e in edges), [repr(e) for e in edges], "find_member before list_rentals")
        answer = reader("context", agent, "does Ada Marsh have a bike out right now?", all_tools=SCENE["catalog"], roles=["desk"])
        report.true(f"{label}: the tools of a turn (T27)", answer.fell_open is None and {"list_rentals", "find_member", "ask_user"} <= set(answer.names), repr(answer), "a selection")
        report.true(f"{label}: without the role no restricted tool (T29)", "refund_deposit" not in answer.names, answer.names, "no refund_deposit")
        chosen = select(SCENE["catalog"], answer)
        report.equal(f"{label}: select gives the caller's own definitions in that order", [tool["name"] for tool in chosen], list(answer.names))
        history = [{"role": "assistant", "content": "", "toolCalls": [{"name": "list_rentals", "arguments": {"member_id": "mem_31"}, "result": '{"rental_id": "ren_204"}'}]}]
        later = reader("context", agent, "keep it until Friday", history=history, all_tools=ALL, max_tools=3)
        report.true(f"{label}: ids of the history are resolved (T39)", later.resolved_params.get("rental_id") == "ren_204", repr(later), "rental_id ren_204")
        cashier = reader("find_tools", agent, "give the deposit back", user={"roles": ["cashier"]}, format="anthropic", exclude=["find_member"])
        report.true(f"{label}: finds for whoever has the role (T42)", "refund_deposit" in cashier.names and "find_member" not in cashier.names, repr(cashier), "refund_deposit")
        for style, key in (("openai", "function"), ("openai-responses", "parameters"), ("anthropic", "input_schema"), ("gemini", "parametersJsonSchema"), ("mcp", "inputSchema")):
            found = reader("find_tools", agent, "take a bicycle back", format=style)
            same = select(found.definitions, found) == list(found.definitions)
            report.true(f"{label}: definitions as {style} (T45)", bool(found.names) and same and key in found.definitions[0], repr(found), f"`{key}` in each")
        refused = outcome(lambda: reader("context", agent, "hello", all_tools=ALL, max_tools=51))
        report.true(f"{label}: a wrong field is named (T31, T48)", refused.get("api") == 400 and "options.maxTools" in refused["message"], refused, "400 options.maxTools")
        refused = outcome(lambda: reader("context", agent, "x" * 300_000, all_tools=ALL))
        report.equal(f"{label}: a message that is too long is refused (T50)", refused.get("api"), 413)
        refused = outcome(lambda: admin("publish", agent, [{"name": "a", "description": "x" * 9_000_000}]))
        report.equal(f"{label}: so is a catalog (T50)", refused.get("api"), 413)
        conversation = [{"role": "user", "content": "rent"}, {"role": "assistant", "toolCalls": [{"name": "check_weather", "arguments": {}}, {"name": "order_spare_part", "arguments": {"part": "tube"}}]}]
        counts = admin("traces", agent, [{"id": "1", "messages": conversation}, {"id": "2", "messages": conversation}])
        report.equal(f"{label}: takes conversations (T18)", counts.traces, 2)
        report.equal(f"{label}: a key nobody made (T3)", outcome(lambda: flavour(base, "hp_nothing", LONG)("context", agent, "hi", all_tools=ALL)).get("api"), 401)
        admin("delete", agent)
        report.equal(f"{label}: deletes (T26)", outcome(lambda: reader("read", agent)), {"api": 404, "message": f"unknown agent: {agent}"})
        report.equal(f"{label}: deletes once (T26)", outcome(lambda: admin("delete", agent)).get("api"), 404)


def example(name: str, environment: dict) -> str:
    clean = {k: v for k, v in os.environ.items() if not k.startswith("HANDPICK_")}
    environment = clean | environment | {"PYTHONPATH": str(CLIENT / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run([sys.executable, CLIENT / "examples" / name], capture_output=True, encoding="utf-8", timeout=180, env=environment)
    return done.stdout + done.stderr if done.returncode == 0 else f"exit {done.returncode}: {done.stderr}"


def check_examples(report: Report, addresses: dict, base: str, admin_key: str, read_key: str) -> None:
    for name in ("openai_loop.py", "anthropic_loop.py"):
        text = example(name, {"HANDPICK_URL": base, "HANDPICK_KEY": read_key, "HANDPICK_ADMIN_KEY": admin_key})
        wanted = ["12 tools", "of 12 tools for this turn", "Done, B17 is hers until Friday.", "The report of the day is in today.xlsx"]
        report.equal(f"python example {name}: every turn succeeds with selected tools", [w for w in wanted if w not in text], [])
        report.true(f"python example {name}: none falls open", "no selection" not in text, text, "selections")
        text = example(name, {"HANDPICK_URL": addresses["cases"]["nothing listens"]})
        report.true(f"python example {name}: without a gateway every turn succeeds with all tools (T52)", text.count("all 12 tools") == 4 and wanted[-1] in text, text, "4 open turns")


def check_types(report: Report) -> None:
    cache = Path(sys.prefix) / "mypy-cache"
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", cache, "src", "examples"]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=600, cwd=CLIENT)
    report.true("python: mypy --strict finds nothing in the client and its examples", done.returncode == 0, done.stdout + done.stderr, "no error")
    names = [line.split("import ")[0].split()[1] for path in (CLIENT / "src").rglob("*.py") for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("from ")]
    names += [line.split()[1] for path in (CLIENT / "src").rglob("*.py") for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("import ")]
    foreign = sorted({n.split(".")[0] for n in names if not n.startswith(".")} - set(sys.stdlib_module_names) - {"handpick"})
    report.equal("python: the client needs the standard library alone", foreign, [])


def main() -> None:
    stage = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    report = Report()
    faults = subprocess.Popen([sys.executable, ROOT / "wire" / "client_faults.py"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
    addresses = json.loads(faults.stdout.readline())
    admin_key, read_key = make_key(stage, "admin"), make_key(stage, "read")
    wait_for_key(stage["base"], read_key)
    wait_for_key(stage["base"], admin_key)
    checks = [
        (check_types, ()),
        (check_helpers, ()),
        (check_cases, (addresses,)),
        (check_times, (addresses,)),
        (check_requests, (addresses["good"],)),
        (check_silence, (addresses,)),
        (check_gateway, (stage["base"], admin_key, read_key)),
        (check_examples, (addresses, stage["base"], admin_key, read_key)),
    ]
    for check, arguments in checks:
        try:
            check(report, *arguments)
        except Exception as error:  # noqa: BLE001: whatever is raised is the finding
            report.fail(f"python: {check.__name__}", "".join(traceback.format_exception(error)), "no exception")
    faults.stdin.close()
    faults.wait(30)
    report.finish()


main()
