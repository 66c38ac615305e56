"""What does the scripted model do next?

It knows the task and how each presentation of tools is meant to be used. It does not know where the tools are, what
they are called in this agent, or what they will answer: names are looked up in the list that came with the request,
and every id is taken out of a result.
"""

import json
import re
from collections.abc import Generator
from dataclasses import dataclass, field

# The customer and the ticket's subject, as the user's message names them. Brackets, for some agents escape quotes.
TICKET = re.compile(r"customer \[(?P<customer>[^]]+)].*?subject \[(?P<subject>[^]]+)]", re.DOTALL)

DELETION = re.compile(r"delete the contact \[(?P<contact>[^]]+)]")

# What a tool that this task may need is called, behind any prefix.
LEAVES = (
    *("list_customers", "create_ticket", "delete_contact"),
    *("discover_tools", "get_tool_schema", "execute_tool"),
    *("SelectTools", "UseTool"),
    *("arc_search_tools", "arc_describe_tool", "arc_call_tool"),
)
# How agents begin the names of a server's tools. Texts also say names as the server has them; those cannot be called.
PREFIXED = re.compile("mcp_+handpick_|handpick_")


@dataclass
class Tool:
    """A tool as the agent offers it to the model."""

    name: str
    # Members that every argument object must have.
    required: list[str]
    # The group that some agents put around the tools of one server.
    namespace: str = ""
    # Size of the definition, as compact JSON.
    size: int = 0

    # The agent's own tool through which this one is called, where the agent does not list it.
    bridge: "Tool | None" = None

    @property
    def full(self) -> str:
        return f"{self.namespace}.{self.name}" if self.namespace else self.name


@dataclass
class Talk:
    """One request to the model, whatever protocol it came by."""

    user: str = ""
    # What else the model is told: the system prompt.
    system: str = ""
    tools: list[Tool] = field(default_factory=list)
    # Size of the list of tools as it came, as compact JSON.
    tools_size: int = 0
    # Texts of the tool results so far, in order.
    results: list[str] = field(default_factory=list)

    def ending(self, *leaves: str) -> Tool | None:
        """The offered tool whose name is one of these behind the agent's prefix, if there is one."""
        for leaf in leaves:
            for tool in self.tools:
                if re.search(rf"(^|[^A-Za-z0-9]){re.escape(leaf)}$", tool.full):
                    return tool
        return None

    def mentioned(self) -> list[str]:
        """Names of tools of this kind that the agent tells of without listing their definitions."""
        listed = {tool.full for tool in self.tools}
        names = re.findall(rf"\b\w*(?:{'|'.join(LEAVES)})\b", self.system + self.user)
        return [name for name in dict.fromkeys(names) if PREFIXED.match(name) and name not in listed]


@dataclass
class Call:
    """The model calls a tool."""

    tool: Tool
    arguments: dict


@dataclass
class Say:
    """The model answers in words, and the turn is over."""

    text: str


class GaveUp(Exception):
    """The model cannot go on; the message says why."""


Steps = Generator[Call, tuple[Talk, str], tuple[Talk, str]]


