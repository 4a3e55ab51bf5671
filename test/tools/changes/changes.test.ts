import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { projectRoot } from "../../../scripts/base/index.ts";
import type { OpenApiDocument } from "../../../scripts/contract/model/index.ts";
import {
  applyExemptions,
  type Change,
  compareContracts,
  formatGithub,
  formatMarkdown,
  formatText,
  levelOf,
  nextVersion,
  readEarlier,
  readExemptions,
  releasedVersions,
  unreleasedChanges,
  versionProblem,
} from "../../../scripts/tools/changes/index.ts";
import { missingContractReason, readReleased } from "../../../scripts/tools/changes/releases.ts";
import { breaking, readPublished, type SeededChange, seed } from "./seeded.ts";

type Resources = Record<string, { states?: Record<string, object> }>;

const { annotatedText, unchangedDocument, publishedDocument, changesOf } = await readPublished();
const breakingChanges = changesOf({ edits: { "UserAccountRequest/allOf/1/required/-": "street" } });

it("an unchanged contract has no changes", () => {
  expect(compareContracts(unchangedDocument, publishedDocument())).toEqual([]);
});

it("changed texts are editorial", () => {
  const documentAfter = publishedDocument();
  documentAfter.info.description = "Other words.";
  for (const schema of Object.values(documentAfter.components?.schemas ?? {}))
    (schema as { description: string }).description = "Other words.";
  const changes = compareContracts(unchangedDocument, documentAfter);
  expect(new Set(changes.map(({ severity }) => severity))).toEqual(new Set(["editorial"]));
});

it("a schema with another name is breaking, since programs import its type", () => {
  const renamedText = annotatedText
    .replaceAll('"CardSummary"', '"CardInList"')
    .replaceAll("/CardSummary", "/CardInList");
  const changes = compareContracts(unchangedDocument, JSON.parse(renamedText));
  expect(changes.filter(({ severity }) => severity === "breaking")).toEqual([
    expect.objectContaining({
      id: "schemas/CardSummary removed",
      proposed: false,
      sentence: expect.stringContaining("is gone"),
    }),
  ]);
});

it("reports a new operation at the path that another operation leaves", () => {
  const documentAfter = publishedDocument();
  const paths = documentAfter.paths as Record<string, Record<string, object>>;
  const item = paths["/v1/partner/balances"] as Record<string, object>;
  paths["/v2/partner/balances"] = item;
  paths["/v1/partner/balances"] = { ...item, get: { ...item.get, operationId: "getOldBalances" } };
  const ids = compareContracts(unchangedDocument, documentAfter).map(({ id }) => id);
  expect(ids).toContain("getOldBalances added");
});

it("reports one change once, and a different notation not at all", () => {
  const promotionChanges = changesOf({ edits: { "getOrderRates/x-provenance": "reference" } });
  expect(promotionChanges.filter(({ severity }) => severity !== "editorial").map(({ id }) => id)).toEqual([
    "getOrderRates editions",
  ]);
  expect(changesOf({ edits: { "createTransfer/$path": null } }).map(({ id }) => id)).toEqual([
    "createTransfer removed",
  ]);
  const home = { type: "object", properties: { street: { type: "string" } } };
  const readChanges = changesOf({
    commonEdits: { "VirtualCardRequest/properties/home": home },
    edits: { "VirtualCardRequest/properties/home/readOnly": true },
  });
  expect(readChanges.map(({ id }) => id)).toEqual(["createVirtualCard/request/home readOnly"]);
  const unsentField = { "UserAttributes/properties/street/readOnly": true };
  expect(changesOf({ commonEdits: unsentField, edits: { "UserAttributes/properties/street": null } })).toEqual([]);
  const code = breaking.find(({ name }) => name === "a code that is gone") as SeededChange;
  expect(changesOf(code).map(({ id }) => id)).toEqual(["createUserAccount/400:application/json texts", code.id]);
  const network = { type: "string" };
  const sameChanges = changesOf({
    commonEdits: {
      "listUserCards/parameters/-": { name: "ids", in: "query", schema: { type: "array" } },
      "RateLock/properties/network": network,
      "RateLock/properties/label": { allOf: [{ pattern: "^a" }, { pattern: "b$" }, { pattern: "c" }] },
      "RateLock/properties/chain": { allOf: [{ pattern: "^a" }, { pattern: "b$" }, { pattern: "^a" }] },
      "RateLock/properties/hops": { contains: { const: "a" } },
      "RateLock/not": { required: ["unknown"], description: "It is not unknown." },
    },
    edits: {
      "listUserCards/parameters/1/explode": true,
      "listUserCards/parameters/1/style": "form",
      "listUserCards/parameters/1/allowReserved": false,
      "listUserCards/parameters/1/schema/uniqueItems": false,
      "RateLock/additionalProperties": true,
      "RateLock/properties/rate/readOnly": false,
      "RateLock/properties/rate/writeOnly": false,
      "RateLock/not/description": "In other words.",
      "RateLock/properties/network": { allOf: [network] },
      "RateLock/properties/label": { allOf: [{ pattern: "c" }, { pattern: "^a" }, { pattern: "b$" }] },
      "RateLock/properties/chain": { allOf: [{ pattern: "b$" }, { pattern: "^a" }] },
      "RateLock/properties/hops": { contains: { const: "a" }, minContains: 1 },
      "RateLock/discriminator": { propertyName: "network" },
      "CardSummary/properties/cardLastDigits/pattern": "^[0-9]{4}$",
    },
  });
  expect(sameChanges).toEqual([]);
});

