import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { projectRoot } from "../../../scripts/base/index.ts";
import { publishedManifest } from "../../../scripts/tools/build/package.ts";
import { newEvent } from "../../client/packed/receivers.ts";
import { withTakenPort } from "../../support/ports.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const guide = readFileSync(`${projectRoot}/openapi/guides/webhook-frameworks.md`, "utf8");
const programs = [...guide.matchAll(/^```js (\S+)\n([\s\S]*?)^```$/gm)];
const folder = temporaryFolder();
const runningProcesses: ChildProcess[] = [];

beforeAll(() => {
  // Uses the published manifest, because the repository's manifest exports source files.
  const installedFolder = join(folder, "node_modules", "partner-wallet-api");
  mkdirSync(installedFolder, { recursive: true });
  const manifest = JSON.parse(readFileSync(`${projectRoot}/package.json`, "utf8"));
  writeFileSync(join(installedFolder, "package.json"), JSON.stringify(publishedManifest(manifest)));
  symlinkSync(`${projectRoot}/dist`, join(installedFolder, "dist"));
  const packages: Record<string, string> = {};
  const nest = ["@nestjs/common", "@nestjs/core", "@nestjs/platform-express", "reflect-metadata", "rxjs"];
  for (const name of ["express", "fastify", "hono", "@hono/node-server", "koa", ...nest]) {
    const peerFolder = `${projectRoot}/test/peers/node_modules/${name}`;
    Object.assign(packages, { [name]: existsSync(peerFolder) ? peerFolder : `${projectRoot}/node_modules/${name}` });
  }
  for (const [name, path] of Object.entries(packages)) {
    const link = join(folder, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(path, link);
  }
});

afterAll(() => {
  for (const child of runningProcesses) child.kill();
});

const event = newEvent() as { id: string };

/** Calls the exported function with the name of the HTTP method, as Next.js does. */
const routeServer = `import { createServer } from "node:http";
import * as route from "./route.mjs";
createServer(async (request, response) => {
  const body = request.method === "POST" ? { body: request, duplex: "half" } : {};
  const { method, headers } = request;
  const answer = await route[method](new Request("http://127.0.0.1" + request.url, { method, headers, ...body }));
  response.writeHead(answer.status).end(await answer.text());
}).listen(3000, "127.0.0.1");
`;

/** Calls the exported function with an event of API Gateway in the payload format 2.0. */
const lambdaServer = `import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { handler } from "./lambda.mjs";
createServer(async (request, response) => {
  const { method, headers, url } = request;
  const sent = Buffer.from(await text(request)).toString("base64");
  const body = sent === "" ? {} : { body: sent, isBase64Encoded: true };
  const requestContext = { domainName: "127.0.0.1", http: { method } };
  const { statusCode, headers: own, body: answer } = await handler({ rawPath: url, requestContext, headers, ...body });
  response.writeHead(statusCode, own).end(answer);
}).listen(3000, "127.0.0.1");
`;

const servers: Record<string, string> = { route: routeServer, lambda: lambdaServer };

test.each(["express", "fastify", "hono", "koa", "nest", "route", "lambda"])(
  "%s accepts an event below its path",
  async (name) => {
    const port = await withTakenPort(async (freePort) => freePort);
    const programFolder = join(folder, name);
    mkdirSync(programFolder);
    for (const [, file = "", code = ""] of programs)
      writeFileSync(join(programFolder, file), code.replace("3000", String(port)));
    const server = servers[name];
    if (server !== undefined) writeFileSync(join(programFolder, "server.mjs"), server.replace("3000", String(port)));
    const child = spawn(process.execPath, [server === undefined ? `${name}.mjs` : "server.mjs"], {
      cwd: programFolder,
    });
    runningProcesses.push(child);
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text));
    const send = (path: string, authorization: string, init: RequestInit = {}) =>
      fetch(`http://127.0.0.1:${port}${path}`, {
        method: "POST",
        headers: { authorization, "content-type": "application/json" },
        body: JSON.stringify(event),
        ...init,
      });
    await vi.waitFor(() => send("/wallet/webhook/health", "", { method: "GET", body: null }), { timeout: 10_000 });
    const statuses = [];
    for (const authorization of ["a-token-for-tests", "wrong"]) {
      statuses.push((await send("/wallet/transfer-webhook", authorization)).status);
    }
    const health = await send("/wallet/webhook/health", "", { method: "GET", body: null });
    expect([...statuses, health.status], output).toEqual([200, 401, 200]);
    await vi.waitFor(() => expect(output).toContain(`${event.id} SUCCESSFUL`));
  },
);
