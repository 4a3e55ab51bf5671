/** Starting, watching and stopping the mock, from code and from the terminal. */
import { createServer } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { bundleContract } from "../../scripts/build/bundle.ts";
import { readContract } from "../../scripts/contract/contract.ts";
import type { OpenApiDocument } from "../../scripts/contract/document.ts";
import * as project from "../../scripts/contract/project.ts";
import { UsageError } from "../../scripts/contract/usage-error.ts";
import { exampleCurl } from "../../scripts/mock/curl.ts";
import { formatEntry } from "../../scripts/mock/entry-line.ts";
import { startMock } from "../../scripts/mock/mock.ts";
import { run } from "./command.ts";
import { key, startTestMock, type TestMock } from "./support.ts";

vi.mock(import("../../scripts/contract/project.ts"), async (original) => {
  const actual = await original();
  return { ...actual, bundleFile: vi.fn(actual.bundleFile) };
});

let document: OpenApiDocument;
beforeAll(async () => {
  document = await bundleContract("latest");
});
afterEach(() => {
  vi.mocked(project.bundleFile).mockReset();
});

/** Takes a free port for the time of a function. */
async function withTakenPort(use: (port: number) => Promise<void>): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await use((server.address() as { port: number }).port);
  } finally {
    server.close();
  }
}

async function messageOf(start: Promise<unknown>): Promise<string> {
  const error = await start.then(
    () => new Error("it started"),
    (reason: Error) => reason,
  );
  expect(error).toBeInstanceOf(UsageError);
  return error.message;
}

describe("from code", () => {
  test("a port in use is named, with the option to change, and nothing is left listening", async () => {
    await withTakenPort(async (port) => {
      const main = await messageOf(startMock({ document, port, depositPort: 0 }));
      expect(main).toContain(String(port));
      expect(main).toMatch(/--port\b/);
      let free = 0;
      await withTakenPort(async (other) => {
        free = other;
      });
      const deposit = await messageOf(startMock({ document, port: free, depositPort: port }));
      expect(deposit).toContain(String(port));
      expect(deposit).toContain("--deposit-port");
      await expect(fetch(`http://127.0.0.1:${free}`)).rejects.toThrow();
    });
  });

  test("a host that cannot be listened on", async () => {
    const message = await messageOf(startMock({ document, port: 0, depositPort: 0, host: "192.0.2.1" }));
    expect(message).toContain("192.0.2.1");
    expect(message).toContain("--host");
  });

  test("an edition that is not built, or broken", async () => {
    vi.mocked(project.bundleFile).mockReturnValue(`${project.projectRoot}/generated/none/openapi.json`);
    const missing = await messageOf(startMock({ edition: "latest", port: 0, depositPort: 0 }));
    expect(missing).toBe('There is no generated/none/openapi.json. Run "npm run build" first.');
    vi.mocked(project.bundleFile).mockReturnValue(`${project.projectRoot}/openapi/openapi.yaml`);
    const broken = await messageOf(startMock({ edition: "latest", port: 0, depositPort: 0 }));
    expect(broken).toContain("npm run build");
  });

  test("the document is left as it was, and close() frees both addresses", async () => {
    const fresh = await bundleContract("latest");
    const before = JSON.stringify(fresh);
    const mock = await startMock({ document: fresh, port: 0, depositPort: 0 });
    expect(JSON.stringify(fresh)).toBe(before);
    await fetch(mock.url);
    await mock.close();
    for (const url of [mock.url, mock.depositUrl]) await expect(fetch(url)).rejects.toThrow();
    const ports = [mock.url, mock.depositUrl].map((url) => Number(new URL(url).port)) as [number, number];
    const again = await startMock({ document, port: ports[0], depositPort: ports[1] });
    await again.close();
  });

  test("the curl to try is a call of the main address", () => {
    const curl = exampleCurl(readContract(document), "http://127.0.0.1:4010");
    expect(curl).toMatch(/^curl -i 'http:\/\/127\.0\.0\.1:4010\/v1\/\S+' -H 'x-api-key: any-key'$/);
  });
});

