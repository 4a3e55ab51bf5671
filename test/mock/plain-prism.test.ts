/** The bundle works unmodified with the command line of Prism. */
import { createServer } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundleFile, projectRoot, readContract } from "../../scripts/contract/index.ts";
import { readBundle } from "../../scripts/plan/index.ts";
import { type Running, run } from "./command.ts";

let prism: Running | undefined;
let url: string;
let user: Record<string, unknown>;

beforeAll(async () => {
  const operation = readContract(readBundle("latest")).operations.find(
    ({ operationId }) => operationId === "createUserAccount",
  );
  user = operation?.requestBody?.bodies[0]?.examples[0]?.value as Record<string, unknown>;
  const port = await freePort();
  url = `http://127.0.0.1:${port}${operation?.path}`;
  prism = run(`${projectRoot}/node_modules/.bin/prism`, ["mock", bundleFile("latest", "yaml"), "-p", String(port)]);
  await prism.waitFor(/Prism is listening/);
});

afterAll(async () => {
  await prism?.stop("SIGTERM");
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
