"""Does the MCP Inspector's command line work through the gateway, in both eras?"""

import json
import os
import subprocess
import sys
from pathlib import Path

from report import Report

IMAGE = "everything_get-tiny-image"


def inspect(stage: dict, *arguments: str) -> tuple[int, str, str]:
    done = subprocess.run(
        [*stage["inspector"], "--cli", *arguments], capture_output=True, encoding="utf-8", timeout=300,
        env=os.environ | {"HOME": stage["home"], "PATH": f"{stage['node_22']}:{os.environ['PATH']}"}, stdin=subprocess.DEVNULL,
    )
    return done.returncode, done.stdout, done.stderr


def check(report: Report, stage: dict, title: str, arguments: list[str], holds, wanted: str) -> None:
    code, out, err = inspect(stage, *arguments)
    try:
        body = json.loads(out)
        report.true(title, code == 0 and holds(body), body, wanted)
    except (ValueError, KeyError, TypeError) as error:
        report.fail(title, f"exit {code}: {error!r}; {out[:300]!r}; {err[:600]!r}", wanted)


def main() -> None:
    stage = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    report = Report()
    for era in ("legacy", "auto", "modern"):
        target = [
            "--server-url", f"{stage['base']}/mcp/direct", "--transport", "http", "--protocol-era", era,
            "--header", f"Authorization: Bearer {stage['key']}", "--format", "json", "--quiet",
        ]
        named = lambda body: IMAGE in [tool["name"] for tool in unwrap(body)["tools"]]  # noqa: E731
        check(report, stage, f"inspector {era}: tools/list", [*target, "--method", "tools/list"], named, f"{IMAGE} in the list")
        call = [*target, "--method", "tools/call", "--tool-name", "everything_get-sum", "--tool-args-json", '{"a": 2, "b": 3}']
        summed = lambda body: "5" in unwrap(body)["content"][0]["text"]  # noqa: E731
        check(report, stage, f"inspector {era}: tools/call", call, summed, "the sum 5")
        image = [*target, "--method", "tools/call", "--tool-name", IMAGE]
        shown = lambda body: any(block["type"] == "image" for block in unwrap(body)["content"])  # noqa: E731
        check(report, stage, f"inspector {era}: an image", image, shown, "an image block")
    report.finish()


def unwrap(body: dict) -> dict:
    """The result, whether or not this version of the Inspector puts it in an envelope."""
    return body.get("result", body)


main()
