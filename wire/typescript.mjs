// Do both generations of the TypeScript SDK work through the gateway?

import { readFileSync } from "node:fs";

import { Client as ModernClient, StreamableHTTPClientTransport as ModernHttp } from "@modelcontextprotocol/client";
import { StdioClientTransport as ModernStdio } from "@modelcontextprotocol/client/stdio";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as LegacyStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as LegacyHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { EmptyResultSchema } from "@modelcontextprotocol/sdk/types.js";

import { report, run } from "./checks.mjs";

const stage = JSON.parse(readFileSync(process.argv[2], "utf8"));
const identity = { name: "wire", version: "1.0.0" };
const headers = { Authorization: `Bearer ${stage.key}`, "Arcade-User-ID": "wire" };
const endpoint = (gateway) => new URL(`${stage.base}/mcp/${gateway}`);
const command = (gateway) => {
  const [program, ...args] = stage.stdio;
  return { command: program, args: [...args, "--gateway", gateway], env: { ...process.env, ...stage.env } };
};
const anything = { "~standard": { version: 1, vendor: "wire", validate: (value) => ({ value }) } };

async function legacy(transport) {
  const client = new LegacyClient(identity);
  await client.connect(transport);
  return {
    version: transport.protocolVersion ?? "over pipes",
    async list() {
      const tools = [];
      let cursor;
      do {
        const page = await client.listTools(cursor === undefined ? {} : { cursor });
        tools.push(...page.tools);
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      return tools;
    },
    call: (name, args, options) => client.callTool({ name, arguments: args }, undefined, options),
    request: (method) => client.request({ method }, EmptyResultSchema),
    close: () => client.close(),
  };
}

async function modern(transport, mode) {
  const client = new ModernClient(identity, { versionNegotiation: { mode } });
  await client.connect(transport);
  return {
    version: client.getNegotiatedProtocolVersion?.() ?? "2.x",
    list: async () => (await client.listTools()).tools,
    call: (name, args, options) => client.callTool({ name, arguments: args }, options),
    async request(method) {
      try {
        return await client.request({ method }, anything);
      } catch (error) {
        // Over HTTP this era answers an unknown method with 404 and -32601; this client shows the status alone.
        throw Object.assign(error, error.data?.status === 404 || error.status === 404 ? { code: -32601 } : {});
      }
    },
    close: () => client.close(),
  };
}

const pin = { pin: "2026-07-28" };
const everyCheck = ["list", "basics", "mixed", "refuse", "progress", "cancel", "unknown"];
const http = { requestInit: { headers } };

for (const mode of ["direct", "discovery", "recommend"]) {
  await run("typescript 1.x http", mode, () => legacy(new LegacyHttp(endpoint(mode), http)), everyCheck);
  await run("typescript 2.x http", mode, () => modern(new ModernHttp(endpoint(mode), http), pin), everyCheck);
}
await run("typescript 2.x http, auto", "direct", () => modern(new ModernHttp(endpoint("direct"), http), "auto"), everyCheck);
await run("typescript 2.x http, legacy", "direct", () => modern(new ModernHttp(endpoint("direct"), http), "legacy"), everyCheck);
for (const mode of ["direct", "discovery"]) {
  await run("typescript 1.x stdio", mode, () => legacy(new LegacyStdio(command(mode))), everyCheck);
  await run("typescript 2.x stdio, auto", mode, () => modern(new ModernStdio(command(mode)), "auto"), everyCheck);
}
const corners = ["mixed", "refuse", "progress", "cancel"];
const modernUpstream = () => modern(new ModernHttp(endpoint("direct"), http), pin);
await run("typescript 2.x http, modern upstream", "direct", modernUpstream, corners, "modern");
report.finish();
