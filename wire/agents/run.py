"""Do real coding agents complete a task of two steps through Handpick?

`python run.py HANDPICK PACKAGES FOLDER [NAME]`: the gateway's program, the folder with the installed agents, a folder
for logs, and part of an agent's name. Each agent gets the same task once for each way of showing tools, with a scripted
model in place of a real one: look a customer up in one app, then open a ticket for it in another. It counts as done when
the agent's answer names the ticket that the app really has afterwards, for the right customer.

One line a check (`ok`, `FAIL` with what came and what was wanted, `skip` with the reason); last, one line of JSON.
"""

import fcntl
import json
import os
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from agents import Agent, Run, all_agents
from model import Model
from recorder import Record, Relay

KEY = "agents-test-key-0123456789abcdef"
SECONDS_PER_RUN = 120
CUSTOMER = ("Tidewater Hotels", "CUS-102")
PROMPT = (
    f"Look up the customer [{CUSTOMER[0]}] in the crm, then open a support ticket for them with the subject [%s]. "
    "Tell me the id of the ticket."
)
# A sentence of the gateway's own instructions, to see which agents show them to the model.
INSTRUCTIONS = "These tools belong to the shop Bramble & Co."
# Which gateway each way of showing tools is tried on, and its settings.
GATEWAYS = {
    "adaptive": {"presentation": "adaptive"},
    "small": {"presentation": "adaptive", "allow": ["demo.crm_*", "demo.tickets_*"]},
    "recommend": {"presentation": "recommend"},
    "progressive": {"presentation": "progressive"},
    "direct": {"presentation": "direct"},
}
# The same gateway as a command that the agent starts.
STDIO = "stdio"


# Set in the process that runs without a network.
ALONE = "HANDPICK_AGENTS_ALONE"


def leave_the_network() -> str | None:
    """Goes on in a network of this process's own, with loopback and nothing else; says why where that cannot be."""
    if ALONE in os.environ:
        raise_loopback()
        return None
    unshare = ["unshare", "--map-root-user", "--net"]
    try:
        tried = subprocess.run([*unshare, "true"], capture_output=True, text=True)
    except FileNotFoundError:
        return "`unshare` is not installed"
    if tried.returncode:
        return tried.stderr.strip()
    os.execvpe(unshare[0], [*unshare, sys.executable, *sys.argv], os.environ | {ALONE: "1"})


def raise_loopback() -> None:
    set_flags, up_and_running = 0x8914, 0x41
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        fcntl.ioctl(probe, set_flags, struct.pack("16sh14x", b"lo", up_and_running))


# ------------------------------------------------------------------------------------------------------------ gateway


class Stage:
    """The demo's apps, and in front of them a gateway with every way of showing tools."""

    def __init__(self, handpick: str, folder: Path) -> None:
        self.handpick, self.folder = handpick, folder
        self.processes: list[subprocess.Popen] = []
        # Ways of showing tools that this program does not know, with what it said.
        self.unknown: dict[str, str] = {}
        self.gateways = dict(GATEWAYS)
        self.environment = {"PATH": os.environ.get("PATH", ""), "HOME": str(folder), "HANDPICK_ADMIN_KEY": KEY}

    def start(self) -> None:
        demo = self.spawn("demo", ["demo", "--listen", "127.0.0.1:0", "--json", "--data", str(self.folder / "demo")], '"url"')
        url = json.loads(demo)["url"]
        self.settings = self.folder / "handpick.toml"
        while True:
            self.settings.write_text(self.toml(url))
            arguments = ["serve", "--config", str(self.settings), "--data", str(self.folder / "data")]
            try:
                said = self.spawn("serve", [*arguments, "--listen", "127.0.0.1:0"], "listening on ")
                break
            except RuntimeError as refusal:
                unknown = next((name for name in self.gateways if f"not `{name}`" in str(refusal)), None)
                if unknown is None:
                    raise
                self.unknown[unknown] = f"this handpick does not know `{unknown}`"
                del self.gateways[unknown]
        self.url = said.split("listening on ")[1].split()[0]
        wait_until(self.tickets, "the demo's tools")

    def toml(self, url: str) -> str:
        lines = [f'[servers.demo]\nurl = "{url}/mcp/direct"\nheaders = {{ Authorization = "Bearer {KEY}" }}\n']
        for name, settings in self.gateways.items():
            values = settings | {"instructions": INSTRUCTIONS}
            lines.append(f"[gateways.{name}]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in values.items()))
        return "\n".join(lines)

    def spawn(self, name: str, arguments: list[str], sign: str) -> str:
        """Starts the program and returns the line that says it is ready."""
        log = self.folder / f"{name}.log"
        with open(log, "w") as errors:
            process = subprocess.Popen(
                [self.handpick, *arguments],
                env=self.environment,
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=errors,
                stderr=subprocess.STDOUT,
            )
        self.processes.append(process)
        end = time.monotonic() + 60
        while time.monotonic() < end:
            for line in log.read_text().splitlines():
                if sign in line:
                    return line
            if process.poll() is not None:
                break
            time.sleep(0.05)
        raise RuntimeError(f"handpick {arguments[0]} did not start:\n{log.read_text()[-2000:]}")

    def tickets(self) -> list[dict]:
        """Every ticket of the app, asked past the presentation."""
        command = [self.handpick, "call", "demo.tickets_list_tickets", "--input", '{"limit": 50}']
        environment = self.environment | {"HANDPICK_URL": self.url, "HANDPICK_KEY": KEY}
        said = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=True)
        return json.loads(said.stdout)["tickets"]

    def stdio(self, log: Path, gateway: str, home: Path) -> list[str]:
        """The command of a gateway over pipes, with somebody who writes down what passes."""
        recorder = Path(__file__).with_name("recorder.py")
        settings = ["--gateway", gateway, "--config", str(self.settings), "--data", str(home / "handpick-data")]
        return [sys.executable, str(recorder), str(log), self.handpick, "stdio", *settings]

    def stop(self) -> None:
        for process in reversed(self.processes):
            process.terminate()
        for process in self.processes:
            with suppress(subprocess.TimeoutExpired):
                process.wait(timeout=30)
            process.kill()


