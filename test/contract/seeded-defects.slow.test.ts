/** The checks can fail: each defect, seeded into a copy of the bundle, is noticed by the check it belongs to. */
import { expect, it } from "vitest";
import type { OpenApiDocument } from "../../scripts/contract/index.ts";
import { startMock } from "../../scripts/mock/mock.ts";
import { planOf } from "../../scripts/plan/make-plan.ts";
import { parts, subjectOf } from "../specification/compare.ts";
import { makeClient } from "../support/clients.ts";
import { contractOf, copyOf, documentOf } from "../support/contract.ts";
import { cellsOf, exercise } from "./matrix.ts";

/** A part of the document, reached by its keys, to be changed in place. */
// biome-ignore lint/suspicious/noExplicitAny: a seeded defect may be anywhere in the document
function at(document: OpenApiDocument, ...keys: (string | number)[]): any {
  // biome-ignore lint/suspicious/noExplicitAny: as above
  return keys.reduce((node: any, key) => node[key], document);
}

const createUser = ["paths", "/v1/user/balances/crypto-and-fiat", "post"] as const;
const history = ["paths", "/v1/user/transaction-history/{externalUserId}/{month}/{year}"] as const;
const json = ["content", "application/json"] as const;

const defects: [name: string, seed: (document: OpenApiDocument) => void, noticed: RegExp][] = [
  [
    "a dropped code",
    (document) => at(document, ...createUser, "responses", "400", ...json, "schema", "oneOf").pop(),
    /4\.1 \w+: 400 has the codes/,
  ],
  [
    "an added code",
    (document) =>
      at(document, ...createUser, "responses", "400", ...json, "schema", "oneOf").push({
        $ref: "#/components/schemas/P412",
      }),
    /4\.1 \w+: 400 has the codes/,
  ],
  [
    "a wrong status",
    (document) => {
      const responses = at(document, ...createUser, "responses");
      responses["200"] = responses["201"];
      delete responses["201"];
    },
    /4\.1 \w+: the statuses are/,
  ],
  [
    "a renamed field",
    (document) => {
      const { properties } = at(document, "components", "schemas", "RateLock");
      properties.lockID = properties.lockId;
      delete properties.lockId;
    },
    /4\.3 \w+: \w+ 201 has no field lockId/,
  ],
  ["a missing security requirement", (document) => delete document.security, /x-api-key is not required/],
  [
    "an amount turned into a string",
    (document) =>
      Object.assign(at(document, "components", "schemas", "RateLock", "properties", "amount"), { type: "string" }),
    /4\.3 \w+: \w+ 201\.amount accepts "0\.01"/,
  ],
  [
    "a looser timestamp",
    (document) => delete at(document, "components", "schemas", "TimestampUtcSeconds").pattern,
    /expiresAt accepts "2026-03-14T09:26:53\.589Z"/,
  ],
  [
    "an optional field made required",
    (document) => at(document, "components", "schemas", "CryptoDeposit", "required").push("user"),
    /4\.8 \w+: \w+ 200\.user is required/,
  ],
  [
    "a month of one digit",
    (document) => delete at(document, "components", "parameters", "Month", "schema").pattern,
    /month accepts "2"/,
  ],
  ["a missing operation", (document) => delete at(document, ...history).get, /4\.2 \w+: there is no such operation/],
  [
    "the wrong address",
    (document) => delete at(document, "paths", "/v1/crypto-deposit/details").servers,
    /4\.8 \w+: the address is \{base_url\}/,
  ],
  [
    "another meaning",
    (document) => Object.assign(at(document, "components", "schemas", "P464", "x-error"), { meaning: "Phone exists" }),
    /P464 means "Phone exists"/,
  ],
  [
    "a renamed webhook path",
    (document) => Object.assign(at(document, "webhooks", "p2pTransfer", "post"), { "x-webhook-path": "/transfer" }),
    /4\.9 \w+: the path/,
  ],
];

/** What a bundle says otherwise than the specification, with the section and the name of what differs. */
function differences(document: OpenApiDocument): string[] {
  const subject = subjectOf(document);
  return parts.flatMap((part) => part.differences(subject).map((text) => `${part.section} ${part.name}: ${text}`));
}

it.each(defects)("the specification check notices %s", async (_name, seed, noticed) => {
  const found = differences(await documentOf("latest"));
  const defective = await copyOf("latest");
  seed(defective);
  // What is wrong with the contract itself is the business of another test.
  const added = differences(defective).filter((text) => !found.includes(text));
  expect(added.join("\n")).toMatch(noticed);
});

const mockDefects: [name: string, operationId: string, seed: (document: OpenApiDocument) => void][] = [
  [
    "a code that the mock no longer knows",
    "createUserAccount",
    (document) => delete at(document, ...createUser, "responses", "400", ...json, "examples").P411,
  ],
  [
    "an answer that the mock no longer knows",
    "createUserAccount",
    (document) => delete at(document, ...createUser, "responses")["201"],
  ],
  [
    "an operation on the wrong address",
    "getCryptoDepositDetails",
    (document) => delete at(document, "paths", "/v1/crypto-deposit/details").servers,
  ],
  [
    "an example with another value",
    "createUserAccount",
    (document) =>
      Object.assign(
        at(document, ...createUser, "responses", "201", ...json, "examples", "proofOfAddressRequired", "value"),
        {
          poaRequiredForExtended: "yes",
        },
      ),
  ],
];

it.each(mockDefects)("the matrix notices %s", async (_name, operationId, seed) => {
  const contract = await contractOf("latest");
  const defective = await copyOf("latest");
  seed(defective);
  const mock = await startMock(planOf({ document: defective }), { edition: "test", stateless: true });
  const client = makeClient("latest", {
    baseUrl: mock.url,
    depositBaseUrl: mock.depositUrl,
    apiKey: "key-of-the-test",
  });
  const cells = cellsOf(contract).filter(({ operation }) => operation.operationId === operationId);
  const problems = await Promise.all(cells.map((cell) => exercise(cell, client, contract.document)));
  await mock.close();
  expect(problems.flat()).not.toEqual([]);
});
