import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { projectRoot } from "../../scripts/base/index.ts";
import type { Contract, OperationObject } from "../../scripts/contract/model/index.ts";
import { contractOf } from "../support/contract.ts";
import { partnerLevelNames, type StatedName, statedNames, statedWebhooks } from "./stated-names.ts";
import { operations, webhook } from "./stated-operations.ts";

/** The name without articles, and without the words that distinguish the operation of a partner from the same operation of a user. */
const nameWithoutLevel = (name: string) => name.replace(" (partner level)", "").replaceAll(/\b(Partner|an?) /g, "");
const isNamed = ({ name }: StatedName, summary = "") =>
  summary === name ||
  (/\bpartner\b/i.test(summary) &&
    partnerLevelNames.some((pattern) => pattern.test(name)) &&
    nameWithoutLevel(summary) === nameWithoutLevel(name));

it("has every name of section 4.10, and its method where that is stated", async () => {
  const { operations: documentedOperations } = await contractOf("test");
  const missingNames = statedNames.filter((stated) => {
    const namedOperations = documentedOperations.filter(({ summary }) => isNamed(stated, summary));
    return (
      namedOperations.length === 0 ||
      namedOperations.some(({ method }) => stated.method !== undefined && method !== stated.method)
    );
  });
  expect(missingNames).toEqual([]);
});

it.each(["latest", "test"] as const)(
  "lists every name of section 4.10 literally, with its method: %s",
  async (edition) => {
    const listedOperations = Object.values((await contractOf(edition)).namedOperations);
    const missingNames = statedNames.filter(
      ({ entry, method }) =>
        !listedOperations.some(
          (namedOperation) => namedOperation.name === entry && namedOperation.method?.toLowerCase() === method,
        ),
    );
    expect(missingNames).toEqual([]);
  },
);

describe("the contract", () => {
  let contract: Contract;
  beforeAll(async () => {
    contract = await contractOf("test");
  });

  it("marks of every other operation exactly what the specification states", () => {
    const otherOperations = contract.operations.filter(({ operationId }) =>
      operations.every((rows) => rows.operationId !== operationId),
    );
    const foundNames = otherOperations.map(({ operationId, statedDetails }) => [operationId, ...statedDetails]);
    const expected = otherOperations.map(({ operationId, summary }) => {
      const stated = statedNames.find((candidate) => isNamed(candidate, summary));
      return [
        operationId,
        ...(stated === undefined ? [] : ["name"]),
        ...(stated?.method === undefined ? [] : ["method"]),
      ];
    });
    expect(foundNames).toEqual(expected);
  });

  it.each(statedWebhooks.map((stated) => [stated.name, stated] as const))("has the webhook %s", (name, stated) => {
    const foundWebhook = contract.webhooks.find(({ summary }) => summary === name);
    expect(foundWebhook, stated.line).toBeDefined();
    if (foundWebhook === undefined) return;
    expect(foundWebhook.statedDetails).toEqual(foundWebhook.name === webhook.key ? [] : ["name"]);
    const { description = "" } = foundWebhook.location.value as OperationObject;
    for (const alias of stated.aliases) expect(description.replaceAll(/\s+/g, " "), stated.line).toContain(alias);
  });

  it("marks no other webhook as one of the specification", () => {
    const names = statedWebhooks.map(({ name }) => name);
    const otherWebhooks = contract.webhooks.filter(({ summary }) => !names.includes(summary ?? ""));
    expect(otherWebhooks.filter(({ provenance }) => provenance === "specification").map(({ name }) => name)).toEqual(
      [],
    );
  });
});

it("has, as an assumption, the KYC Verification Status webhook of the KYC verification family after Add User Verification", async () => {
  const operation = (await contractOf("test")).operations.find(
    ({ operationId }) => operationId === "addUserVerification",
  );
  const { "x-triggers": triggers = [] } = (operation?.location.value ?? {}) as Partial<OperationObject>;
  // The specification does not state which of the KYC webhooks is sent.
  expect(triggers).toContainEqual(
    expect.objectContaining({ webhook: "kycVerificationStatus", provenance: "proposed" }),
  );
});

it.each([...new Set(statedWebhooks.map(({ group }) => group))])(
  "groups the webhooks as the specification does, in the document and in the guide: %s",
  async (group) => {
    const { document } = await contractOf("test");
    const guide = readFileSync(`${projectRoot}/openapi/guides/provenance-and-editions.md`, "utf8");
    for (const text of [document.info.description ?? "", guide]) {
      const line =
        text.split("\n").find((candidate) => new RegExp(`^\\| *\\**${group}\\** *\\|`).test(candidate)) ?? "";
      const missingWebhooks = statedWebhooks.filter((stated) => stated.group === group && !line.includes(stated.name));
      expect(missingWebhooks.map(({ name }) => name)).toEqual([]);
    }
  },
);
