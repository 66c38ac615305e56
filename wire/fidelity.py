"""Does the gateway hand on what real servers say without losing or re-spelling any of it?

Every upstream is asked twice, directly and through the gateway in both eras; only the tool's name may differ.
"""

import json
import sys
import time
from pathlib import Path

from raw import EVERY_CAPABILITY, LEGACY, MODERN, Http, Pairs, Pipes, RawError
from report import Report


def open_directly(upstream: dict, capabilities: dict):
    if "url" in upstream:
        session = Http(upstream["url"], {}, LEGACY)
    else:
        session = Pipes(upstream["command"], upstream["args"], upstream["env"])
    session.initialize(capabilities)
    return session


def direct_tools(upstream: dict, capabilities: dict) -> list[Pairs]:
    session = open_directly(upstream, capabilities)
    try:
        session.tools()
        # Some servers add the tools that need a capability only after `initialized`.
        time.sleep(0.3 if capabilities else 0)
        return session.tools()
    finally:
        session.close()


def compare_lists(report: Report, era: str, app: str, upstream: dict, listed: list[Pairs]) -> None:
    through = [tool for tool in listed if tool["name"].startswith(f"{app}_")]
    by_name = {tool["name"]: tool for tool in through}
    by_description = {tool.get("description"): tool for tool in through}
    required = {tool["name"] for tool in direct_tools(upstream, {})}
    for tool in direct_tools(upstream, EVERY_CAPABILITY):
        title = f"{era} list: {app}.{tool['name']}"
        got = by_name.get(f"{app}_{tool['name']}") or by_description.get(tool.get("description"))
        if got is not None:
            report.equal(f"{title} is unchanged", got.without("name"), tool.without("name"))
        elif tool["name"] in required:
            report.fail(title, sorted(by_name), "the tool in the list")
        else:
            report.skip(title, "the server offers it only to clients with more capabilities")


def calls(stage: dict) -> list[tuple[str, str, dict]]:
    docs, repository = stage["docs"], stage["repository"]
    noon = {"source_timezone": "Europe/Rome", "time": "12:00", "target_timezone": "Asia/Tokyo"}
    everything = [
        ("echo", {"message": "hi"}),
        ("echo", {"message": 7}),
        ("get-sum", {"a": 0.1, "b": 0.2}),
        ("get-annotated-message", {"messageType": "error", "includeImage": True}),
        ("get-resource-links", {"count": 3}),
        ("get-structured-content", {"location": "Los Angeles"}),
        ("get-tiny-image", {}),
    ]
    return [
        *[(app, *call) for app in ("everything", "web", "events") for call in everything],
        ("corners", "mixed", {}),
        ("corners", "refuse", {}),
        ("modern", "mixed", {}),
        ("modern", "refuse", {}),
        ("files", "read_text_file", {"path": f"{docs}/naïve ☃.txt"}),
        ("files", "read_media_file", {"path": f"{docs}/dot.png"}),
        ("files", "list_directory_with_sizes", {"path": docs}),
        ("files", "directory_tree", {"path": docs}),
        ("files", "read_text_file", {"path": "/etc/hostname"}),
        ("memory", "create_entities", {"entities": [{"name": "Ada", "entityType": "person", "observations": ["☃"]}]}),
        ("memory", "read_graph", {}),
        ("time", "convert_time", noon),
        ("time", "convert_time", noon | {"time": "never"}),
        ("git", "git_log", {"repo_path": repository}),
        ("git", "git_status", {"repo_path": repository}),
        ("git", "git_status", {"repo_path": "/nowhere"}),
    ]


def essence(result: Pairs) -> Pairs:
    """The result without what the stateless era adds to every result, on either side."""
    meta = Pairs(m for m in result.get("_meta") or [] if not m[0].startswith("io.modelcontextprotocol/"))
    return Pairs([*result.without("resultType", "_meta"), *([("_meta", meta)] if meta else [])])


def answer(session, name: str, arguments: dict):
    try:
        return essence(session.call(name, arguments))
    except RawError as error:
        return str(error)


def compare_calls(report: Report, stage: dict, gateways: dict) -> None:
    direct = {name: open_directly(u, {}) for name, u in stage["upstreams"].items() if u.get("transport") != "sse"}
    for app, tool, arguments in calls(stage):
        if app not in stage["upstreams"]:
            continue
        wanted = answer(direct.get(app, direct.get("everything")), tool, arguments)
        for era, gateway in gateways.items():
            title = f"{era} call: {app}.{tool} {json.dumps(arguments, ensure_ascii=False)}"
            report.equal(f"{title} is unchanged", answer(gateway, f"{app}_{tool}", arguments), wanted)
    for session in direct.values():
        session.close()


def main() -> None:
    stage = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    report = Report()
    headers = {"Authorization": f"Bearer {stage['key']}", "Arcade-User-ID": "wire"}
    gateways = {era: Http(f"{stage['base']}/mcp/direct", headers, era) for era in (LEGACY, MODERN)}
    gateways[LEGACY].initialize({})
    for era, gateway in gateways.items():
        listed = gateway.tools()
        for app, upstream in stage["upstreams"].items():
            # The SSE transport has no raw client here; the same server's list over pipes stands in.
            source = stage["upstreams"]["everything"] if upstream.get("transport") == "sse" else upstream
            compare_lists(report, era, app, source, listed)
    compare_calls(report, stage, gateways)
    report.finish()


main()
