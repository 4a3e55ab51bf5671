/** `npm run webhook` in a process of its own. */
import { expect, it, onTestFinished } from "vitest";
import { projectRoot } from "../../scripts/contract/index.ts";
import { record, token } from "../mock/webhooks/support.ts";
import { runCommand } from "../support/command.ts";

const run = (...args: string[]) =>
  runCommand(process.execPath, ["--import", "tsx", "scripts/commands/webhook.ts", ...args], projectRoot);

it("sends an event, and ends with 1 when it is not acknowledged", async () => {
  const statuses = [200, 401];
  const server = await record((response) => void response.writeHead(statuses.shift() ?? 500).end("{}"));
  onTestFinished(() => server.close());
  const args = ["sepaDeposit", "--to", server.url, "--token", token, "--set", "amount=12.50"];
  const accepted = await run(...args);
  expect(accepted.output).toMatch(/^sepaDeposit → POST \/sepa-deposit-webhook: 200, acknowledged \(\d+ ms\)\n$/);
  expect(accepted.code).toBe(0);
  const refused = await run(...args);
  expect(refused.output).toContain("401, refused the token");
  expect(refused.output).not.toContain(token);
  expect(refused.code).toBe(1);
  expect(server.received.map(({ headers }) => headers.authorization)).toEqual([token, token]);
  expect(JSON.parse(server.received[0]?.body ?? "")).toMatchObject({ amount: "12.50" });
});

it("says what is wrong without a stack, and ends with 2", async () => {
  const { code, output } = await run("sepaDepsit", "--to", "http://127.0.0.1:9");
  expect(output).toMatch(/^There is no webhook sepaDepsit\. Did you mean sepaDeposit\? Webhooks: .*\n$/);
  expect(code).toBe(2);
});
