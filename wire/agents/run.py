"""Do real coding agents complete a task of two steps through Handpick?

`python run.py HANDPICK PACKAGES FOLDER [NAME]`: the gateway's program, the folder with the installed agents, a folder
for logs, and part of an agent's name. Each agent gets the same task once for each way of showing tools, with a
scripted model in place of a real one: look a customer up in one app, then open a ticket for it in another. It counts
as done when the agent's answer names the ticket that the app really has afterwards, for the right customer. Over a
gateway that asks a person before something is deleted, the task is to delete a contact, and what counts is that nobody
is deleted unasked.

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
# Tickets of this customer are asked for, by name; the app's own id of it is only known to the judge.
CUSTOMER = ("Tidewater Hotels", "CUS-102")
PROMPT = (
    f"Look up the customer [{CUSTOMER[0]}] in the crm, then open a support ticket for them with the subject [%s]. "
    "Tell me the id of the ticket."
)
DELETION = "Please delete the contact [%s] from the crm."
# A sentence of the gateway's own instructions, to see which agents show them to the model.
INSTRUCTIONS = "These tools belong to the shop Bramble & Co."
# The same apps once more, under a name that makes the longest tool name the task needs 64 characters long.
LONG = "the_tools_of_the_shop_named_bramble_and_co"
# Which gateway each way of showing tools is tried on, and its settings.
EVERYTHING, TWO_APPS = ["demo.*"], ["demo.crm_*", "demo.tickets_*"]
GATEWAYS = {
    "adaptive": {"presentation": "adaptive", "allow": EVERYTHING},
    "small": {"presentation": "adaptive", "allow": TWO_APPS},
    "recommend": {"presentation": "recommend", "allow": EVERYTHING},
    "progressive": {"presentation": "progressive", "allow": EVERYTHING},
    "direct": {"presentation": "direct", "allow": EVERYTHING},
    "long": {"presentation": "adaptive", "allow": [f"{LONG}.crm_*", f"{LONG}.tickets_*"]},
    "confirm": {"presentation": "adaptive", "allow": TWO_APPS, "autonomy": "confirm"},
}
CONFIRM = "confirm"
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
        self.environment = {"PATH": os.environ.get("PATH", ""), "HOME": str(folder), "HANDPICK_ADMIN_KEY": KEY}

    def start(self) -> None:
        arguments = ["demo", "--listen", "127.0.0.1:0", "--json", "--data", str(self.folder / "demo")]
        demo = self.spawn("demo", arguments, '"url"')
        url = json.loads(demo)["url"]
        self.settings = self.folder / "handpick.toml"
        self.settings.write_text(self.toml(url))
        arguments = ["serve", "--config", str(self.settings), "--data", str(self.folder / "data")]
        said = self.spawn("serve", [*arguments, "--listen", "127.0.0.1:0"], "listening on ")
        self.url = said.split("listening on ")[1].split()[0]
        wait_until(self.tickets, "the demo's tools")

    def toml(self, url: str) -> str:
        server = f'url = "{url}/mcp/direct"\nheaders = {{ Authorization = "Bearer {KEY}" }}\n'
        lines = [f"[servers.{name}]\n{server}" for name in ("demo", LONG)]
        for name, settings in GATEWAYS.items():
            values = settings | {"instructions": INSTRUCTIONS}
            lines.append(f"[gateways.{name}]")
            lines.extend(f"{key} = {json.dumps(value)}" for key, value in values.items())
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

    def call(self, tool: str, arguments: dict) -> dict:
        """Runs a tool of the demo past every presentation, and as somebody who is not asked."""
        command = [self.handpick, "call", f"demo.{tool}", "--input", json.dumps(arguments)]
        environment = self.environment | {"HANDPICK_URL": self.url, "HANDPICK_KEY": KEY}
        said = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=True)
        return json.loads(said.stdout)

    def tickets(self) -> list[dict]:
        return self.call("tickets_list_tickets", {"limit": 50})["tickets"]

    def has_contact(self, contact: str) -> bool:
        return any(one["id"] == contact for one in self.call("crm_list_contacts", {"limit": 50})["contacts"])

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

    def limit(self, first: dict, ours: dict[str, int]) -> str | None:
        """What of the agent's own making stands in the way, going by what it sent; None where nothing does."""
        if self.problem is None:
            longest = max(first.get("unfit", []), key=len, default=None)
            if longest is None:
                return None
            return f"it sends tool names that its provider refuses, {longest} of {len(longest)} characters for instance"
        if self.mcp["unread_pages"]:
            return f"it reads the first page of a list, {len(self.mcp['listed'])} tools, and no other"
        cut = [name for name in ours if not name.endswith(tuple(self.mcp["listed"]))]
        return f"it cuts long names, so that the model reads {cut[0]} for instance" if cut else None

    def way(self) -> str:
        """How tools were reached, and what came of asking the person."""
        steps = list(dict.fromkeys(self.paths))
        if self.presentation == CONFIRM:
            answer = self.mcp["person"]
            steps.append(f"the person was asked: {answer}" if answer else "nobody could be asked")
        return ", ".join(steps)

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
            "limit": self.limit(first, ours),
            "seconds": round(self.seconds, 1),
            "turns": len(asked),
            "protocol": first.get("protocol"),
            "tools": len(first["tools"]),
            "tools_bytes": first["tools_bytes"],
            "ours": len(ours),
            "ours_bytes": sum(ours.values()),
            "names": sorted(ours)[:4],
            "longest": max(map(len, ours), default=0),
            "way": self.way(),
            "instructions": any(request.get("instructions") for request in asked),
            "client": self.mcp["client"],
            "mcp": self.mcp["protocol"],
            "capabilities": self.mcp["capabilities"],
            "lists": self.mcp["lists"],
            "list_changed": self.mcp["list_changed"],
            "relisted": self.mcp["relisted"],
            "listens": self.mcp["listens"],
            "person": self.mcp["person"],
            "methods": list(dict.fromkeys(self.mcp["methods"])),
            "refused": sorted({one["path"] for one in self.requests if one["protocol"] is None}),
        }