def wait_until(holds, what: str) -> None:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        with suppress(subprocess.CalledProcessError):
            if holds():
                return
        time.sleep(0.1)
    raise RuntimeError(f"a minute passed without {what}")


# --------------------------------------------------------------------------------------------------------------- runs


@dataclass
class Outcome:
    """How one agent fared with one way of showing tools."""

    agent: str
    version: str
    presentation: str
    problem: str | None
    seconds: float
    requests: list[dict]
    paths: list[str]
    mcp: dict

    def row(self) -> dict:
        asked = [request for request in self.requests if request.get("tools")]
        first = asked[0] if asked else {"tools": [], "sizes": {}, "tools_bytes": 0}
        ours = {name: size for name, size in first["sizes"].items() if "handpick" in name}
        return {
            "agent": self.agent,
            "version": self.version,
            "presentation": self.presentation,
            "ok": self.problem is None,
            "problem": self.problem,
            "seconds": round(self.seconds, 1),
            "turns": len(asked),
            "protocol": first.get("protocol"),
            "tools": len(first["tools"]),
            "tools_bytes": first["tools_bytes"],
            "ours": len(ours),
            "ours_bytes": sum(ours.values()),
            "names": sorted(ours)[:4],
            "longest": max(map(len, ours), default=0),
            "paths": self.paths,
            "instructions": any(request.get("instructions") for request in asked),
            "client": self.mcp["client"],
            "mcp": self.mcp["protocol"],
            "capabilities": self.mcp["capabilities"],
            "lists": self.mcp["lists"],
            "unread_pages": self.mcp["unread_pages"],
            "list_changed": self.mcp["list_changed"],
            "relisted": self.mcp["relisted"],
            "listens": self.mcp["listens"],
            "methods": list(dict.fromkeys(self.mcp["methods"])),
            "refused": sorted({f"{one.get('method')} {one['path']}" for one in self.requests if one["protocol"] is None}),
        }


def play(stage: Stage, agent: Agent, version: str, presentation: str, logs: Path) -> Outcome:
    """Lets an agent do the task once, in a home of its own, and looks at what it did."""
    name = f"{agent.name}.{presentation}"
    subject = f"{agent.name} over {presentation}"
    model, relay = Model(raw_log=str(logs / f"{name}.model.jsonl"), marker=INSTRUCTIONS), Relay(stage.url)
    for server in (model, relay):
        threading.Thread(target=server.serve_forever, daemon=True).start()
    pipe_log = logs / f"{name}.pipe.jsonl"
    with tempfile.TemporaryDirectory(prefix="handpick-agent-", ignore_cleanup_errors=True) as home:
        work = Path(home) / "work"
        work.mkdir()
        overpipe = presentation == STDIO
        run = Run(
            home=Path(home),
            work=work,
            model=model.url,
            url=None if overpipe else f"{relay.url}/mcp/{presentation}",
            stdio=stage.stdio(pipe_log, "adaptive", Path(home)),
            key=KEY,
            prompt=PROMPT % subject,
        )
        arguments, environment = agent.prepare(run)
        started = time.monotonic()
        ended, output = execute([*agent.program, *arguments], environment, work, logs / name)
        seconds = time.monotonic() - started
    for server in (model, relay):
        server.shutdown()
        server.server_close()
    record: Record = relay.record
    if overpipe:
        record.read_log(str(pipe_log))
    with open(logs / f"{name}.mcp.jsonl", "w", encoding="utf-8") as log:
        log.writelines(json.dumps(message, ensure_ascii=False) + "\n" for message in record.messages)
    problem = judge(stage, model, ended, output, subject)
    paths = model.actor.paths
    return Outcome(agent.name, version, presentation, problem, seconds, model.requests, paths, record.summary())


