// Does the TypeScript client keep its promises, against a good gateway, bad ones and none?
//
// What a bad gateway does, and what is wanted then, is in client_cases.json, which the other client is held to as well.

import { execFile, spawn } from "node:child_process";
import { cpSync, readFileSync, rmSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";
import { inspect, promisify } from "node:util";

import { report, sleep } from "./checks.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const stage = JSON.parse(readFileSync(process.argv[2], "utf8"));
const table = JSON.parse(readFileSync(`${root}/wire/client_cases.json`, "utf8"));
const scene = JSON.parse(readFileSync(`${root}/clients/scene.json`, "utf8"));
const TOKEN = "hp_secret-of-the-typescript-tests";
const ALL = ["b", "a", "c"];
// Short where the time is waited out. Where an answer comes, long enough for a busy machine.
const SHORT = 0.4;
const LONG = 30;
// How much later than its time-out a call may end on a busy machine; what drips takes longer than both together.
const SLACK = 2.5;
const run = promisify(execFile);

/** The package as it would be published, built from this repository beside the packages it is built with. */
async function build() {
  const folder = stage.typescript;
  rmSync(`${folder}/dist`, { recursive: true, force: true });
  rmSync(`${folder}/examples`, { recursive: true, force: true });
  for (const name of ["src", "examples", "package.json", "tsconfig.json", "tsconfig.examples.json"]) {
    cpSync(`${root}/clients/typescript/${name}`, `${folder}/${name}`, { recursive: true });
  }
  for (const project of ["tsconfig.json", "tsconfig.examples.json"]) {
    const compiler = [`${folder}/node_modules/typescript/bin/tsc`, "--project", project];
    const done = await run("node", compiler, { cwd: folder }).catch((error) => error);
    report.equal(`typescript: tsc finds nothing with ${project}`, done.stdout, "");
  }
  const { dependencies = {} } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
  report.equal("typescript: the client needs no other package", dependencies, {});
  return import(pathToFileURL(`${folder}/dist/index.js`));
}

let client;

/** What a call came to, in the words of client_cases.json. */
async function outcome(call) {
  const told = (entries) => Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined));
  try {
    const answer = await call();
    const why = answer?.fellOpen;
    if (why === undefined) return { answer: true };
    return told({ fell_open: why.reason, status: why.status, retry_after: why.retryAfter, names: answer.names });
  } catch (error) {
    if (error instanceof client.ApiError) return told({ api: error.status, message: error.message, retry_after: error.retryAfter });
    if (error instanceof client.UnansweredError) return { unanswered: error.reason };
    throw error;
  }
}

const seconds = (since) => (performance.now() - since) / 1000;

async function checkCases(addresses) {
  for (const one of table.cases) {
    const late = Object.values(one.turn).includes("timeout");
    const timeout = late ? SHORT : LONG;
    const handpick = new client.Handpick(addresses.cases[one.name], TOKEN, { timeout, publishTimeout: timeout });
    const fallen = "fell_open" in one.turn;
    const asked = [
      ["context", { ...one.turn, ...(fallen ? { names: ALL } : {}) }, () => handpick.context("shop", "hello", { allTools: ALL })],
      ["findTools", { ...one.turn, ...(fallen ? { names: [] } : {}) }, () => handpick.findTools("shop", "hello")],
      ["publish", one.publish, () => handpick.publish("shop", [])],
      ["traces", one.publish, () => handpick.traces("shop", [])],
    ];
    for (const [method, wanted, ask] of asked) {
      const name = `typescript: ${one.name}: ${method} (T52)`;
      const started = performance.now();
      const got = await outcome(ask);
      const took = seconds(started);
      report.equal(name, got, wanted);
      if (late) report.holds(`${name} ends at its time-out`, took >= SHORT * 0.9 && took <= SHORT + SLACK, took, `${SHORT} s in all`);
    }
  }
}