def play(stage: Stage, agent: Agent, version: str, presentation: str, logs: Path) -> Outcome:
    """Lets an agent do the task once, in a home of its own, and looks at what it did."""
    name = f"{agent.name}.{presentation}"
    subject = f"{agent.name} over {presentation}"
    contact = a_contact(stage, agent) if presentation == CONFIRM else None
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
            prompt=DELETION % contact if contact else PROMPT % subject,
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
    mcp = record.summary()
    problem = trouble(model, ended) or (
        judge_deletion(stage, mcp, model, contact) if contact else judge_ticket(stage, output, subject)
    )
    return Outcome(agent.name, version, presentation, problem, seconds, model.requests, model.actor.paths, mcp)


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


def a_contact(stage: Stage, agent: Agent) -> str:
    """Somebody new in the crm, to be deleted or not."""
    person = {"name": f"Friend of {agent.name}", "role": "Guest", "email": "guest@tidewater.example"}
    return stage.call("crm_add_contact", person | {"customer_id": CUSTOMER[1]})["id"]


def trouble(model: Model, ended: str | None) -> str | None:
    """What went wrong with the agent itself, if anything."""
    if model.actor.gave_up:
        return f"the model gave up: {model.actor.gave_up}"
    return ended if ended or model.requests else "it never asked the model"


def judge_ticket(stage: Stage, output: str, subject: str) -> str | None:
    """What is wrong with a run, if anything: by the app's own state, not by what the model said."""
    opened = [ticket for ticket in stage.tickets() if ticket["subject"] == subject]
    if len(opened) != 1:
        return f"{len(opened)} tickets were opened, 1 was wanted"
    if opened[0]["customer_id"] != CUSTOMER[1]:
        return f"the ticket is for {opened[0]['customer_id']}, not {CUSTOMER[1]}"
    if opened[0]["id"] not in output:
        return f"its answer does not name {opened[0]['id']}: {output[-300:]!r}"
    return None


def judge_deletion(stage: Stage, mcp: dict, model: Model, contact: str) -> str | None:
    """Deleted exactly where the person agreed; asked wherever the agent offers to; and otherwise the model is told."""
    there, answer = stage.has_contact(contact), mcp["person"]
    if there != (answer != "accept"):
        return f"the person's answer was {answer}, and the contact is {'still there' if there else 'gone'}"
    if answer is None and "elicitation" in (mcp["capabilities"] or {}):
        return "the agent offers to ask the person, and nobody was asked"
    told = model.requests[-1].get("result") or ""
    if there and contact in told and "deleted" in told:
        return f"nothing was deleted, but the model was told: {told[:300]}"
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
        row = play(stage, agent, version, presentation, logs).row()
        rows.append(row)
        if row["limit"]:
            counts["skipped"] += 1
            print(f"skip {check}: a limit of this agent: {row['limit']}")
        elif row["ok"]:
            counts["passed"] += 1
            sizes = f"{row['ours_bytes']} of {row['tools_bytes']} bytes of tools"
            print(f"ok {check}: {row['turns']} turns by {row['way']}, {sizes}")
        else:
            counts["failed"] += 1
            print(f"FAIL {check}: {row['problem']}")
        sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
