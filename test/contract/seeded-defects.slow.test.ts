import { expect, it } from "vitest";
import type { OpenApiDocument } from "../../scripts/contract/model/index.ts";
import { parts, subjectOf } from "../specification/compare.ts";
import { copyOf, documentOf } from "../support/contract.ts";

type Keys = readonly (string | number)[];
/** `replacement` is the new value at `keys`; undefined to remove the value, or a function that makes the new value of the old one. */
type Seed = [keys: Keys, replacement: unknown];

// biome-ignore lint/suspicious/noExplicitAny: a seeded defect may be anywhere in the document
type Anything = any;

function applySeed(document: OpenApiDocument, [keys, replacement]: Seed): void {
  const parent = keys.slice(0, -1).reduce<Anything>((node, key) => node[key], document);
  const key = keys.at(-1) ?? "";
  const value = typeof replacement === "function" ? replacement(parent[key]) : replacement;
  if (value === undefined) delete parent[key];
  else parent[key] = value;
}

const createUser = ["paths", "/v1/user/balances/crypto-and-fiat", "post", "responses"] as const;
const history = ["paths", "/v1/user/transaction-history/{externalUserId}/{month}/{year}"] as const;
const deposit = ["paths", "/v1/crypto-deposit/details"] as const;
const json = ["content", "application/json"] as const;
const codes = [...createUser, "400", ...json, "schema", "oneOf"];
const schemas = ["components", "schemas"] as const;
const addedReference = { $ref: "#/components/schemas/P412" };
const renameLockId = ({ lockId, ...others }: object & { lockId?: object }) => ({ ...others, lockID: lockId });
const withStatus200 = ({ "201": success, ...others }: Record<string, object>) => ({ ...others, 200: success });

const defects: [name: string, seed: Seed, expectedDifference: RegExp][] = [
  ["a dropped code", [codes, (all: object[]) => all.slice(0, -1)], /4\.1 \w+: 400 has the codes/],
  ["an added code", [codes, (all: object[]) => [...all, addedReference]], /4\.1 \w+: 400 has the codes/],
  ["a wrong status", [createUser, withStatus200], /4\.1 \w+: the statuses are/],
  ["a renamed field", [[...schemas, "RateLock", "properties"], renameLockId], /4\.3 \w+: \w+ 201 has no field lockId/],
  ["a missing security requirement", [["security"], undefined], /x-api-key is not required/],
  [
    "an amount turned into a string",
    [[...schemas, "RateLock", "properties", "amount", "type"], "string"],
    /4\.3 \w+: \w+ 201\.amount accepts "0\.01"/,
  ],
  [
    "a looser timestamp",
    [[...schemas, "TimestampUtcSeconds", "pattern"], undefined],
    /expiresAt accepts "2026-03-14T09:26:53\.589Z"/,
  ],
  [
    "an optional field made required",
    [[...schemas, "CryptoDeposit", "required"], (all: string[]) => [...all, "user"]],
    /4\.8 \w+: \w+ 200\.user is required/,
  ],
  [
    "a month of one digit",
    [["components", "parameters", "Month", "schema", "pattern"], undefined],
    /month accepts "2"/,
  ],
  ["a missing operation", [[...history, "get"], undefined], /4\.2 \w+: there is no such operation/],
  ["the wrong address", [[...deposit, "get", "servers"], undefined], /4\.8 \w+: the address is \{base_url\}/],
  ["another meaning", [[...schemas, "P464", "x-error", "meaning"], "Phone exists"], /P464 means "Phone exists"/],
  [
    "a renamed webhook path",
    [["webhooks", "p2pTransfer", "post", "x-webhook-path"], "/transfer"],
    /4\.9 \w+: the path/,
  ],
];

function differences(document: OpenApiDocument): string[] {
  const subject = subjectOf(document);
  return parts.flatMap((part) => part.differences(subject).map((text) => `${part.section} ${part.name}: ${text}`));
}

it.each(defects)("the specification check finds %s", async (_name, seed, expectedDifference) => {
  const existingDifferences = differences(await documentOf("latest"));
  const defectiveDocument = await copyOf("latest");
  applySeed(defectiveDocument, seed);
  const newDifferences = differences(defectiveDocument).filter((text) => !existingDifferences.includes(text));
  expect(newDifferences.join("\n")).toMatch(expectedDifference);
});