async function checkTimes(addresses) {
  const hangs = addresses.cases["accepts and says nothing"];
  let started = performance.now();
  const got = await new client.Handpick(hangs, TOKEN).context("shop", "hello", { allTools: ALL });
  let took = seconds(started);
  report.holds("typescript: two seconds are waited when nothing else is said (T52)", got.fellOpen !== undefined && took >= 1.9 && took <= 2 + SLACK, took, "2 s");
  started = performance.now();
  const short = new client.Handpick(hangs, TOKEN, { timeout: SHORT });
  const answers = await Promise.all(Array.from({ length: 200 }, () => short.context("shop", "hello", { allTools: ALL })));
  took = seconds(started);
  const whole = answers.every((answer) => answer.fellOpen?.reason === "timeout");
  report.holds("typescript: 200 turns at once wait no longer than one", whole && took <= SHORT + 3 * SLACK, took, `${SHORT} s`);
  for (const [name, host] of [["says nothing to TLS", hangs], ["does not speak TLS", addresses.cases["500"]]]) {
    started = performance.now();
    const deaf = new client.Handpick(host.replace("http:", "https:"), TOKEN, { timeout: SHORT });
    const open = await deaf.context("shop", "hello", { allTools: ALL });
    const fine = ["unreachable", "timeout"].includes(open.fellOpen?.reason) && seconds(started) <= SHORT + SLACK;
    report.holds(`typescript: a gateway that ${name} falls open in time (T52)`, fine && open.names.length === 3, open, "all tools");
  }
  const cancel = new AbortController();
  const why = new Error("the user left");
  setTimeout(() => cancel.abort(why), 200);
  const patient = new client.Handpick(hangs, TOKEN, { timeout: LONG });
  const thrown = await patient.context("shop", "hello", { allTools: ALL, signal: cancel.signal }).catch((error) => error);
  report.holds("typescript: a cancelled turn is cancelled, not open", thrown === why, thrown, "the reason of the signal");
  const early = await patient.findTools("shop", "hello", { signal: AbortSignal.abort(why) }).catch((error) => error);
  report.holds("typescript: so is one that was cancelled before it began", early === why, early, "the reason of the signal");
  started = performance.now();
  const lost = await new client.Handpick("http://no-such-host.invalid:8722", TOKEN, { timeout: SHORT }).context("shop", "hello", { allTools: ALL });
  const fine = ["unreachable", "timeout"].includes(lost.fellOpen?.reason) && seconds(started) <= SHORT + SLACK;
  report.holds("typescript: a host that nobody knows falls open in time (T52)", fine && lost.names.length === 3, lost, "all tools");
}

const seen = async (address) => (await fetch(`${address}/seen`)).json();