describe("the version", () => {
  it.each([
    ["0.1.0", "0.1.0", "has to be 0.2.0 at least; it is 0.1.0"],
    ["0.1.0", "0.1.9", "has to be 0.2.0"],
    ["0.1.0", "0.2.0", undefined],
    ["1.4.2", "1.5.0", "has to be 2.0.0"],
  ])("must rise far enough after a break of %s: %s", (releasedVersion, version, problem) => {
    const problemText = versionProblem(breakingChanges, releasedVersion, version);
    if (problem === undefined) expect(problemText).toBeUndefined();
    else expect(problemText).toContain(problem);
  });

  it("can stay when nothing breaks, and must rise for a release", () => {
    const changes = changesOf({ edits: { "UserAttributes/properties/nickname": { type: "string" } } });
    expect(versionProblem(changes, "1.4.2", "1.4.2")).toBeUndefined();
    expect([nextVersion("1.4.2", "patch"), nextVersion("1.4.2", "major")]).toEqual(["1.4.3", "2.0.0"]);
    expect([levelOf(changes, "0.1.0"), levelOf(changes, "1.4.2"), levelOf([], "1.4.2")]).toEqual([
      "patch",
      "minor",
      "patch",
    ]);
  });
});

describe("exemptions", () => {
  const exemption = { change: "createUserAccount/request/street *", reason: "None.", expires: "2026-12-31" };

  it("allow a breaking change until their last day", () => {
    const { otherChanges, problems } = applyExemptions(breakingChanges, [exemption], "2026-12-31");
    expect(problems).toEqual([]);
    expect(versionProblem(otherChanges, "0.1.0", "0.1.0")).toBeUndefined();
    expect(breakingChanges.filter(({ severity }) => severity === "breaking")).toHaveLength(1);
  });

  it("fail when they are expired or unused", () => {
    const lateResult = applyExemptions(breakingChanges, [exemption], "2027-01-01");
    expect(lateResult.problems).toEqual([expect.stringContaining("expired on 2026-12-31")]);
    expect(versionProblem(lateResult.otherChanges, "0.1.0", "0.1.0")).toBeDefined();
    const unusedResult = applyExemptions([], [exemption], "2026-12-31");
    expect(unusedResult.problems).toEqual([expect.stringContaining('no breaking change is called "createUserAccount')]);
  });

  it("can be empty, and a malformed one is named", () => {
    expect(readExemptions("# Only a comment.\n")).toEqual([]);
    expect(readExemptions(JSON.stringify([exemption]))).toEqual([exemption]);
    expect(() => readExemptions("- change: a")).toThrow(
      'entry 1 needs change, reason and expires, each a text, expires as "YYYY-MM-DD"; it has change.',
    );
    expect(() => readExemptions("-\n")).toThrow("it has nothing.");
  });

  it.each([
    "- change: a",
    "- { change: a, reason: '', expires: '2026-12-31' }",
    "- { change: a, reason: b, expires: '2026-13-31' }",
    "- { change: a, reason: b, expires: '2026-12-31', more: c }",
    "change: a",
  ])("must have the documented form: %s", (yaml) => {
    expect(() => readExemptions(yaml)).toThrow("openapi/exemptions.yaml");
  });
});

