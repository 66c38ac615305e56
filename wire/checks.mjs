// What must hold for any TypeScript client, whichever SDK generation and transport it uses?
//
// The same list as checks.py, shorter where the other language already covers a corner.

import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";

const corners = JSON.parse(readFileSync(new URL("upstreams/corners.json", import.meta.url), "utf8"));
const SECONDS_PER_CHECK = 120;
// What is waited for comes at once, or much later on a busy machine.
const SECONDS_OF_PATIENCE = 40;

const short = (value) => {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
  return text.length <= 600 ? text : `${text.slice(0, 600)}… (${text.length} characters)`;
};

export const report = {
  passed: 0,
  failed: 0,
  skipped: 0,
  ok(name) {
    this.passed += 1;
    console.log(`ok ${name}`);
  },
  fail(name, got, wanted) {
    this.failed += 1;
    console.log(`FAIL ${name}: got ${short(got)}; wanted ${short(wanted)}`);
  },
  equal(name, got, wanted) {
    if (isDeepStrictEqual(got, wanted)) this.ok(name);
    else this.fail(name, got, wanted);
  },
  holds(name, condition, got, wanted) {
    if (condition) this.ok(name);
    else this.fail(name, got, wanted);
  },
  finish() {
    const { passed, failed, skipped } = this;
    console.log(JSON.stringify({ passed, failed, skipped }));
    process.exit(failed > 0 ? 1 : 0);
  },
};

export const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function until(done, seconds) {
  const end = Date.now() + seconds * 1000;
  while (!(await done()) && Date.now() < end) await sleep(50);
}

function within(seconds, promise) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${seconds} s`)), seconds * 1000);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

const firstText = (result) => result?.content?.find((block) => block.type === "text")?.text ?? "";

// Whether everything wanted arrived; members added by an SDK or a later revision are no loss.
function sameMembers(got, wanted) {
  if (Array.isArray(wanted)) {
    return Array.isArray(got) && got.length === wanted.length && wanted.every((item, i) => sameMembers(got[i], item));
  }
  if (wanted !== null && typeof wanted === "object") {
    return (
      got !== null && typeof got === "object" && Object.keys(wanted).every((key) => sameMembers(got[key], wanted[key]))
    );
  }
  return got === wanted;
}

function callAs(mode, name, args) {
  if (mode === "discovery") return ["execute_tool", { tool_name: name, parameters: args }];
  if (mode === "recommend") return ["Arcade_UseTool", { tool_name: name, inputs: args }];
  return [name, args];
}

// The error code of a call that fails as JSON-RPC, else its result.
const codeOf = (promise) =>
  promise.then(
    (result) => result,
    (error) => error.code ?? String(error),
  );

const checks = {
  async list({ label, mode, connection }) {
    const tools = await connection.list();
    const names = tools.map((tool) => tool.name);
    if (mode === "discovery") {
      report.equal(`${label} (P11)`, names.toSorted(), ["discover_tools", "execute_tool", "get_tool_schema"]);
    } else if (mode === "recommend") {
      report.equal(`${label} (A3)`, names.toSorted(), ["Arcade_SelectTools", "Arcade_UseTool"]);
    } else {
      report.equal(`${label} has no name twice`, new Set(names).size, names.length);
      const bad = names.filter((name) => !/^[A-Za-z0-9_-]{1,64}$/.test(name));
      report.equal(`${label} has names that every client accepts`, bad, []);
      report.holds(`${label} is whole`, names.includes("memory_read_graph"), names, "memory_read_graph among them");
    }
  },
  async basics({ label, call }) {
    const echo = await call("everything_echo", { message: "héllo ☃" });
    report.equal(`${label} calls a tool`, firstText(echo), "Echo: héllo ☃");
    const image = await call("everything_get-tiny-image", {});
    const data = image.content.find((block) => block.type === "image")?.data ?? "";
    report.holds(`${label} an image arrives`, data.length > 1000, image, "an image block");
    const weather = await call("everything_get-structured-content", { location: "New York" });
    const wanted = { temperature: 33, conditions: "Cloudy", humidity: 82 };
    report.equal(`${label} structured content arrives`, weather.structuredContent, wanted);
  },
  async mixed({ label, app, call }) {
    const got = await call(`${app}_mixed`, {});
    for (const [member, wanted] of Object.entries(corners.mixed)) {
      report.holds(`${label} ${member} is unchanged (A26)`, sameMembers(got[member], wanted), got[member], wanted);
    }
  },
  async refuse({ label, app, call }) {
    const got = await call(`${app}_refuse`, {});
    report.holds(`${label} a tool error stays the tool's`, sameMembers(got, corners.refuse), got, corners.refuse);
  },
  async progress({ label, app, call }) {
    const seen = [];
    // These clients forget their listener when the result arrives in the same read as the progress, so the tool
    // holds its result back until all was heard.
    const released = [];
    const onprogress = (update) => {
      seen.push(update);
      if (seen.length === 4) released.push(call(`${app}_release`, { token: label }));
    };
    const result = await call(`${app}_steps`, { count: 4, held: label }, { onprogress });
    await Promise.all(released);
    report.equal(`${label} the call ends`, firstText(result), "counted to 4");
    await until(() => seen.length >= 4, SECONDS_OF_PATIENCE);
    const wanted = [1, 2, 3, 4].map((progress) => ({ progress, total: 4, message: `step ${progress}` }));
    report.holds(`${label} is forwarded`, sameMembers(seen, wanted), seen, wanted);
  },
  async cancel({ label, app, call }) {
    const controller = new AbortController();
    const outcome = call(`${app}_wait`, { token: label }, {
      signal: controller.signal,
      onprogress: () => controller.abort(),
    });
    await outcome.catch(() => {});
    let seen = "";
    await until(async () => (seen = firstText(await call(`${app}_cancelled`, { token: label }))) === "true", SECONDS_OF_PATIENCE);
    report.equal(`${label} reaches the upstream`, seen, "true");
  },
  async unknown({ label, mode, app, call, connection }) {
    if (mode === "direct") {
      report.equal(`${label} tool is a JSON-RPC error (X11)`, await codeOf(call(`${app}_no_such_tool`, {})), -32602);
    } else {
      const got = await codeOf(call(`${app}_no_such_tool`, {}));
      report.holds(`${label} tool is a tool error`, got?.isError === true, got, "isError");
    }
    const method = await codeOf(connection.request("no/such/method"));
    report.equal(`${label} method is a JSON-RPC error (X11)`, method, -32601);
  },
};

// Opens one connection and runs the named checks over it.
export async function run(label, mode, connect, names, app = "corners") {
  const title = `${label} ${mode}`;
  let connection;
  try {
    connection = await within(SECONDS_PER_CHECK, connect());
  } catch (error) {
    report.fail(`${title}: connects`, String(error), "a connection");
    return;
  }
  report.ok(`${title}: connects (${connection.version})`);
  const call = (name, args, options) => connection.call(...callAs(mode, name, args), options);
  for (const name of names) {
    const check = `${title}: ${name}`;
    try {
      await within(SECONDS_PER_CHECK, checks[name]({ label: check, mode, app, call, connection }));
    } catch (error) {
      report.fail(check, String(error?.stack ?? error), "no exception");
    }
  }
  await connection.close().catch((error) => report.fail(`${title}: closes`, String(error), "no exception"));
}