async function checkRequests(good) {
  const handpick = new client.Handpick(`${good}/below/`, TOKEN, { timeout: LONG });
  const history = [
    { role: "user", content: "hi \ud83d cut \ud83d\ude00" },
    { role: "assistant", toolCalls: [{ name: "a", arguments: {}, result: "{}" }] },
  ];
  const options = { history, roles: ["r"], user: { plan: "x" }, page: { url: "/u" }, maxTools: 0, allTools: ALL };
  const answer = await handpick.context("shop", "grüße ☃", options);
  report.equal("typescript: names come in order, unknown members are passed over (T7, T33)", answer.names, table.good.names);
  const { turnType, resolvedParams, totalMs, fellOpen } = answer;
  report.equal("typescript: the answer is read", [turnType, resolvedParams, totalMs, fellOpen], ["SOMETHING_NEW", { customer_id: "cus_8812" }, 3.5, undefined]);
  await handpick.context("shop", "hello", { allTools: [] });
  await handpick.findTools("shop", "q", { exclude: new Set(["a", "b"]), limit: 3, roles: ["r"], format: "anthropic" });
  await handpick.findTools("shop", "q");
  await handpick.publish("shop", [{ name: "a", description: "A." }]);
  await handpick.traces("shop", []);
  const requests = await seen(good);
  const paths = ["POST /below/v1/context", "POST /below/v1/context", "POST /below/v1/find-tools", "POST /below/v1/find-tools", "PUT /below/v1/agents/shop/catalog", "POST /below/v1/agents/shop/traces"];
  report.equal("typescript: methods and paths", requests.map((r) => r.head.split("\r\n")[0]), paths.map((path) => `${path} HTTP/1.1`));
  const kept = requests.every(({ head, body }) => head.split(TOKEN).length === 2 && head.toLowerCase().includes(`authorization: bearer ${TOKEN}`) && !`${body}${head.split("\r\n")[0]}`.includes(TOKEN));
  report.holds("typescript: the token is in its header and nowhere else (T2, T4)", kept, requests, "one header");
  const who = { user: { plan: "x", roles: ["r"] }, page: { url: "/u" } };
  const sentHistory = [{ role: "user", content: "hi \ufffd cut \ud83d\ude00" }, history[1]];
  const wanted = [
    { agentId: "shop", message: "grüße ☃", context: who, options: { includePrompt: false, maxTools: 0 }, history: sentHistory },
    { agentId: "shop", message: "hello", options: { includePrompt: false }, history: [] },
    { agentId: "shop", query: "q", exclude: ["a", "b"], limit: 3, format: "anthropic", context: { user: { roles: ["r"] } } },
    { agentId: "shop", query: "q", exclude: [], format: "openai" },
    { tools: [{ name: "a", description: "A." }] },
    [],
  ];
  requests.forEach((request, index) => {
    report.equal(`typescript: body of ${request.head.split(" HTTP")[0]}`, JSON.parse(request.body), wanted[index]);
  });
  const odd = [{ role: "assistant", toolCalls: [{ name: "a", arguments: { n: NaN, b: 12n, u: undefined } }] }];
  await handpick.context("shop", "hello", { history: odd, allTools: ALL });
  const given = JSON.parse((await seen(good)).at(-1).body).history[0].toolCalls[0].arguments;
  report.equal("typescript: arguments that are no JSON do not stop a turn", given, { n: null, b: "12" });
  for (const [what, ask] of [
    ["allTools", () => handpick.context("shop", "hello", { allTools: "abc" })],
    ["roles", () => handpick.context("shop", "hello", { allTools: ALL, roles: "abc" })],
    ["exclude", () => handpick.findTools("shop", "hello", { exclude: "abc" })],
  ]) {
    const refused = await ask().catch((error) => error);
    report.holds(`typescript: one string for ${what} is refused`, refused.message?.startsWith(`${what} must be several`), refused, "a TypeError");
  }
  const large = Array.from({ length: 400 }, (_, n) => ({ role: "user", content: `${n} ${"ü".repeat(900)}` }));
  large.push({ role: "assistant", toolCalls: [{ name: "a", result: "x".repeat(500_000) }] });
  await handpick.context("shop", "hello", { history: large, allTools: ALL });
  const last = (await seen(good)).at(-1);
  const sent = JSON.parse(last.body).history;
  const fits = Buffer.byteLength(last.body) <= 256 * 1024 && sent.length > 50 && sent.at(-1).toolCalls[0].result.length === 8192;
  report.holds("typescript: of a history that is too long the newest part is sent (T50)", fits && sent.at(-2).content === large.at(-2).content, sent.length, "at most 256 KB");
}