describe("the printed report", () => {
  it("names the operation, the advice, and the id for an exemption", () => {
    expect(formatText(breakingChanges)).toBe(
      [
        "breaking  createUserAccount: field `street` of the request is now required. Send it with every call: calls without it are refused.",
        "          createUserAccount/request/street required (specification, in latest and test)",
        "1 breaking, 0 additive, 0 editorial.",
      ].join("\n"),
    );
    const colouredText = (changes: Change[]) => formatText(changes, { isColoured: true });
    expect(colouredText(breakingChanges)).toContain("\u001b[31mbreaking ");
    const additions = changesOf({ edits: { "UserAttributes/properties/nickname": { type: "string" } } });
    expect(colouredText(additions)).toContain("\u001b[32madditive ");
    expect(formatGithub(additions)).toMatch(/^::notice /);
  });

  it("says which breaking changes are exempt, and until when", () => {
    const exemption = { change: "createUserAccount/*", reason: "None.", expires: "2026-12-31" };
    const { exemptionByChange } = applyExemptions(breakingChanges, [exemption], "2026-12-31");
    expect(formatText(breakingChanges, { exemptionByChange }).split("\n").slice(1)).toEqual([
      "          createUserAccount/request/street required (specification, in latest and test, exempt until 2026-12-31)",
      "1 breaking (1 exempt), 0 additive, 0 editorial.",
    ]);
  });

  it("has one line for operations with the same change", () => {
    const changes = changesOf({ edits: { "Uuid/format": "uri" } });
    const lines = formatMarkdown(changes).split("\n");
    expect(changes.length).toBeGreaterThan(50);
    expect(lines.length).toBeLessThan(changes.length);
    expect(lines.find((line) => line.includes("field `transferId` of the 200"))).toMatch(/^- `\w+`(, `\w+`)*: field/);
  });

  it("has annotations at the file and line of the field or the operation", () => {
    const placeIn = (printed: string) => {
      const [, file = "", line] = /^::(?:error|notice) file=(.*?),line=(\d+),title=/.exec(printed) ?? [];
      return `${file}: ${readFileSync(`${projectRoot}/${file}`, "utf8").split("\n")[Number(line) - 1]?.trim()}`;
    };
    expect(formatGithub(breakingChanges)).toMatch(
      /^::error file=.*,title=breaking change::createUserAccount: field `street`/,
    );
    const exemption = { change: breakingChanges[0]?.id ?? "", reason: "Agreed.", expires: "2026-12-31" };
    const { exemptionByChange } = applyExemptions(breakingChanges, [exemption], "2026-12-31");
    expect(formatGithub(breakingChanges, exemptionByChange)).toMatch(
      /^::notice file=.*,title=breaking change%2C exempt until 2026-12-31::/,
    );
    const edits = [
      { "UserAttributes/properties/street": null },
      { "createTransfer/operationId": "transfer" },
      { "P464/x-error/status": 409 },
      { "NetworkConfig/type": ["object", "null"] },
      { "(document)/servers/1": null },
    ];
    expect(edits.map((edit) => placeIn(formatGithub(changesOf({ edits: edit }))))).toEqual([
      "openapi/paths/user/createUserAccount.yaml: street: Musterweg",
      "openapi/paths/transfer/createTransfer.yaml: operationId: createTransfer",
      "openapi/errors.yaml: P464:",
      "openapi/paths/user/getUserBalances.yaml: networkConfig:",
      expect.stringContaining("openapi/openapi.yaml: #"),
    ]);
  });
});

it("the changelog has the changes since the newest released version", () => {
  const releasedContract = readReleased(releasedVersions()[0] as string);
  expect(unreleasedChanges(releasedContract)).toBe("");
  const street = { "UserAccountRequest/allOf/1/required/-": "street" };
  expect(unreleasedChanges(seed(releasedContract, street))).toContain("- `createUserAccount`: field `street`");
});

it("tells programs the kind of a changed part, and the property that it concerns", () => {
  const edits = { "p2pTransfer/x-webhook-path/path": "/elsewhere", "NetworkConfig/type": ["object", "null"] };
  const changes = changesOf({ edits });
  expect(changes).toContainEqual(expect.objectContaining({ id: "p2pTransfer/path route", kind: "path" }));
  expect(changes).toContainEqual(expect.objectContaining({ kind: "field", property: "networkConfig" }));
});

it("reports a removed P-code once, not also as a removed type", () => {
  const documentAfter = publishedDocument();
  delete documentAfter.components?.schemas?.P427;
  const removedTypes = compareContracts(unchangedDocument, documentAfter).filter(({ id }) => id.startsWith("schemas/"));
  expect(removedTypes).toEqual([]);
});

it("reports a removed type and P-code that only proposed operations have in the edition test, the type as proposed", () => {
  const documentAfter = seed(publishedDocument(), { "createExchange/$path": null, "suspendUser/$path": null });
  delete documentAfter.components?.schemas?.ExchangeRequest;
  delete documentAfter.components?.schemas?.P454;
  const changes = compareContracts(unchangedDocument, documentAfter);
  const editions = ["test"];
  expect(changes.map(({ id }) => id)).toEqual([
    "suspendUser removed",
    "createExchange removed",
    "P454 removed",
    "schemas/ExchangeRequest removed",
  ]);
  expect(changes.slice(-2)).toMatchObject([
    { kind: "code", provenance: "reference", editions },
    { kind: "type", provenance: "proposed", editions, severity: "additive", proposed: true },
  ]);
});

