/**
 * Changes each value of `openapi/mock.yaml` in turn. Every operation whose response then differs must list the questions of the value's
 * section in `x-mock-assumes`.
 */
import { expect, it } from "vitest";
import type { Assume } from "../../generated/control/types.ts";
import { createMock } from "../../scripts/mock/host/mock.ts";
import { plan } from "../support/plan.ts";
import { send } from "./codes/calls.ts";
import { type Fixture, makeFixture, mockOf, successOf } from "./codes/fixture.ts";

type Value = string | number | boolean | null | readonly string[];
type Tree = { readonly [name: string]: Tree | Value };

interface Schema {
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly type?: unknown;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
}

const schema = plan.control.find(({ operationId }) => operationId === "changeAssumptions")?.body?.schema as Schema;

function variants(tree: Tree, at: Schema = schema, path: readonly string[] = []): { path: string; assume: Assume }[] {
  return Object.entries(tree).flatMap(([name, value]) => {
    const here = [...path, name];
    const own = at.properties?.[name] ?? at.additionalProperties ?? {};
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return variants(value as Tree, own, here);
    const changed = path[0] === "delays" ? 86_400 : other(value, own);
    return {
      path: here.join("."),
      assume: here.reduceRight<unknown>((inner, part) => ({ [part]: inner }), changed) as Assume,
    };
  });
}

function other(value: unknown, own: Schema): unknown {
  if (own.enum !== undefined) return own.enum.find((one) => one !== value);
  if (typeof value === "boolean") return !value;
  if (value === null) return own.pattern !== undefined ? "P497" : [own.type].flat().includes("integer") ? 1 : "1";
  if (Array.isArray(value) && value.length === 0)
    return /P/.test(own.items?.pattern ?? "")
      ? ["P500"]
      : [400, "email"].slice(own.items?.type === "integer" ? 0 : 1).slice(0, 1);
  if (value === "UTC") return "Asia/Tokyo";
  if (/^P\d{3}$/.test(String(value))) return "P497";
  if (typeof value === "number") return value < 60 ? (value + 7) * 3 : 1;
  if (Array.isArray(value)) return /^X/.test(value[0]) ? ["DE"] : [];
  if (/^\d{8}$/.test(String(value))) return "12345678";
  if (/^\d/.test(String(value))) return "7.5";
  return String(value) === "DE" ? "AT" : String(value).replace(/^\w{4}/, "ABCD");
}

// Not compared, because these values depend on the number of values generated before.
const generated =
  /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|0x[0-9a-f]{40,}|\b[0-9a-f]{64}\b|\bt(b|ltc)1\w+|REF-\w{10}|411111\d{10}|(?<="(cvv|cardLastDigits)":")\d{3,4}|(?<=[A-Z]{2})\d\d(?=\d{18}\b)|(?<=[A-Z]{2}\d{10})\d{10}\b/g;

async function responsesOn(fixture: Fixture, assume?: Assume): Promise<Map<string, { text: string; marks: string[] }>> {
  const responses = new Map<string, { text: string; marks: string[] }>();
  const mock = mockOf(fixture, assume);
  let isChanged = false;
  for (const { operationId, method } of plan.operations) {
    if (isChanged) mock.reset();
    isChanged = method !== "GET";
    const response = await send(mock, successOf(fixture, operationId));
    const text = `${response.status} ${(await response.text()).replace(generated, "…")}`;
    responses.set(operationId, { text, marks: response.headers.get("x-mock-assumes")?.split(", ") ?? [] });
  }
  mock.close();
  return responses;
}

it("every response that changes with an assumption names the questions of that assumption", async () => {
  const first = createMock(plan);
  const all = variants(first.assumptions as Tree);
  first.close();
  expect(all.length).toBeGreaterThan(80);
  const before = await responsesOn(await makeFixture(plan));
  const unnamed = new Set<string>();
  const withEffect = new Set<string>();
  for (const { path, assume } of all) {
    const [section = ""] = path.split(".");
    const { questions } = plan.assumptions[section as keyof typeof plan.assumptions];
    const fixture = await makeFixture(plan, assume).catch(() => undefined);
    const after = await responsesOn(fixture ?? (await makeFixture(plan)), assume);
    for (const [operationId, { text, marks }] of after) {
      if (text === before.get(operationId)?.text) continue;
      withEffect.add(section);
      if (!questions.every((question) => marks.includes(question))) unnamed.add(`${section}: ${operationId}`);
    }
  }
  expect([...unnamed].sort()).toEqual([]);
  // These sections affect only the responses of later calls.
  const later = ["deletion", "refused", "effects", "repeats", "successes", "webhooks", "details", "users"];
  const expected = Object.keys(first.assumptions).filter((section) => !later.includes(section));
  expect([...withEffect].filter((section) => !later.includes(section)).sort()).toEqual(expected.sort());
}, 900_000);