async function checkSilence(addresses) {
  const message = "SECRET of the user";
  const said = [];
  for (const name of ["500", "401", "nothing listens", "accepts and says nothing"]) {
    const handpick = new client.Handpick(addresses.cases[name], TOKEN, { timeout: SHORT, publishTimeout: SHORT });
    said.push(inspect(handpick, { showHidden: true, depth: 9 }), JSON.stringify(handpick), String(handpick));
    for (const ask of [() => handpick.context("shop", message, { allTools: ALL }), () => handpick.publish("shop", [])]) {
      said.push(inspect(await ask().catch((error) => error), { showHidden: true, depth: 9 }));
    }
  }
  const everything = said.join("\n");
  report.holds("typescript: no text of an object or error shows the token or a message (T4)", !everything.includes(TOKEN) && !everything.includes(message), everything, "neither");
  for (const given of [["ftp://x", TOKEN], ["http://u:p@x", TOKEN], ["http://x?key=1", TOKEN], ["x", TOKEN], ["http://x", "two words"], ["http://x", ""], ["http://x", "line\nbreak"], ["http://x", TOKEN, { timeout: 0 }]]) {
    let got = "";
    try {
      got = inspect(new client.Handpick(...given));
    } catch (error) {
      got = error.message;
    }
    report.holds(`typescript: refuses ${given[0]} ${given[1].length} ${JSON.stringify(given[2])}`, got.includes(" must ") && !got.includes("two words"), got, "an error that says what is right");
  }
  for (const wrong of ["", "a/b", "..", "a b", "ä", "x".repeat(129), "a\n"]) {
    const got = await new client.Handpick("http://127.0.0.1:9", TOKEN).read(wrong).catch((error) => error);
    report.holds(`typescript: an agent id such as ${JSON.stringify(wrong.slice(0, 9))} is refused before it is in a path (T5)`, got instanceof TypeError && got.message.includes("agentId must"), got.message, "a TypeError");
  }
}

function checkHelpers() {
  const { select, findToolsDefinition, historyFromAnthropic, historyFromOpenAI } = client;
  const styles = {
    openai: (name) => ({ type: "function", function: { name } }),
    "openai-responses": (name) => ({ type: "function", name }),
    anthropic: (name) => ({ name, input_schema: {} }),
    gemini: (name) => ({ name }),
    mcp: (name) => ({ name, inputSchema: {} }),
  };
  for (const [style, spell] of Object.entries(styles)) {
    const definitions = [spell("a"), spell("b"), { type: "web_search" }, spell("c"), { ...spell("a"), later: 1 }];
    report.equal(`typescript: select takes ${style} definitions, in the order of the answer`, select(definitions, ["c", "zzz", "a"]), [spell("c"), spell("a")]);
    const own = findToolsDefinition(style);
    report.equal(`typescript: find_tools as ${style} can be selected`, select([own], { names: ["find_tools"] }), [own]);
  }
  const found = { names: ["a"], definitions: [{ type: "function", name: "a", parameters: {} }] };
  report.equal("typescript: what was found as Anthropic's references (X7)", client.toolReferences(found), [{ type: "tool_reference", tool_name: "a" }]);
  report.equal("typescript: what was found as the output of OpenAI's tool search (X8)", client.toolSearchOutput(found, "call_1"), {
    type: "tool_search_output", execution: "client", call_id: "call_1", status: "completed",
    tools: [{ type: "function", name: "a", parameters: {}, defer_loading: true }],
  });
  const toolCalls = [{ name: "f", arguments: { q: 1 }, result: "{}" }];
  const wanted = [{ role: "user", content: "u" }, { role: "assistant", content: "", toolCalls }, { role: "assistant", content: "done" }];
  const chat = [
    { role: "system", content: "s" },
    { role: "user", content: [{ type: "text", text: "u" }, { type: "image_url", image_url: {} }] },
    { role: "assistant", content: null, tool_calls: [{ id: "1", type: "function", function: { name: "f", arguments: '{"q": 1}' } }] },
    { role: "tool", tool_call_id: "1", content: "{}" },
    { role: "assistant", content: "done" },
  ];
  report.equal("typescript: history from OpenAI's messages (T22)", historyFromOpenAI(chat), wanted);
  const claude = [
    { role: "user", content: "u" },
    { role: "assistant", content: [{ type: "tool_use", id: "1", name: "f", input: { q: 1 } }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "1", content: [{ type: "text", text: "{}" }] }] },
    { role: "assistant", content: [{ type: "text", text: "done" }] },
  ];
  report.equal("typescript: history from Anthropic's messages (T22)", historyFromAnthropic(claude), wanted);
  const odd = [{ role: "assistant", tool_calls: [{ id: null, function: { name: "f", arguments: "{cut" } }, {}] }, { role: "tool" }, {}];
  report.equal("typescript: odd messages do no harm", historyFromOpenAI(odd), [{ role: "assistant", content: "", toolCalls: [{ name: "f", arguments: {} }] }]);
}