class Actor:
    """Plays the model in one conversation, and remembers how it went."""

    def __init__(self) -> None:
        self._plan: Generator[Call, tuple[Talk, str], str] | None = None
        self._moves: list[Call | Say] = []
        self._bridged: list[Tool] = []
        # How each tool was reached: `direct`, `promoted`, `arc_call_tool`, `execute_tool`, `UseTool`; before that
        # `tool_search` where the agent had held the definitions back.
        self.paths: list[str] = []
        self.gave_up: str | None = None

    def move(self, talk: Talk) -> Call | Say:
        """The next step. A request that is sent again, with the same results, gets the same step again."""
        if not talk.tools or not (TICKET.search(talk.user) or DELETION.search(talk.user)):
            # Agents also ask for titles and the like.
            return Say("A ticket for a customer")
        talk.tools.extend(self._bridged)
        calls = [move for move in self._moves if isinstance(move, Call)]
        if self._moves and len(talk.results) < len(calls):
            return self._moves[len(talk.results)]
        if self._moves and isinstance(self._moves[-1], Say):
            return self._moves[-1]
        try:
            if self._plan is None:
                self._plan = self._ticket(talk) if TICKET.search(talk.user) else self._deletion(talk)
                move = next(self._plan)
            else:
                move = self._plan.send((talk, talk.results[-1]))
        except StopIteration as over:
            move = Say(over.value)
        except GaveUp as reason:
            self.gave_up = str(reason)
            move = Say(f"I cannot go on: {reason}")
        self._moves.append(move)
        return move

    def _deletion(self, talk: Talk) -> Generator[Call, tuple[Talk, str], str]:
        contact = DELETION.search(talk.user)["contact"]
        talk = yield from self._load(talk)
        talk, result = yield from self._run(
            talk, "delete_contact", "delete a contact from the crm", {"contact_id": contact}
        )
        return f"The crm answered: {result}"

    def _ticket(self, talk: Talk) -> Generator[Call, tuple[Talk, str], str]:
        wanted = TICKET.search(talk.user)
        talk = yield from self._load(talk)
        customer, subject = wanted["customer"], wanted["subject"]
        talk, result = yield from self._run(
            talk, "list_customers", f"find the customer {customer} in the crm", {"query": customer}
        )
        customer_id = identifier(result, "CUS-", "the customer")
        talk, result = yield from self._run(
            talk,
            "create_ticket",
            "open a support ticket for a customer",
            {"customer_id": customer_id, "subject": subject, "text": f"{customer}: {subject}"},
        )
        return f"Done. The ticket for {customer} is {identifier(result, 'TIC-', 'the new ticket')}."

    def _load(self, talk: Talk) -> Generator[Call, tuple[Talk, str], Talk]:
        """Some agents hold definitions back, and give the model a search of their own over them."""
        held_back, search = talk.mentioned(), talk.ending("tool_search")
        if not held_back or search is None:
            return talk
        self.paths.append("tool_search")
        talk, result = yield Call(search, {"query": "select:" + ",".join(held_back), "max_results": 20})
        bridge = talk.ending("tool_call")
        for name in held_back:
            if bridge and not any(tool.full == name for tool in talk.tools):
                self._bridged.append(Tool(name, required_members_of(result, name), bridge=bridge))
        talk.tools.extend(self._bridged)
        return talk

    def _run(self, talk: Talk, leaf: str, task: str, arguments: dict) -> Steps:
        """Runs the tool `APP_leaf` by whichever way this list of tools offers."""
        if tool := talk.ending(leaf):
            check(tool.full, tool.required, arguments)
            self.paths.append("direct")
            return (yield Call(tool, arguments))
        if search := talk.ending("arc_search_tools"):
            return (yield from self._progressive(talk, search, leaf, task, arguments))
        if select := talk.ending("SelectTools"):
            return (yield from self._recommend(talk, select, leaf, task, arguments))
        if discover := talk.ending("discover_tools"):
            return (yield from self._discovery(talk, discover, leaf, task, arguments))
        raise missing(talk, leaf)

    def _discovery(self, talk: Talk, discover: Tool, leaf: str, task: str, arguments: dict) -> Steps:
        talk, result = yield Call(discover, {"query": task})
        name = named(result, leaf, "name")
        talk, result = yield Call(required(talk, "get_tool_schema"), {"tool_name": name})
        check(name, required_members(result), arguments)
        self.paths.append("execute_tool")
        return (yield Call(required(talk, "execute_tool"), {"tool_name": name, "parameters": arguments}))

    def _recommend(self, talk: Talk, select: Tool, leaf: str, task: str, arguments: dict) -> Steps:
        talk, result = yield Call(select, {"tasks": [task]})
        name = named(result, leaf, "tool_name")
        query_id = first(result, "query_id")
        self.paths.append("UseTool")
        use = {"tool_name": name, "inputs": arguments, "query_id": query_id}
        return (yield Call(required(talk, "UseTool"), use))

    def _progressive(self, talk: Talk, search: Tool, leaf: str, task: str, arguments: dict) -> Steps:
        talk, result = yield Call(search, {"query": task, "limit": 5})
        promoted = first(result, "promoted")
        if isinstance(promoted, dict):
            promoted = promoted.get("name")
        if isinstance(promoted, str) and promoted.endswith(leaf):
            name = promoted
        else:
            name = named(result, leaf, "name")
            talk, result = yield Call(required(talk, "arc_describe_tool"), {"name": name})
        check(name, required_members(result), arguments)
        # Both a clear winner and a described tool join the list, but not every agent asks for it again, or in time.
        if tool := talk.ending(name):
            self.paths.append("promoted")
            return (yield Call(tool, arguments))
        self.paths.append("arc_call_tool")
        return (yield Call(required(talk, "arc_call_tool"), {"name": name, "arguments": arguments}))


