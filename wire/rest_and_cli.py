"""Do the REST interface and the command line answer as a program would use them?"""

import http.client
import json
import os
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

from report import Report


def rest(stage: dict, method: str, path: str, body: dict | None = None, key: bool = True):
    parts = urlsplit(stage["base"])
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=120)
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {stage['key']}"} if key else {})
    connection.request(method, path, json.dumps(body) if body is not None else None, headers)
    response = connection.getresponse()
    text = response.read().decode("utf-8")
    connection.close()
    try:
        return response.status, json.loads(text)
    except ValueError:
        return response.status, text


def check_rest(report: Report, stage: dict) -> None:
    status, body = rest(stage, "GET", "/v1/health", key=False)
    report.true("rest health needs no key (A70)", status == 200 and body.get("healthy") is True, [status, body], "200, healthy")
    status, body = rest(stage, "GET", "/openapi.json", key=False)
    report.true("rest describes itself", status == 200 and "/v1/tools/select" in body.get("paths", {}), status, "its own paths")
    status, body = rest(stage, "POST", "/v1/tools/select", {"tasks": ["add two numbers"], "user_id": "wire"}, key=False)
    report.equal("rest refuses a caller without a key (A41)", [status, body.get("name")], [401, "unauthorized"])
    tasks = {"tasks": ["add two numbers", "list the files in a folder"], "user_id": "wire", "top_k": 3}
    status, body = rest(stage, "POST", "/v1/tools/select", tasks)
    found = [[s["tool_name"] for s in r["suggestions"]] for r in body.get("results", [])]
    report.true("rest selects (A42, A43)", status == 200 and len(found) == 2 and all(0 < len(f) <= 3 for f in found), [status, body], "1 to 3 tools for each of 2 tasks")
    search = {"query": "tiny image", "user_id": "wire"}
    status, body = rest(stage, "POST", "/v1/tools/search", search)
    names = [r["tool_name"] for r in body.get("results", [])]
    report.true("rest searches by words (A49)", status == 200 and any("get-tiny-image" in n for n in names), [status, names], "get-tiny-image")
    run = {"tool_name": "everything.get-sum", "input": {"a": 2, "b": 3}, "user_id": "wire"}
    status, body = rest(stage, "POST", "/v1/tools/execute", run)
    report.true("rest executes (A52, A55)", status == 200 and body.get("success") is True and "5" in json.dumps(body.get("output")), [status, body], "success with the sum 5")
    status, body = rest(stage, "POST", "/v1/tools/execute", run | {"tool_name": "everything.nothing"})
    report.true("rest does not know an unknown tool (A60)", status == 404 and body.get("message", "").startswith("tool not found"), [status, body], "404, tool not found")
    status, body = rest(stage, "POST", "/v1/tools/select", {"tasks": [], "user_id": "wire"})
    report.true("rest names the bad field (E1)", status == 400 and body.get("field_errors", [{}])[0].get("field") == "tasks", [status, body], "400 with field_errors")


def command(stage: dict, *arguments: str) -> tuple[int, str, str]:
    done = subprocess.run(
        [stage["handpick"], *arguments],
        capture_output=True, encoding="utf-8", timeout=120, env=os.environ | stage["env"], stdin=subprocess.DEVNULL,
    )
    return done.returncode, done.stdout, done.stderr


def check_cli(report: Report, stage: dict) -> None:
    for arguments in (
        ["status", "--json"],
        ["select", "add two numbers", "--json"],
        ["search", "tiny image", "--json"],
        ["call", "everything.get-sum", "--input", '{"a": 2, "b": 3}', "--json"],
    ):
        title = f"cli {' '.join(arguments)}"
        code, out, err = command(stage, *arguments)
        try:
            json.loads(out)
            report.equal(f"{title} prints JSON and exits with 0", code, 0)
        except ValueError:
            report.fail(title, f"exit {code}, {out!r}, {err!r}", "JSON on standard output")


def main() -> None:
    stage = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    report = Report()
    check_rest(report, stage)
    check_cli(report, stage)
    report.finish()


main()
