import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { statusResult } from "partner-wallet-api/helpers";
import { describe, expect, it } from "vitest";
import { resultsOf } from "../../scripts/contract/model/index.ts";
import { contractOf } from "../support/contract.ts";

const contract = await contractOf("test");
const states = contract.resources.flatMap(({ name, states }) => states.map((state) => ({ name, state })));
const resultsByStatus = new Map<string, Set<boolean | undefined>>();
for (const { state } of states) {
  for (const value of state.values) {
    resultsByStatus.set(value, (resultsByStatus.get(value) ?? new Set()).add(resultsOf(state)?.[value]));
  }
}

/** Matches a status that is followed by a word for the result, as in `UNSUCCESSFUL: () => "failed"`. */
const statusWithResult =
  /["'`]?\b([A-Za-z_]+)\b["'`]?\s*(?::|=>|,)\s*(?:\(\)\s*=>\s*)?["'](succeeded|completed|paid|failed|unsuccessful)\b/g;
/** Match code and texts that treat every other status as a failure. */
const failureByDefault = [
  /(?:otherwise:?\s*\([^)]*\)\s*=>|\?\?|\b_\s*=>|default:|\bget\([^,()]+,)\s*["'`](?:failed|unsuccessful)/i,
  /(?:!==?|===?|\bis not)\s*["'](?:SUCCESSFUL|COMPLETED)["'][^\n;]*["'](?:failed|unsuccessful)["']/,
  /\b(?:every|any) other (?:status|value)\b[^.]*\bis (?:a )?fail/i,
];

function contradictionsIn(text: string): string[] {
  const contradictions = [...text.matchAll(statusWithResult)].flatMap(([found, status = "", result = ""]) => {
    const saysSuccess = /^(?:succeeded|completed|paid)/.test(result);
    const knownResults = resultsByStatus.get(status);
    return knownResults !== undefined && !knownResults.has(saysSuccess) ? [found] : [];
  });
  return [...contradictions, ...failureByDefault.flatMap((form) => form.exec(text)?.[0] ?? [])];
}

const root = join(import.meta.dirname, "../..");
const files = ["openapi", "README.md", "scripts/client/src", "scripts/site/samples", "scripts/mock/page"].flatMap(
  (path) => {
    if (path.endsWith(".md")) return [path];
    const names = readdirSync(join(root, path), { recursive: true, encoding: "utf8" });
    return names
      .filter((name) => /\.(md|yaml|ts|tsx|js|py|php|java|go|cs|rb)$/.test(name))
      .map((name) => join(path, name));
  },
);

describe("a status", () => {
  it("is judged the same by the client as by resources.yaml", () => {
    for (const { name, state } of states.filter(
      ({ state }) => state.name === "status" && state.successValues.length > 0,
    )) {
      for (const value of [...state.values, "A_NEW_VALUE", "constructor", "", null, undefined]) {
        const isSuccess = resultsOf(state)?.[String(value)];
        const expectedResult =
          value === "constructor" || isSuccess === undefined ? "open" : isSuccess ? "succeeded" : "failed";
        expect([name, value, statusResult(name as "transfer", value)]).toEqual([name, value, expectedResult]);
      }
    }
  });

  it("is not judged otherwise in any guide, program, sample or text", () => {
    const contradictions = files.flatMap((file) =>
      contradictionsIn(readFileSync(join(root, file), "utf8")).map((text) => `${file}: ${text}`),
    );
    expect([files.length > 200, contradictions]).toEqual([true, []]);
  });

  it.each([
    'match(event.status, { SUCCESSFUL: () => "completed", otherwise: () => "failed" })',
    'ends = {"SUCCESSFUL": "succeeded", "IN_PROGRESS": "failed"}',
    'found[id] switch { "SUCCESSFUL" => "succeeded", _ => "failed" }',
    'const end = ends[status] ?? "failed"',
    'ends.get(found, "failed")',
    'const end = status === "SUCCESSFUL" ? "paid" : "failed";',
    "Every other status in the webhook is failed.",
    'UNSUCCESSFUL: () => "paid"',
  ])("is found to be judged otherwise in: %s", (text) => {
    expect(contradictionsIn(text)).not.toEqual([]);
  });
});
