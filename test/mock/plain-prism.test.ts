/** The bundle works unmodified with the plain command line of Prism. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundleContract, toYaml } from "../../scripts/build/bundle.ts";
import { readContract } from "../../scripts/contract/contract.ts";
import { type Running, run } from "./command.ts";

const folder = mkdtempSync(join(tmpdir(), "plain-prism-"));
let prism: Running | undefined;
let url: string;
let user: Record<string, unknown>;

beforeAll(async () => {
  const document = await bundleContract("latest");
  const operation = readContract(document).operations.find(({ operationId }) => operationId === "createUserAccount");
  user = operation?.requestBody?.bodies[0]?.examples[0]?.value as Record<string, unknown>;
  const file = join(folder, "openapi.yaml");
  writeFileSync(file, toYaml(document));
  const port = await freePort();
  url = `http://127.0.0.1:${port}${operation?.path}`;
  prism = run("prism", ["mock", file, "-p", String(port)]);
  await prism.waitFor(/Prism is listening/);
});

afterAll(async () => {
  await prism?.stop("SIGTERM");
  rmSync(folder, { recursive: true });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function create(body: object, headers: Record<string, string> = {}) {
  const response = await fetch(url, {
    method: "POST",
    headers: { "x-api-key": "a-key", "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as unknown };
}

test("a success", async () => {
  expect(await create(user)).toMatchObject({ status: 201, body: { poaRequiredForExtended: true } });
});

test("a chosen P-code", async () => {
  const answer = await create(user, { prefer: "code=400, example=P411" });
  expect(answer).toMatchObject({ status: 400, body: { errorCode: "P411" } });
});

test("a missing required field, and a malformed one", async () => {
  const { email: _, ...withoutEmail } = user;
  expect(await create(withoutEmail)).toMatchObject({ status: 400, body: { errorCode: "P403" } });
  expect(await create({ ...user, birthDate: "23.7.1991" })).toMatchObject({ status: 400 });
});

test("a missing key", async () => {
  expect(await create(user, { "x-api-key": "" })).toMatchObject({ status: 401 });
});