def documents(text: str) -> list:
    """Every JSON object and array in a text, also those written as a string inside another; outermost first."""
    decoder, found, start = json.JSONDecoder(), [], 0
    while match := re.compile(r"[{\[]").search(text, start):
        try:
            value, start = decoder.raw_decode(text, match.start())
        except ValueError:
            start = match.start() + 1
            continue
        found.append(value)
        for inner in strings(value):
            if "{" in inner:
                found.extend(documents(inner))
    return found


def strings(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return [text for item in inner for text in strings(item)]


def members(text: str, key: str) -> list:
    """Every value that stands under `key` in the JSON of a result, in order."""
    found = []

    def walk(value: object) -> None:
        if isinstance(value, dict):
            for name, inner in value.items():
                if name == key:
                    found.append(inner)
                walk(inner)
        elif isinstance(value, list):
            for inner in value:
                walk(inner)

    for document in documents(text):
        walk(document)
    return found


def first(text: str, key: str) -> object:
    return next(iter(members(text, key)), None)


def named(text: str, leaf: str, key: str) -> str:
    """The first name in a result that ends with what is wanted."""
    names = [name for name in members(text, key) if isinstance(name, str)]
    for name in names:
        if name.endswith(leaf):
            return name
    raise GaveUp(f"no {leaf} among what was found: {names or text[:300]}")


def identifier(text: str, prefix: str, what: str) -> str:
    for value in members(text, "id"):
        if isinstance(value, str) and value.startswith(prefix):
            return value
    raise GaveUp(f"no id of {what} in: {text[:300]}")


def required_members_of(text: str, name: str) -> list[str]:
    """What must be there in calls of one of the tools that an agent's own search found."""
    for document in documents(text):
        if isinstance(document, dict) and document.get("name") == name:
            return required_members(json.dumps(document))
    raise GaveUp(f"no definition of {name} in: {text[:300]}")


def required_members(text: str) -> list[str]:
    """What the input schema inside a result says must be there."""
    for key in ("input_schema", "inputSchema", "parametersJsonSchema"):
        schema = first(text, key)
        if isinstance(schema, dict):
            return schema.get("required", [])
    raise GaveUp(f"no input schema in: {text[:300]}")


def check(name: str, needed: list[str], arguments: dict) -> None:
    lacking = [member for member in needed if member not in arguments]
    if lacking:
        raise GaveUp(f"{name} wants {lacking}, which this model does not know")


def required(talk: Talk, leaf: str) -> Tool:
    tool = talk.ending(leaf)
    if tool is None:
        raise missing(talk, leaf)
    return tool


def missing(talk: Talk, leaf: str) -> GaveUp:
    return GaveUp(f"no tool ends with {leaf}; offered: {', '.join(tool.full for tool in talk.tools)}")