async function makeKey(scope) {
  const create = ["keys", "create", "--label", "clients", "--scope", scope, ...stage.settings];
  const { stdout } = await run(stage.handpick, create, { env: { ...process.env, ...stage.env } });
  const key = stdout.trim();
  // A running gateway notices a new key within seconds.
  for (const end = Date.now() + 60_000; Date.now() < end; await sleep(200)) {
    if ((await outcome(() => new client.Handpick(stage.base, key).read("nobody"))).api === 404) break;
  }
  return key;
}

async function checkGateway(adminKey, readKey) {
  const agent = "desk-typescript";
  const options = { timeout: LONG };
  const admin = new client.Handpick(stage.base, adminKey, options);
  const reader = new client.Handpick(stage.base, readKey, options);
  const unknown = { api: 404, message: `unknown agent: ${agent}` };
  const context = (message, more = {}) => reader.context(agent, message, { allTools: ALL, ...more });
  report.equal("typescript: nobody is published yet (T49)", await outcome(() => context("hello")), unknown);
  let refused = await outcome(() => reader.publish(agent, scene.catalog));
  report.holds("typescript: a read key does not publish (T3)", refused.api === 401 && refused.message.includes("admin"), refused, "401 that names the scope");
  const counts = await admin.publish(agent, scene.catalog);
  report.equal("typescript: publishes (T13)", [counts.agentId, counts.tools, counts.traces], [agent, scene.catalog.length, 0]);
  report.equal("typescript: reads the counts (T23)", await reader.read(agent), counts);
  report.equal("typescript: reads the catalog as published (T24)", await reader.catalog(agent), { tools: scene.catalog });
  const edges = await reader.graph(agent);
  report.holds("typescript: reads the graph (T25)", edges.some((e) => e.provider === "find_member" && e.consumer === "list_rentals" && e.param === "member_id" && e.source === "DECLARED"), edges, "find_member before list_rentals");
  const answer = await context("does Ada Marsh have a bike out right now?", { allTools: scene.catalog, roles: ["desk"] });
  const all = ["list_rentals", "find_member", "ask_user"].every((name) => answer.names.includes(name));
  report.holds("typescript: the tools of a turn (T27)", answer.fellOpen === undefined && all, answer, "a selection");
  report.holds("typescript: without the role no restricted tool (T29)", !answer.names.includes("refund_deposit"), answer.names, "no refund_deposit");
  report.equal("typescript: select gives the caller's own definitions in that order", client.select(scene.catalog, answer).map((tool) => tool.name), answer.names);
  const history = [{ role: "assistant", content: "", toolCalls: [{ name: "list_rentals", arguments: { member_id: "mem_31" }, result: '{"rental_id": "ren_204"}' }] }];
  const later = await context("keep it until Friday", { history, maxTools: 3 });
  report.equal("typescript: ids of the history are resolved (T39)", later.resolvedParams.rental_id, "ren_204");
  const cashier = await reader.findTools(agent, "give the deposit back", { user: { roles: ["cashier"] }, exclude: ["find_member"] });
  report.holds("typescript: finds for whoever has the role (T42)", cashier.names.includes("refund_deposit") && !cashier.names.includes("find_member"), cashier, "refund_deposit");
  const keys = { openai: "function", "openai-responses": "parameters", anthropic: "input_schema", gemini: "parametersJsonSchema", mcp: "inputSchema" };
  for (const [format, key] of Object.entries(keys)) {
    const found = await reader.findTools(agent, "take a bicycle back", { format });
    const same = client.select(found.definitions, found).length === found.definitions.length;
    report.holds(`typescript: definitions as ${format} (T45)`, found.names.length > 0 && same && key in found.definitions[0], found, `\`${key}\` in each`);
  }
  refused = await outcome(() => context("hello", { maxTools: 51 }));
  report.holds("typescript: a wrong field is named (T31, T48)", refused.api === 400 && refused.message.includes("options.maxTools"), refused, "400 options.maxTools");
  report.equal("typescript: a message that is too long is refused (T50)", (await outcome(() => context("x".repeat(300_000)))).api, 413);
  const huge = [{ name: "a", description: "x".repeat(9_000_000) }];
  report.equal("typescript: so is a catalog (T50)", (await outcome(() => admin.publish(agent, huge))).api, 413);
  const messages = [{ role: "user", content: "rent" }, { role: "assistant", toolCalls: [{ name: "check_weather", arguments: {} }] }];
  const taught = await admin.traces(agent, [{ id: "1", messages }, { id: "2", messages }]);
  report.equal("typescript: takes conversations (T18)", taught.traces, 2);
  const nobody = new client.Handpick(stage.base, "hp_nothing", options);
  report.equal("typescript: a key nobody made (T3)", (await outcome(() => nobody.context(agent, "hi", { allTools: ALL }))).api, 401);
  report.equal("typescript: deletes (T26)", await admin.delete(agent), undefined);
  report.equal("typescript: and the agent is gone (T26)", await outcome(() => reader.read(agent)), unknown);
  report.equal("typescript: deletes once (T26)", (await outcome(() => admin.delete(agent))).api, 404);
}

