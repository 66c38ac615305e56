"""How long does it take until every upstream's tools are listed?"""

import json
import sys
import time
from pathlib import Path

from raw import MODERN, Http, RawError
from report import Report

SECONDS = 60


def main() -> None:
    stage = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    report = Report()
    headers = {"Authorization": f"Bearer {stage['key']}", "Arcade-User-ID": "wire"}
    missing, started, first = set(stage["upstreams"]), time.monotonic(), None
    while missing and time.monotonic() < started + SECONDS:
        try:
            names = [tool["name"] for tool in Http(f"{stage['base']}/mcp/direct", headers, MODERN).tools()]
            missing = {app for app in stage["upstreams"] if not any(name.startswith(f"{app}_") for name in names)}
        except (RawError, OSError) as error:
            missing = {str(error)}
        first = first or time.monotonic() - started
        time.sleep(0.1)
    took = time.monotonic() - started
    title = f"ready: every upstream is listed (the first answer after {first:.1f} s, the last tool after {took:.1f} s)"
    report.equal(title, sorted(missing), [])
    report.finish()


main()
