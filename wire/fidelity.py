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
        session.capabilities = capabilities
        session.initialize()
    else:
        session = Pipes(upstream["command"], upstream["args"], upstream["env"])
        session.capabilities = capabilities
        session.negotiate()
    return session


def direct_tools(upstream: dict, capabilities: dict) -> list[Pairs]:
    session = open_directly(upstream, capabilities)
    try:
        if capabilities and session.era == LEGACY:
            # Some servers add the tools that need a capability only after `initialized`.
            session.tools()
            time.sleep(0.3)
        return session.tools()
    finally:
        session.close()


def compare_lists(report: Report, app: str, upstream: dict, plain, listed: dict[str, list[Pairs]]) -> None:
    required = {tool["name"] for tool in plain.tools()}
    withheld = set()
    for tool in direct_tools(upstream, EVERY_CAPABILITY):
        for era, tools in listed.items():
            through = [tool for tool in tools if tool["name"].startswith(f"{app}_")]
            title = f"{era} list: {app}.{tool['name']}"
            # Names that lists cannot carry are rendered with a hash; their descriptions are unique instead.
            got = next((t for t in through if t["name"] == f"{app}_{tool['name']}"), None) or next(
                (t for t in through if t.get("description") == tool.get("description")), None
            )
            if got is not None:
                report.equal(f"{title} is unchanged", got.without("name"), tool.without("name"))
            elif tool["name"] in required:
                report.fail(title, [tool["name"] for tool in through], "the tool in the list")
            else:
                withheld.add(tool["name"])
    if withheld:
        reason = "it offers them only to clients that tell their folders (roots), which the gateway does not claim"
        report.skip(f"{app}: {', '.join(sorted(withheld))}", reason)


def calls(stage: dict) -> list[tuple[str, str, dict]]:
    docs, repository = stage["docs"], stage["repository"]
    noon = {"source_timezone": "Europe/Rome", "time": "12:00", "target_timezone": "Asia/Tokyo"}
    everything = [
        ("echo", {"message": "hi"}),
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
        ("memory", "search_nodes", {"query": "☃"}),
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


def compare_calls(report: Report, stage: dict, direct: dict, gateways: dict) -> None:
    for app, tool, arguments in calls(stage):
        if app not in direct:
            continue
        wanted = answer(direct[app], tool, arguments)
        for era, gateway in gateways.items():
            title = f"{era} call: {app}.{tool} {json.dumps(arguments, ensure_ascii=False)}"
            report.equal(f"{title} is unchanged", answer(gateway, f"{app}_{tool}", arguments), wanted)


def main() -> None:
    stage = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    report = Report()
    headers = {"Authorization": f"Bearer {stage['key']}", "Arcade-User-ID": "wire"}
    gateways = {era: Http(f"{stage['base']}/mcp/direct", headers, era) for era in (LEGACY, MODERN)}
    gateways[LEGACY].initialize()
    listed = {era: gateway.tools() for era, gateway in gateways.items()}
    upstreams = dict(stage["upstreams"])
    if "events" in upstreams:
        # The SSE transport has no raw client here; the same server over pipes stands in.
        upstreams["events"] = upstreams["everything"]
    direct = {app: open_directly(upstream, {}) for app, upstream in upstreams.items()}
    for app, upstream in upstreams.items():
        compare_lists(report, app, upstream, direct[app], listed)
    compare_calls(report, stage, direct, gateways)
    for session in direct.values():
        session.close()
    report.finish()


main()
