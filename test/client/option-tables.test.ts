import { readFileSync } from "node:fs";
import { createPartnerClient } from "partner-wallet-api";
import { createWebhookHandler } from "partner-wallet-api/webhooks";
import { expect, it } from "vitest";
import { projectRoot } from "../../scripts/base/index.ts";

function optionsIn(guide: string): string[] {
  const text = readFileSync(`${projectRoot}/openapi/guides/${guide}.md`, "utf8");
  const tables = [...text.matchAll(/^\| Option \|.*\n\|[ -|]+\n((?:\|.*\n)+)/gm)].map(([, rows = ""]) => rows);
  const cells = tables.flatMap((rows) => [...rows.matchAll(/^\| (.*?) \|/gm)].map(([, cell = ""]) => cell));
  return cells.flatMap((cell) => [...cell.matchAll(/`(\w+)/g)].map(([, name = ""]) => name));
}

const address = { baseUrl: "https://api.example", apiKey: "key-4711" };
const policies = { authorization: "token", on: {}, otherwise: "reject", nonconforming: "reject" } as const;
/** By guide. The functions refuse an unknown name of an option, even if its value is undefined. */
const optionUsers: Record<string, (option: object) => unknown> = {
  "the-client": (option) => createPartnerClient({ ...address, ...option }),
  "webhook-frameworks": (option) => createWebhookHandler({ ...policies, ...option }),
};

it.each(Object.entries(optionUsers))("every option in the tables of the guide %s is accepted", (guide, applyOption) => {
  const names = optionsIn(guide);
  expect(names.length).toBeGreaterThan(5);
  const unknownNames = names.filter((name) => {
    try {
      applyOption({ [name]: undefined });
    } catch (error) {
      return (error as Error).message.startsWith("There is no option");
    }
    return false;
  });
  expect(unknownNames).toEqual([]);
  expect(() => applyOption({ claimMs: undefined })).toThrow("There is no option");
});
