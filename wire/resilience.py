"""Does one broken server leave the others alone, and does a server that dies come back?

Starts a gateway of its own, with servers that do not exist, end at once, stay silent or print nonsense.
"""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path

from raw import MODERN, Http, RawError
from report import Report

# What is waited for comes at once, or much later on a busy machine.
SECONDS = 120

SETTINGS = """
[gateways.default]
presentation = "direct"

[servers.corners]
command = "{command}"
args = {args}

[servers.missing]
command = "/nowhere/no-such-program"

[servers.ends]
command = "false"

[servers.silent]
command = "sleep"
args = ["6000"]
start_timeout_seconds = 3000

[servers.noise]
command = "yes"
args = ["this is no message"]

[servers.refuses]
url = "http://127.0.0.1:9/mcp"
"""


@contextmanager
def gateway(stage: dict, folder: Path):
    """A running gateway and a raw client of it."""
    arguments = ["serve", "--listen", "127.0.0.1:0", "--config", "handpick.toml", "--data", "data"]
    process = subprocess.Popen(
        [stage["handpick"], *arguments], cwd=folder, env=os.environ | stage["env"], encoding="utf-8",
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )
    try:
        base = ""
        for line in process.stdout:
            if "listening on " in line:
                base = line.split("listening on ")[1].split()[0]
                break
        # Whatever else it prints must not fill the pipe.
        threading.Thread(target=process.stdout.read, daemon=True).start()
        yield Http(f"{base}/mcp/default", {"Authorization": f"Bearer {stage['key']}"}, MODERN)
        process.send_signal(signal.SIGTERM)
        process.wait(60)
    finally:
        process.kill()
        process.wait()


def wait_for(seconds: float, holds) -> float | None:
    """Seconds until it held; None when it did not in time."""
    started = time.monotonic()
    while time.monotonic() < started + seconds:
        if holds():
            return time.monotonic() - started
        time.sleep(0.05)
    return None


def names(client: Http) -> list[str]:
    return [tool["name"] for tool in client.tools()]


def works(client: Http) -> bool:
    try:
        result = client.call("corners_reflect", {"app": "corners"})
        return result.get("isError") is not True and result["content"][0]["text"] == '{"app":"corners"}'
    except RawError:
        return False


def state(client: Http, app: str) -> str:
    """How the gateway says a server is doing."""
    client.connection.request("GET", "/v1/status", headers={"Authorization": client.headers["Authorization"]})
    body = json.loads(client.connection.getresponse().read())
    client.connection.close()
    return next(server["state"] for server in body["servers"] if server["name"] == app)


def processes(marker: str) -> list[int]:
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and marker in (entry / "cmdline").read_text(errors="replace"):
                found.append(int(entry.name))
        except OSError:
            continue
    return found


def check_first_start(report: Report, client: Http, marker: str) -> None:
    listed = wait_for(SECONDS, lambda: "corners_reflect" in names(client))
    report.true("a good server is listed beside five broken ones", listed is not None, listed, f"within {SECONDS} s")
    report.equal("a good server works beside five broken ones", works(client), True)
    report.equal("a call does not wait for the silent one", state(client, "silent"), "starting")
    for app in ("missing", "ends", "silent", "noise", "refuses"):
        try:
            answer = json.dumps(client.call(f"{app}_anything", {}))
            refused = '"isError", true' in answer
        except RawError as error:
            answer, refused = str(error), True
        report.true(f"a tool of `{app}` is refused", refused, answer, "an error")
    killed = processes(marker)
    for process in killed:
        os.kill(process, signal.SIGKILL)
    recovered = wait_for(SECONDS, lambda: works(client))
    report.true(f"a server that is killed comes back (after {recovered} s)", bool(killed) and recovered is not None, [killed, recovered], f"an answer within {SECONDS} s")
    report.true("it is another process", bool(processes(marker)) and processes(marker) != killed, processes(marker), "a new one")


def main() -> None:
    stage = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    report = Report()
    corners = stage["upstreams"].get("corners") or stage["upstreams"]["modern"]
    folder = Path(stage["docs"]).parent / "resilience"
    folder.mkdir(exist_ok=True)
    marker = f"{folder}/marker"
    args = json.dumps([corners["args"][0], marker], ensure_ascii=False)
    settings = SETTINGS.format(command=corners["command"], args=args)
    (folder / "handpick.toml").write_text(settings, encoding="utf-8")
    with gateway(stage, folder) as client:
        check_first_start(report, client, marker)
    report.equal("no child outlives the gateway", wait_for(SECONDS, lambda: not processes(marker)) is not None, True)
    with gateway(stage, folder) as client:
        report.true("the next start lists from the cache at once", "corners_reflect" in names(client), names(client), "the cached tools in the first list")
        report.equal("and a cached tool runs", works(client), True)
    report.finish()


main()
