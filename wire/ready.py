"""How long does it take until every upstream's tools are listed?"""

import json
import sys
import time
from pathlib import Path

from raw import MODERN, Http, RawError
from report import Report

SECONDS = 240


def main() -> None:
    stage = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    report = Report()
    headers = {"Authorization": f"Bearer {stage['key']}", "Arcade-User-ID": "wire"}
    gateway = Http(f"{stage['base']}/mcp/direct", headers, MODERN)
    missing, seen, started = set(stage["upstreams"]), {}, time.monotonic()
    while missing and time.monotonic() < started + SECONDS:
        try:
            names = [tool["name"] for tool in gateway.tools()]
        except (RawError, OSError) as error:
            report.fail("ready: the list is answered while servers still start", repr(error), "a list")
            break
        now = time.monotonic() - started
        for app in [app for app in missing if any(name.startswith(f"{app}_") for name in names)]:
            seen[app] = now
            missing.discard(app)
        time.sleep(0.05)
    times = ", ".join(f"{app} {when:.1f}" for app, when in seen.items())
    report.equal(f"ready: every upstream is listed (seconds: {times})", sorted(missing), [])
    report.finish()


main()
