// What does a server of the session-based era send that most servers never do?
//
// Built on the low-level server of the TypeScript SDK 1.x, which passes JSON on as it is written in corners.json.

import { readFileSync } from "node:fs";

import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const corners = JSON.parse(readFileSync(new URL("corners.json", import.meta.url), "utf8"));
const tools = [...corners.tools];
const cancelledTokens = new Set();
const held = new Map();
const text = (value) => ({ content: [{ type: "text", text: value }] });

const server = new Server(
  { name: "corners", version: "1.0.0" },
  { capabilities: { tools: { listChanged: true } }, instructions: "Corner cases for tests." },
);

// Three tools a page, so that a reader that drops cursors is seen.
server.setRequestHandler(ListToolsRequestSchema, (request) => {
  const start = Number(request.params?.cursor ?? 0);
  const end = start + 3;
  return { tools: tools.slice(start, end), ...(end < tools.length ? { nextCursor: String(end) } : {}) };
});

async function report(extra, progress, total, message) {
  const progressToken = extra._meta?.progressToken;
  if (progressToken !== undefined) {
    await extra.sendNotification({
      method: "notifications/progress",
      params: { progressToken, progress, total, message },
    });
  }
}

const handlers = {
  mixed: () => corners.mixed,
  refuse: () => corners.refuse,
  reflect: (args) => text(JSON.stringify(args)),
  cancelled: ({ token }) => text(String(cancelledTokens.has(token))),
  // With `held`, the result comes after a `release` of that token.
  async steps({ count, held: token }, extra) {
    const released = token === undefined ? undefined : new Promise((resolve) => held.set(token, resolve));
    for (let step = 1; step <= count; step += 1) await report(extra, step, count, `step ${step}`);
    await released;
    return text(`counted to ${count}`);
  },
  release({ token }) {
    held.get(token)?.();
    return text("released");
  },
  async wait({ token }, extra) {
    await report(extra, 1, 2, "waiting");
    const outcome = await new Promise((resolve) => {
      // Longer than the checks wait for it, shorter than the gateway's own time-out, which cancels too.
      const timer = setTimeout(() => resolve("nobody cancelled"), 50_000);
      extra.signal.addEventListener("abort", () => {
        clearTimeout(timer);
        cancelledTokens.add(token);
        resolve("cancelled");
      });
    });
    return text(outcome);
  },
  async grow({ name }) {
    if (!tools.some((tool) => tool.name === name)) {
      tools.push({ name, description: "Was added later.", inputSchema: { type: "object" } });
      await server.sendToolListChanged();
    }
    return text(`${tools.length} tools`);
  },
};

server.setRequestHandler(CallToolRequestSchema, (request, extra) => {
  const { name, arguments: args = {} } = request.params;
  return handlers[name]?.(args, extra) ?? text(`${name} was called`);
});

// Real servers print to standard output too; a client has to step over it.
console.log("corners is ready (this line is no message)");
await server.connect(new StdioServerTransport());