it("tells programs which changes are of a resource, a lifecycle and the delivery of webhooks", () => {
  const { "x-resources": resources, ...document } = publishedDocument() as OpenApiDocument & {
    "x-resources": Resources;
  };
  const { user, webhookDelivery, ...otherResources } = resources;
  const changedUser = { ...user, id: "id", states: { access: { ...user?.states?.access, initial: "deleted" } } };
  const documentAfter = {
    ...document,
    "x-resources": { user: changedUser, webhookDelivery: { ...webhookDelivery, attempts: 6 }, ...otherResources },
  };
  const kinds = new Map(compareContracts(unchangedDocument, documentAfter).map(({ id, kind }) => [id, kind]));
  expect(Object.fromEntries(kinds)).toMatchObject({
    "resources/user identifiedBy": "resource",
    "lifecycles/user.verification removed": "lifecycle",
    "delivery attempts": "delivery",
  });
});

it("compares an earlier contract without machine-readable extensions by everything else", async () => {
  const { "x-resources": _, ...plainDocument } = publishedDocument() as OpenApiDocument & { "x-resources"?: unknown };
  for (const part of [...Object.values(plainDocument.paths), ...Object.values(plainDocument.webhooks ?? {})])
    for (const operation of Object.values(part as object))
      for (const key of ["x-requires", "x-effects", "x-triggers", "x-event", "x-lookup"]) delete operation[key];
  for (const schema of Object.values(plainDocument.components?.schemas ?? {}))
    delete (schema as Record<string, unknown>)["x-advice"];
  expect(compareContracts(plainDocument, publishedDocument())).toEqual([]);
  const changedDocument = seed(publishedDocument(), {
    "P464/x-error/status": 409,
    "listUserCards/x-requires/cardActive": "$x",
    "listUserCards/description": "Other words.",
  });
  expect(compareContracts(plainDocument, changedDocument).map(({ id }) => id)).toEqual([
    "listUserCards texts",
    "P464 status",
  ]);
});

it("compares schemas that are recursive, true or missing", () => {
  const commonEdits = {
    "RateLock/properties/again": { $ref: "#/components/schemas/RateLock" },
    "RateLock/properties/any": true,
    "listUserCards/responses/200/content/text~1csv": {},
  };
  expect(changesOf({ commonEdits, edits: {} })).toEqual([]);
  expect(changesOf({ commonEdits, edits: { "RateLock/properties/again": null } }).map(({ id }) => id)).toContain(
    "createOrderRateLock/201/again removed",
  );
});

it("sorts released versions by number", () => {
  const folder = mkdtempSync(join(tmpdir(), "released-"));
  for (const version of ["0.9.0", "0.10.0", "0.2.11", "1.0.0"]) writeFileSync(join(folder, `${version}.json`), "{}");
  expect(releasedVersions(folder)).toEqual(["1.0.0", "0.10.0", "0.9.0", "0.2.11"]);
  rmSync(folder, { recursive: true });
});

it("compares with the newest release, or another release", async () => {
  const [newestVersion] = releasedVersions();
  expect([(await readEarlier()).name, (await readEarlier(`v${newestVersion}`)).name]).toEqual([
    newestVersion,
    newestVersion,
  ]);
  await expect(readEarlier("no-such-ref")).rejects.toThrow(
    `There is no contract of no-such-ref: it is no released version (${releasedVersions().join(", ")})`,
  );
});

it.skipIf(!existsSync(`${projectRoot}/.git`))("compares with a commit", async () => {
  expect((await readEarlier("HEAD")).document.info.title).toBe(publishedDocument().info.title);
});

it("says how to get the commits that a shallow clone lacks", () => {
  const folder = mkdtempSync(join(tmpdir(), "shallow-"));
  const git = (...args: string[]) => execFileSync("git", ["-C", folder, ...args], { encoding: "utf8", stdio: "pipe" });
  const commit = ["-c", "user.name=a", "-c", "user.email=a@users.example", "commit", "--quiet", "--allow-empty", "-m"];
  git("init", "--quiet", "whole");
  for (const message of ["First", "Second"]) git("-C", "whole", ...commit, message);
  git("clone", "--quiet", "--depth=1", `file://${folder}/whole`, "part");
  const firstCommit = git("-C", "whole", "rev-parse", "HEAD~1").trim();
  expect(missingContractReason(firstCommit, `${folder}/part`)).toContain("git fetch --unshallow");
  expect(missingContractReason(firstCommit, `${folder}/whole`)).toBe("that commit has none.");
  expect(missingContractReason("no-such-ref", `${folder}/whole`)).toBe("no commit or branch of this clone.");
  expect(missingContractReason("HEAD", folder)).toBe("there is no git repository here to look in.");
  rmSync(folder, { recursive: true });
});