def execute(command: list[str], environment: dict[str, str], work: Path, log: Path) -> tuple[str | None, str]:
    """Runs an agent to its end; says how it ended where that was not well, and what it printed."""
    with open(f"{log}.stdout.txt", "w+") as output, open(f"{log}.stderr.txt", "w") as errors:
        process = subprocess.Popen(
            command,
            env=environment,
            cwd=work,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=errors,
            start_new_session=True,
        )
        try:
            code = process.wait(timeout=SECONDS_PER_RUN)
            ended = None if code == 0 else f"it ended with {code}"
        except subprocess.TimeoutExpired:
            ended = f"no end within {SECONDS_PER_RUN} s"
        # Whatever the agent started and left behind goes with it.
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        output.seek(0)
        return ended, output.read()


def judge(stage: Stage, model: Model, ended: str | None, output: str, subject: str) -> str | None:
    """What is wrong with a run, if anything: judged by the app's own state, not by what the model said."""
    if model.actor.gave_up:
        return f"the model gave up: {model.actor.gave_up}"
    if ended:
        return ended
    if not model.requests:
        return "it never asked the model"
    opened = [ticket for ticket in stage.tickets() if ticket["subject"] == subject]
    if len(opened) != 1:
        return f"{len(opened)} tickets were opened, 1 was wanted"
    if opened[0]["customer_id"] != CUSTOMER[1]:
        return f"the ticket is for {opened[0]['customer_id']}, not {CUSTOMER[1]}"
    if opened[0]["id"] not in output:
        return f"its answer does not name {opened[0]['id']}: {output[-300:]!r}"
    return None


def version_of(agent: Agent) -> tuple[str | None, str]:
    """The version an agent tells, or why it does not run here."""
    with tempfile.TemporaryDirectory(prefix="handpick-agent-") as home:
        environment = Run(Path(home), Path(home), "", None, [], KEY, "").environment()
        try:
            said = subprocess.run(
                [*agent.program, "--version"], env=environment, cwd=home, capture_output=True, text=True, timeout=60
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            return None, str(error)
    words = said.stdout.split()
    if said.returncode or not words:
        return None, f"`--version` ended with {said.returncode}: {(said.stderr or said.stdout)[-300:].strip()}"
    return words[-1], ""


def main(handpick: str, packages: str, folder: str, name: str = "") -> int:
    logs = Path(folder) / "logs"
    logs.mkdir(parents=True, exist_ok=True)
    for old in logs.iterdir():
        old.unlink()
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    if reason := leave_the_network():
        counts["skipped"] += 1
        print(f"skip no network: agents could reach one during these runs: {reason}", flush=True)
    rows: list[dict] = []
    with tempfile.TemporaryDirectory(prefix="handpick-agents-", ignore_cleanup_errors=True) as place:
        stage = Stage(handpick, Path(place))
        try:
            stage.start()
            for agent in all_agents(Path(packages)):
                if name in agent.name:
                    try_all(stage, agent, logs, counts, rows)
        finally:
            stage.stop()
            for log in Path(place).glob("*.log"):
                (logs / log.name).write_text(log.read_text())
    (Path(folder) / "rows.json").write_text(json.dumps(rows, indent=1))
    print(json.dumps(counts), flush=True)
    return 1 if counts["failed"] else 0


def try_all(stage: Stage, agent: Agent, logs: Path, counts: dict[str, int], rows: list[dict]) -> None:
    version, reason = version_of(agent)
    if version is None:
        counts["skipped"] += 1
        print(f"skip {agent.name}: it does not run here: {reason}", flush=True)
        return
    for presentation in [*GATEWAYS, STDIO]:
        check = f"{agent.name} {version} over {presentation}"
        if presentation in stage.unknown:
            counts["skipped"] += 1
            print(f"skip {check}: {stage.unknown[presentation]}", flush=True)
            continue
        row = play(stage, agent, version, presentation, logs).row()
        rows.append(row)
        if not row["ok"] and row["unread_pages"]:
            counts["skipped"] += 1
            print(f"skip {check}: this agent reads the first page of a list and no other: {row['problem']}")
        elif row["ok"]:
            counts["passed"] += 1
            way = ", ".join(dict.fromkeys(row["paths"]))
            print(f"ok {check}: {row['turns']} turns by {way}, {row['ours_bytes']} of {row['tools_bytes']} bytes of tools")
        else:
            counts["failed"] += 1
            print(f"FAIL {check}: {row['problem']}")
        sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
