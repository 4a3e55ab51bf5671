/** The test shown in the guide `testing-a-receiver` succeeds for the guide's receiver, and fails for a receiver with a typical mistake. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createPartnerClient, unwrap } from "partner-wallet-api";
import { describe, expect, it } from "vitest";
import { projectRoot } from "../../scripts/base/index.ts";
import { type CreateMockOptions, createMock } from "../../scripts/mock/host/mock.ts";
import { plan } from "../support/plan.ts";

const guide = readFileSync(`${projectRoot}/openapi/guides/testing-a-receiver.md`, "utf8");
const program = /```ts\n([\s\S]*?)```/.exec(guide)?.[1] ?? "";

async function findFailedCondition(text: string): Promise<string | undefined> {
  const names = ["assert", "createPartnerClient", "unwrap", "createMock", "console"];
  const body = text.replace(/^import .*$/gm, "");
  const run = new Function(...names, `return (async () => {${body}})();`) as (...args: unknown[]) => Promise<void>;
  const make = (options: CreateMockOptions) => createMock(plan, options);
  try {
    await run(assert, createPartnerClient, unwrap, make, { log: () => {} });
    return undefined;
  } catch (error) {
    if (error instanceof assert.AssertionError) return error.message.split("\n")[0];
    throw error;
  }
}

const creditCondition = 'if (path === "/sepa-deposit-webhook" && event.status === "SUCCESSFUL") {';

const mistakes = {
  "credits at IN_PROGRESS": [creditCondition, creditCondition.replace('=== "SUCCESSFUL"', '!== "FAILED"'), "in order"],
  "ignores a failure": ['event.status === "FAILED"', "false", "in order"],
  "counts twice": ["if (done.has(key)) return;", "", "twice"],
  "assumes an order": [
    creditCondition,
    `if (path.includes("deposit") && event.status === "IN_PROGRESS") payouts.set(event.id, {});\n${creditCondition.replace(") {", " && payouts.has(event.id)) {")}`,
    "reversed",
  ],
  "forgets after a 5xx": [
    /await save\(key\);\s*done\.add\(key\);/,
    "done.add(key);\nawait save(key);",
    "your database fails",
  ],
} as const;

describe("testing a receiver", () => {
  it("succeeds for the receiver of the guide", async () => {
    expect(await findFailedCondition(program)).toBeUndefined();
  });

  it.each(Object.entries(mistakes))(
    "fails for a receiver that %s",
    async (_name, [correctText, wrongText, condition]) => {
      const changedProgram = program.replace(correctText, wrongText);
      expect(changedProgram).not.toBe(program);
      expect(await findFailedCondition(changedProgram)).toBe(condition);
    },
  );
});
