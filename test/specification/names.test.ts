/** What the interface specification states by name only, or by name and method: the operations of 4.10, and the webhooks. */
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { type Contract, editions, type OperationObject, projectRoot } from "../../scripts/contract/index.ts";
import { contractOf } from "../support/contract.ts";
import { type StatedName, statedNames, statedWebhooks } from "./stated-names.ts";
import { operations, webhook } from "./stated-operations.ts";

/** What the contract says that the specification states of something. */
const statedOf = ({ value }: { value: unknown }) => (value as { "x-stated"?: string[] })["x-stated"] ?? [];

/** Names that are the same but for the words that tell the partner's operation from the user's. */
const plain = (name: string) => name.replace(" (partner level)", "").replaceAll(/\b(Partner|an?) /g, "");
const isNamed = ({ name }: StatedName, summary = "") =>
  summary === name || (/\bpartner\b/i.test(summary) && plain(summary) === plain(name));

it("has every name of 4.10, and its method where that is stated", async () => {
  const { operations: all } = await contractOf("test");
  const missing = statedNames.filter((stated) => {
    const found = all.filter(({ summary }) => isNamed(stated, summary));
    return found.length === 0 || found.some(({ method }) => stated.method !== undefined && method !== stated.method);
  });
  expect(missing).toEqual([]);
});

describe.each(editions)("the edition %s", (edition) => {
  let contract: Contract;
  beforeAll(async () => {
    contract = await contractOf(edition);
  });

  it("says of every other operation what the specification states of it, and no more", () => {
    const others = contract.operations.filter(({ operationId }) =>
      operations.every((rows) => rows.operationId !== operationId),
    );
    const told = others.map(({ operationId, place }) => [operationId, ...statedOf(place)]);
    const expected = others.map(({ operationId, summary }) => {
      const stated = statedNames.find((candidate) => isNamed(candidate, summary));
      return [
        operationId,
        ...(stated === undefined ? [] : ["name"]),
        ...(stated?.method === undefined ? [] : ["method"]),
      ];
    });
    expect(told).toEqual(expected);
  });

  it.each(statedWebhooks.map((stated) => [stated.name, stated] as const))("has the webhook %s", (name, stated) => {
    const found = contract.webhooks.find(({ summary }) => summary === name);
    expect(found, stated.line).toBeDefined();
    if (found === undefined) return;
    expect(found.name === webhook.key || statedOf(found.place).includes("name"), `x-stated of ${found.name}`).toBe(
      true,
    );
    const { description = "" } = found.place.value as OperationObject;
    for (const alias of stated.aliases) expect(description.replaceAll(/\s+/g, " "), stated.line).toContain(alias);
  });

  it("has no other webhook", () => {
    const names = statedWebhooks.map(({ name }) => name);
    expect(contract.webhooks.filter(({ summary }) => !names.includes(summary ?? ""))).toEqual([]);
  });

  it("has a webhook of the KYC verification family after Add User Verification", () => {
    const operation = contract.operations.find(({ operationId }) => operationId === "addUserVerification");
    const { "x-triggers": triggers } = (operation?.place.value ?? {}) as Partial<OperationObject>;
    expect(triggers).toContain("kycVerificationStatus");
  });
});

it.each([...new Set(statedWebhooks.map(({ group }) => group))])(
  "groups the webhooks as the specification does: %s",
  (group) => {
    const guide = readFileSync(`${projectRoot}/openapi/guides/provenance-and-editions.md`, "utf8");
    const line = guide.split("\n").find((text) => new RegExp(`^\\| *\\**${group}\\** *\\|`).test(text)) ?? "";
    const missing = statedWebhooks.filter((stated) => stated.group === group && !line.includes(stated.name));
    expect(missing.map(({ name }) => name)).toEqual([]);
  },
);