describe("what it tells about requests", () => {
  let mock: TestMock;
  beforeAll(async () => {
    mock = await startTestMock();
  });
  afterAll(() => mock.close());

  test("a line per request, with method, path, status, code and time", async () => {
    const from = mock.entries.length;
    await fetch(`${mock.url}/v1/card/all/user-1042`, { headers: { ...key, prefer: "code=P461" } });
    await fetch(`${mock.url}/nothing/here`, { method: "DELETE" });
    await expect.poll(() => mock.entries.length).toBe(from + 2);
    const lines = mock.entries.slice(from).map(formatEntry);
    expect(lines[0]).toMatch(/^GET \/v1\/card\/all\/\{externalUserId\} → 400 P461 \d+ ms$/);
    expect(lines[1]).toMatch(/^DELETE \(no such path\) → 404 \d+ ms$/);
  });

  test("nothing of what was sent: no header, no body, no value, no unknown path", async () => {
    const from = mock.entries.length;
    const canary = "canary7";
    const send = (path: string, init: RequestInit = {}) =>
      fetch(`${mock.url}${path}`, {
        ...init,
        headers: {
          "x-api-key": canary,
          "content-type": "application/json",
          prefer: `code=${canary}, ${canary}=1`,
          [canary]: canary,
          ...(init.headers as Record<string, string>),
        },
      });
    const answers = [
      await send(`/v1/card/all/${canary}?${canary}=${canary}`),
      await send(`/v1/card/all/${canary}/${canary}`),
      await send(`/v1/user/transaction-history/${canary}/${canary}/${canary}`),
      await send(`/v1/crypto-deposit/details?externalId=${canary}`),
      await send(`/${canary}`, { method: "POST", body: canary }),
      await send(`/v1/user/${canary}`, { method: "DELETE" }),
      await send("/v1/user/verification", { method: "POST", body: JSON.stringify({ [canary]: canary }) }),
      await send("/v1/user/verification", { method: "POST", body: JSON.stringify({ documentType: canary }) }),
      await send("/v1/user/verification", { method: "POST", body: `{"${canary}` }),
      await send(`/v1/user/kyc-files/${canary}`, {
        method: "POST",
        headers: { "content-type": `multipart/form-data; boundary=${canary}` },
        body: `--${canary}\r\nContent-Disposition: form-data; name="${canary}"\r\n\r\n${canary}`,
      }),
    ];
    await expect.poll(() => mock.entries.length).toBe(from + answers.length);
    const printed = mock.entries.slice(from).map(formatEntry).join("\n");
    expect(printed).not.toContain(canary);
    expect(JSON.stringify(mock.entries.slice(from))).not.toContain(canary);
    for (const answer of answers) {
      expect(`${await answer.text()} ${JSON.stringify([...answer.headers])}`).not.toContain(canary);
    }
  });
});

describe("from the terminal", () => {
  const serve = (...args: string[]) => run("tsx", ["scripts/mock/serve.ts", ...args]);

  test("a mistake in an option is one message and exit code 1", async () => {
    const mistakes: [string[], RegExp][] = [
      [["--edition", "newest"], /^There is no edition "newest"\. Choose one of: latest, test\.\n$/],
      [["--prot", "1"], /^Unknown option '--prot'.*\n$/],
      [["--port", "eighty"], /^"eighty" is no port\. Give --port a number from 0 to 65535.*\n$/],
    ];
    await Promise.all(
      mistakes.map(async ([args, message]) => {
        const command = serve(...args);
        expect(await command.ended).toBe(1);
        expect(command.output()).toMatch(message);
      }),
    );
  });

  test.each(["SIGINT", "SIGTERM"] as const)(
    "prints addresses, a curl and a line per request; %s ends it",
    async (signal) => {
      const command = serve("--port", "0", "--deposit-port", "0");
      await command.waitFor(/Stop with/);
      const [, url = ""] = await command.waitFor(/main address +(http:\/\/127\.0\.0\.1:\d+)\n/);
      const [, depositUrl = ""] = await command.waitFor(/deposit address +(http:\/\/127\.0\.0\.1:\d+)\n/);
      expect(command.output()).toMatch(/ready in \d+\.\d\d s\n/);
      expect(command.output()).toContain(`curl -i '${url}/v1/`);
      expect(await fetch(`${url}/v1/card/all/canary`, { headers: key }).then((response) => response.status)).toBe(200);
      await command.waitFor(/\nGET \/v1\/card\/all\/\{externalUserId\} → 200 \d+ ms\n/);
      await fetch(`${depositUrl}/v1/crypto-deposit/details?externalId=canary`, { headers: { "x-api-key": "canary" } });
      await command.waitFor(/\nGET \/v1\/crypto-deposit\/details → 404 \d+ ms\n/);
      expect(await command.stop(signal)).toBe(0);
      expect(command.output()).not.toContain("canary");
    },
  );
});