async function example(name, environment) {
  const clean = Object.fromEntries(Object.entries(process.env).filter(([key]) => !key.startsWith("HANDPICK_")));
  const env = { ...clean, HANDPICK_SCENE: `${root}/clients/scene.json`, ...environment };
  const done = await run("node", [`${stage.typescript}/examples/built/${name}`], { env }).catch((error) => error);
  return done.stdout + done.stderr;
}

async function checkExamples(addresses, adminKey, readKey) {
  for (const name of ["openai-loop.js", "anthropic-loop.js"]) {
    const wanted = ["12 tools", "of 12 tools for this turn", "Done, B17 is hers until Friday.", "The report of the day is in today.xlsx"];
    let text = await example(name, { HANDPICK_URL: stage.base, HANDPICK_KEY: readKey, HANDPICK_ADMIN_KEY: adminKey });
    report.equal(`typescript example ${name}: every turn succeeds with selected tools`, wanted.filter((each) => !text.includes(each)), []);
    report.holds(`typescript example ${name}: none falls open`, !text.includes("no selection"), text, "selections");
    text = await example(name, { HANDPICK_URL: addresses.cases["nothing listens"] });
    report.holds(`typescript example ${name}: without a gateway every turn succeeds with all tools (T52)`, text.split("all 12 tools").length === 5 && text.includes(wanted[3]), text, "4 open turns");
  }
}

client = await build();
const faults = spawn(stage.python, [`${root}/wire/client_faults.py`], { stdio: ["pipe", "pipe", "inherit"] });
const [line] = await new Promise((resolve) => createInterface(faults.stdout).once("line", (...lines) => resolve(lines)));
const addresses = JSON.parse(line);
const [adminKey, readKey] = [await makeKey("admin"), await makeKey("read")];
const checks = {
  helpers: checkHelpers,
  cases: () => checkCases(addresses),
  times: () => checkTimes(addresses),
  requests: () => checkRequests(addresses.good),
  silence: () => checkSilence(addresses),
  gateway: () => checkGateway(adminKey, readKey),
  examples: () => checkExamples(addresses, adminKey, readKey),
};
for (const [name, check] of Object.entries(checks)) {
  try {
    await check();
  } catch (error) {
    report.fail(`typescript: ${name}`, inspect(error), "no exception");
  }
}
faults.stdin.end();
report.finish();
